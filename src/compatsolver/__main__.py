"""The command as a process of its own: `python -m compatsolver`, and what the script `compatsolver` calls."""

import gc
import sys

from compatsolver.cli import main


def run() -> int:
    """Run the command line without looking for garbage: all there is goes when the process ends, which is soon.

    Freezing keeps the interpreter from going through every object once more at its end.
    """
    gc.disable()
    code = main()
    gc.freeze()
    return code


if __name__ == "__main__":
    sys.exit(run())
