"""`python -m harness [NAME…]`: the cases, or those whose name holds one of the words."""

import shutil
import sys
import unittest

from . import cases, stage


def main(words: list[str]) -> int:
    shutil.rmtree(stage.WORK / "scratch", ignore_errors=True)
    suite = unittest.TestLoader().loadTestsFromModule(cases)
    every = [case for group in suite for case in group]
    chosen = [case for case in every if not words or any(word in case.id() for word in words)]
    if not chosen:
        print(f"tests/action: no case has {' or '.join(words)} in its name", file=sys.stderr)
        return 2
    done = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(chosen))
    return 0 if done.wasSuccessful() else 1


sys.exit(main(sys.argv[1:]))
