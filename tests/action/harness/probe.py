"""Stands in for lockgate where a case asks what reached it: arguments, environment, process.

Answers `--version`; else writes what it was given to $PROBE_FILE, and step outputs and a
summary as lockgate would.
"""

import json
import os
import sys
from pathlib import Path


def main(arguments: list[str]):
    if arguments == ["--version"]:
        print("lockgate 0.0.0 (probe)")
        return
    given = {"arguments": arguments, "environment": dict(os.environ), "pid": os.getpid(), "folder": os.getcwd()}
    Path(os.environ["PROBE_FILE"]).write_text(json.dumps(given))
    with open(os.environ["GITHUB_OUTPUT"], "a") as outputs:
        outputs.write("verdict<<end-8f1e\nchanged\nend-8f1e\ndecision=block\nchanged=2\nunreachable=1\nissues=7,9\n")
        reports = [argument.removeprefix("--report=") for argument in arguments if argument.startswith("--report=")]
        outputs.write(f"report={''.join(reports)}\n")
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a") as summary:
        summary.write("# probe: two servers changed\n")
    sys.exit(int(os.environ.get("PROBE_EXIT", "0")))


main(sys.argv[1:])
