"""The last step of a scratch workflow: writes what arrived from the action to a file."""

import json
import os
import sys
from pathlib import Path


def main(file: str, *names: str):
    arrived = {name: os.environ[name.upper()] for name in names}
    Path(file).write_text(json.dumps(arrived))


main(*sys.argv[1:])
