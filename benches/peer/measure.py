"""The measuring half of `run`: BINARY FOLDER [NAME…] → a table of figures and bars."""

import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
NODE = os.environ.get("NODE", "node")
RUNS = int(os.environ.get("RUNS", "9"))
TIME = shutil.which("time") or sys.exit("GNU time is not here")
LONGEST = 150  # seconds that one run may take

MIB = 1 << 20
SEAL_OR_TIME = re.compile(rb'^ *"(checked_at|sha256)": "[^"]*",?$', re.MULTILINE)


@dataclass
class Run:
    """What one run took, in seconds, and what it printed."""

    wall: float
    cpu: float
    printed: bytes


@dataclass
class Look:
    """What one run held at most: bytes and descriptors, and descriptors half way."""

    memory: int
    descriptors: int


class Bench:
    def __init__(self, binary, work):
        self.binary, self.work = binary, work
        self.missed = 0

    def check(self, *more):
        return [self.binary, "check", "--allow-private-host", "127.0.0.1", *more]

    def peer(self):
        return [NODE, str(self.work / "verify.mjs")]

    # The three bars, and the soak.

    def one(self):
        with fleet(1, 20, 0) as servers, self.repository("one", servers.ports) as place:
            self.beside_peer("one server, 20 tools", place, 0.08, 20)

    def twenty(self):
        with fleet(20, 20, 150) as servers, self.repository("twenty", servers.ports) as place:
            self.beside_peer("20 servers, 20 tools, 150 ms a request", place, 0.20, 30)

    def thousand(self):
        head("1,000 servers, 50 tools, 20 ms a request")
        with fleet(1000, 50, 20) as servers, self.repository("thousand", servers.ports) as place:
            before = servers.cpu()
            many = [run(self.check("--format", "json"), place) for _ in range(3)]
            busy = (servers.cpu() - before) / sum(one.wall for one in many)
            look = self.look(self.check(), place)
            few = run(self.check("--format", "json", "--concurrency", "1"), place)
        wall = median(many, "wall")
        figure("lockgate", wall, median(many, "cpu"), look)
        figure("  one at a time", few.wall, few.cpu)
        print(f"  the servers were busy {busy:.0%} of one core")
        same = {SEAL_OR_TIME.sub(b"", one.printed) for one in [*many, few]}
        self.bar("wall", f"{wall:.2f} s", "10 s", wall <= 10)
        self.bar_memory(look, 150)
        self.bar("descriptors", look.descriptors, 256, look.descriptors <= 256)
        self.bar("same report at concurrency 1 and 32", len(same) == 1, True, len(same) == 1)

    def soak(self):
        head("2,000 lockfiles of 50 servers, 20 tools")
        offline = self.check("--offline", "--fail-on", "never")
        growth = {}
        with fleet(50, 20, 0) as servers:
            for copies in (4, 40):
                # A header makes an identity of its own: no answer is shared.
                with self.repository("soak", servers.ports, copies) as place:
                    for how, command in {"asked": self.check(), "offline": offline}.items():
                        look = self.look(command, place)
                        figure(f"{50 * copies} {how}", look=look)
                        growth[how] = look.memory - growth.get(how, 0)
        asked, offline = (growth[how] / 1800 / 1024 for how in ("asked", "offline"))
        print(f"  {asked:.1f} KiB a lockfile, of which {offline:.1f} without a server")

    # What they share.

    def beside_peer(self, title, place, ratio_bar, memory_bar):
        head(title)
        ours, theirs = [], []
        for _ in range(RUNS):
            ours.append(run(self.check(), place))
            theirs.append(run(self.peer(), place))
        look, their_look = self.look(self.check(), place), self.look(self.peer(), place)
        figure("lockgate", median(ours, "wall"), median(ours, "cpu"), look)
        figure("peer", median(theirs, "wall"), median(theirs, "cpu"), their_look)
        ratio = median(ours, "wall") / median(theirs, "wall")
        self.bar("wall, ours / theirs", f"{ratio:.3f}", ratio_bar, ratio <= ratio_bar)
        cpu = median(ours, "cpu") / median(theirs, "cpu")
        print(f"  CPU, ours / theirs: {cpu:.3f}")
        self.bar_memory(look, memory_bar)

    def bar_memory(self, look, most):
        self.bar("memory", f"{look.memory / MIB:.1f} MiB", f"{most} MiB", look.memory <= most * MIB)

    def bar(self, what, value, bar, is_met):
        self.missed += not is_met
        print(f"  {what}: {value} (bar: {bar}) {'met' if is_met else 'MISSED'}")

    @contextlib.contextmanager
    def repository(self, name, ports, copies=1):
        """A git repository with lockfiles for every server, made by `lockgate lock`."""
        place = self.work / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)

        def lock(port_and_copy):
            port, copy = port_and_copy
            url = f"http://127.0.0.1:{port}/mcp"
            file = f"{port}-{copy}.mcp-lock.json"
            header = ["--header", f"X-Copy: {copy}"] if copies > 1 else []
            arguments = ["--allow-private-host", "127.0.0.1", "--output", file, *header]
            run([self.binary, "lock", url, *arguments], place)

        with ThreadPoolExecutor(8) as at_once:
            list(at_once.map(lock, [(port, copy) for port in ports for copy in range(copies)]))
        git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
        for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "lockfiles"]):
            subprocess.run([*git, *arguments], cwd=place, check=True)
        try:
            yield place
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def look(self, command, place):
        """One more run, watched: not timed, for watching costs time."""
        told = self.work / "memory"
        watched = subprocess.Popen(
            [TIME, "-f", "%M", "-o", str(told), *command],
            cwd=place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        most = 0
        while watched.poll() is None:
            most = max([most, *map(descriptors, children(watched.pid))])
            time.sleep(0.001)
        if watched.returncode:
            sys.exit(f"{command} failed: {watched.stderr.read().decode()}")
        return Look(int(told.read_text().split()[-1]) * 1024, most)


@dataclass
class Fleet:
    ports: list
    pid: int

    def cpu(self):
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def fleet(servers, tools, delay):
    """Servers that answer until the block ends, or this program does."""
    command = [NODE, str(HERE / "fleet.mjs"), str(servers), str(tools), str(delay)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Fleet(process.stdout.readline().split(), process.pid)
        finally:
            process.stdin.close()


def run(command, place):
    """One run, timed; all lockfiles must be unchanged."""
    out, err = place.parent / f"{place.name}.out", place.parent / f"{place.name}.err"
    create = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    if command[1] == "lock":
        subprocess.run(command, cwd=place, check=True, stdout=subprocess.DEVNULL)
        return None
    before = os.getcwd()
    os.chdir(place)
    try:
        start = time.perf_counter()
        pid = os.posix_spawnp(
            command[0],
            command,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, str(out), create, 0o600),
                (os.POSIX_SPAWN_OPEN, 2, str(err), create, 0o600),
            ],
        )
        _, status, used = os.wait4(pid, 0)
        wall = time.perf_counter() - start
    finally:
        os.chdir(before)
    if status:
        sys.exit(f"{command} failed:\n{out.read_text()[:2000]}{err.read_text()[:2000]}")
    return Run(wall, used.ru_utime + used.ru_stime, out.read_bytes())


def median(runs, what):
    return statistics.median(getattr(one, what) for one in runs)


def children(pid):
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def head(title):
    load = os.getloadavg()[0]
    print(f"\n{title} (load {load:.2f})", flush=True)


def figure(who, wall=None, cpu=None, look=None):
    parts = []
    if wall is not None:
        parts.append(f"{wall * 1e3:9.1f} ms wall {cpu * 1e3:9.1f} ms CPU")
    if look is not None:
        parts.append(f"{look.memory / MIB:7.1f} MiB {look.descriptors:4} descriptors")
    print(f"  {who:16}", *parts)


def main():
    binary, work, *names = sys.argv[1:]
    bench = Bench(binary, Path(work))
    known = {"one": bench.one, "twenty": bench.twenty, "thousand": bench.thousand, "soak": bench.soak}
    for name in names or known:
        if name not in known:
            sys.exit(f"`{name}` is none of {', '.join(known)}")
    versions = [[binary, "--version"], [NODE, "--version"]]
    print(*(subprocess.check_output(one, text=True).strip() for one in versions), sep=", Node ")
    for name in names or known:
        known[name]()
    print(f"\n{bench.missed or 'no'} bars missed")


if __name__ == "__main__":
    main()
