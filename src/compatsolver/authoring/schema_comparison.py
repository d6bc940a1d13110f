"""The shape of the table that says which differences between machines matter."""

from typing import Literal

from compatsolver.authoring.schema_facts import Fact

Weight = Literal["matters", "major", "floor", "little", "unknown"]
Effect = Literal["breaks", "unknown", "works"]


class TraitRow(Fact):
    """What a difference in one trait of two machines means.

    `weight`: it matters, only from major to major, only where a stack does not run on one side (floor), little, or
    nobody knows. `collective` says what becomes of collectives between the two where it matters. `why_little` is the
    sentence for where it does not, of the traits that may go either way.
    """

    trait: str
    title: str
    weight: Weight
    collective: Effect
    why: str
    why_little: str = ""
