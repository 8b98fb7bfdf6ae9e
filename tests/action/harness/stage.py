"""A scratch repository, a staged copy of the action, and act, which runs the one with the other."""

import json
import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WORK = Path(os.environ["LOCKGATE_ACTION_WORK"])
BINARY = Path(os.environ["LOCKGATE"]).resolve()
ACT = WORK / "venv/bin/act"
CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"
ACTION = "acme/lockgate@0123456789012345678901234567890123456789"
TOKEN = "ghs_scratchTokenThatIsNobodys0123456789"
TRIPLE = f"{platform.machine().replace('arm64', 'aarch64')}-unknown-linux-musl"
PATIENCE = 900


def environment(**more: str) -> dict[str, str]:
    """Nothing of a CI run around us, and no configuration of git, curl or act."""
    home = WORK / "home"
    home.mkdir(exist_ok=True)
    cargo = {
        "CARGO_HOME": os.environ.get("CARGO_HOME", str(Path.home() / ".cargo")),
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
    }
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR", "RUSTUP_TOOLCHAIN") if name in os.environ}
    return {**kept, **cargo, "PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", **more}


def git(folder: Path, *args: str) -> str:
    person = ("-c", "user.name=alice", "-c", "user.email=alice@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *person, *args], cwd=folder, env=environment(), check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout.strip()


def packaged(binary: Path, folder: Path) -> dict[str, bytes]:
    """A release's file, made as the release workflow makes it; its name holds the version."""
    subprocess.run([ROOT / ".ci/release", "package", binary, TRIPLE, folder], env=environment(), check=True)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def digests(folder: Path) -> str:
    """The text of action/release.txt for the files there."""
    command = [ROOT / ".ci/release", "digests", folder]
    return subprocess.run(command, env=environment(), check=True, capture_output=True, encoding="utf-8").stdout


def stage_action(folder: Path, release_text: str | None, source: bool = False) -> Path:
    """A copy of the action as a commit holds it; with the crate's source if it is to be built."""
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, encoding="utf-8",
    )
    for name in filter(None, listed.stdout.split("\0")):
        mine = name.startswith(("action.yml", "action/", "merge/"))
        crate = source and name.startswith(("src/", "benches/", "Cargo", "README.md"))
        if (mine or crate) and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    if release_text is not None:
        (folder / "action/release.txt").write_text(release_text)
    return folder


@dataclass
class Run:
    """What act said, what the steps that bash ran said, and what the last step recorded."""

    log: str
    said: str
    succeeded: bool
    recorded: dict = field(default_factory=dict)

    @property
    def commands(self) -> list[str]:
        """The runner's error, warning and notice lines."""
        return re.findall(r"::(?:error|warning|notice)[^\n]*", self.said)

    @property
    def exit_codes(self) -> list[int]:
        """Of the steps that failed; act tells a composite action's twice."""
        return list(dict.fromkeys(int(code) for code in re.findall(r"\] exit status (\d+)$", self.log, re.MULTILINE)))

    @property
    def summary(self) -> str:
        """Of the action's steps, as act prints it."""
        return "\n".join(re.findall(r"Summary - (.*)", self.log))

    def __str__(self) -> str:
        return f"succeeded: {self.succeeded}\n{self.log}\nsaid:\n{self.said}"


@dataclass
class Scratch:
    """A repository with one workflow; `uses` of the action lead to the staged copy."""

    folder: Path
    action: Path

    @property
    def tree(self) -> Path:
        return self.folder / "repository"

    def start(self) -> "Scratch":
        self.tree.mkdir(parents=True)
        git(self.tree, "init", "--quiet", "--initial-branch=main")
        git(self.tree, "remote", "add", "origin", "https://github.com/acme/scratch.git")
        return self

    def write(self, name: str, text: str):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self) -> str:
        git(self.tree, "add", "--all")
        git(self.tree, "commit", "--quiet", "--allow-empty", "--message", "scratch")
        return git(self.tree, "rev-parse", "HEAD")

    def lockgate(self, *args: str) -> str:
        """What the real binary prints; `SCRATCH` is the only secret."""
        env = environment(SCRATCH="Bearer scratch")
        done = subprocess.run(
            [BINARY, *args], cwd=self.tree, env=env, check=True, capture_output=True, encoding="utf-8"
        )
        return done.stdout

    def run(self, inputs: dict[str, str], **more) -> Run:
        """Writes the workflow, commits it, and starts it by hand."""
        self.offer("workflow_dispatch", inputs, more.pop("uses", ACTION), more.pop("before", ()))
        self.commit()
        return self.start_act("workflow_dispatch", {}, **more)

    def offer(self, event: str, inputs: dict[str, str], uses: str = ACTION, before=()):
        """The workflow. YAML is a superset of JSON, so no quoting can go wrong."""
        record = self.folder / "recorded.json"
        outputs = ("verdict", "decision", "changed", "unreachable", "report", "issues")
        steps = [
            {"uses": CHECKOUT},
            *before,
            {"id": "gate", "uses": uses, "with": inputs},
            {
                "if": "always()",
                "env": {name.upper(): f"${{{{ steps.gate.outputs.{name} }}}}" for name in outputs}
                | {"OUTCOME": "${{ steps.gate.outcome }}"},
                "shell": "sh",
                "run": f"{RECORD} {record} {' '.join(outputs)} outcome",
            },
        ]
        workflow = {"on": event, "jobs": {"gate": {"runs-on": "ubuntu-latest", "steps": steps}}}
        self.write(".github/workflows/gate.yml", json.dumps(workflow, indent=2))

    def start_act(self, event: str, payload: dict, *, env: dict[str, str] | None = None, path: str | None = None) -> Run:
        """Runs what is checked out, by this event; its payload needs no `repository`."""
        record, said = self.folder / "recorded.json", self.folder / "said"
        record.unlink(missing_ok=True)
        said.write_text("")
        path = f"{self.overheard(said)}:{path or os.environ['PATH']}"
        repository = {"full_name": "acme/scratch", "default_branch": "main"}
        events = self.folder / "event.json"
        events.write_text(json.dumps({"repository": repository, **payload}))
        done = subprocess.run(
            [
                ACT, event, "-P", "ubuntu-latest=-self-hosted", "-e", events, "-s", f"GITHUB_TOKEN={TOKEN}",
                "--action-offline-mode", "--use-new-action-cache", "--action-cache-path", self.folder / "cache",
                "--local-repository", f"{ACTION}={self.action}",
                *(part for name, value in {"NO_COLOR": "1", **(env or {})}.items() for part in ("--env", f"{name}={value}")),
            ],
            cwd=self.tree, env=environment(PATH=path), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, encoding="utf-8",
        )
        recorded = json.loads(record.read_text()) if record.exists() else {}
        return Run(done.stdout, said.read_text(), done.returncode == 0, recorded)

    def overheard(self, said: Path) -> Path:
        """A folder with a bash that keeps what is said: act does not wait for the output of a step that fails."""
        folder = self.folder / "overheard"
        folder.mkdir(exist_ok=True)
        bash = shutil.which("bash")
        text = f'''#!{bash} -p
[[ -z ${{OVERHEARD-}} ]] || exec "{bash}" "$@"
OVERHEARD=1 "{bash}" "$@" 2>&1 | tee -a "{said}"
exit "${{PIPESTATUS[0]}}"
'''
        (folder / "bash").write_text(text)
        (folder / "bash").chmod(0o755)
        return folder


RECORD = f"{WORK / 'venv/bin/python'} {Path(__file__).with_name('record.py')}"
