"""Where things are. Everything that is installed or written lies under `.work`."""

from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
WORK = HERE / ".work"
NPM = WORK / "npm" / "node_modules"
NODE = WORK / "bin" / "node"
PYTHON = WORK / "venv" / "bin" / "python"
LOGS = WORK / "logs"
LOOPBACK = HERE / "loopback.cjs"
REFERENCE = HERE / "reference.mjs"
OWN_SERVERS = HERE / "servers"
