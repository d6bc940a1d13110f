"""One lock for several targets, by markers where they tell the targets apart, refused where they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaging.markers import Marker

from compatsolver.errors import InputError
from compatsolver.model.markers import environments_of
from wheels import Wheel

if TYPE_CHECKING:
    from locking.conftest import World


def test_two_pythons_share_what_is_the_same(world: World) -> None:
    world.add(Wheel("torch", world.torch, "cp313-cp313-manylinux_2_28_x86_64"), index=world.builds)
    world.add(Wheel("lib", "1.0", requires=("old; python_version < '3.13'",)), Wheel("old", "1.0"))
    lock = world.lock("torch", "lib", also=[{"python": "3.13"}])
    assert [target.python for target in lock.targets] == ["3.12", "3.13"]
    assert lock.package("lib").marker is None
    assert len(lock.package("torch").files) == 2
    marker = Marker(lock.package("old").marker or "")
    applies = [marker.evaluate(environments_of(target)[0]) for target in lock.targets]
    assert applies == [True, False]


def test_what_no_marker_tells_apart_is_refused(world: World) -> None:
    """A CPU stack and one for a GPU differ in their build of torch, on one platform and Python."""
    cpu = Wheel("torch", f"{world.pins['torch'].version}+cpu", "cp312-cp312-manylinux_2_28_x86_64")
    world.add(cpu, index="whl/cpu")
    with pytest.raises(InputError, match="no marker tells them apart") as error:
        world.lock("torch", also=[{"gpu": "none", "driver": None}])
    assert "torch" in error.value.context[0]
