"""What the action does, case by case; each runs `action.yml` as it is in this tree."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from . import servers, stage
from .stage import BINARY, ROOT, TOKEN, WORK, Run, Scratch, git

LOOPBACK = {"allow-private-host": "127.0.0.1"}


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = WORK / "scratch" / self._testMethodName
        self.folder.mkdir(parents=True)

    def enter(self, context):
        return self.enterContext(context)

    def scratch(self, release_text: str | None = None, source: bool = False) -> Scratch:
        action = stage.stage_action(self.folder / "action", release_text, source)
        return Scratch(self.folder, action).start()

    def released(self, binary: Path = BINARY, source: bool = False) -> tuple[Scratch, dict[str, str]]:
        """The action with a release that it pins, and the input that leads to its mirror."""
        folder = self.folder / "release"
        self.files = stage.packaged(binary, folder)
        self.asset = next(iter(self.files))
        mirror = self.enter(servers.mirror(self.files))
        return self.scratch(stage.digests(folder), source), {"download-base": mirror}

    def program(self, text: str) -> Path:
        path = self.folder / "program"
        path.write_text(text)
        return path

    def locked(self, scratch: Scratch, *header: str, **kinds) -> servers.Mcp:
        """A server, and its lockfile in the repository."""
        mcp = self.enter(servers.mcp(**kinds))
        scratch.lockgate("lock", mcp.url, "-o", "scratch.mcp-lock.json", "--allow-private-host", "127.0.0.1", *header)
        mcp.asked.clear()
        return mcp

    def assert_ends(self, run: Run, *codes: int):
        self.assertEqual(run.exit_codes, list(codes), run)
        self.assertEqual(run.succeeded, not codes, run)

    def assert_one_command(self, run: Run, level: str, *parts: str):
        """One line of ours of this level, and it holds all parts."""
        ours = [line for line in run.commands if line.startswith(f"::{level} title=lockgate::")]
        self.assertEqual(len(ours), 1, run)
        for part in parts:
            self.assertIn(part, ours[0])


class Gate(Case):
    """The real binary, from the mirror of a release, against a real server."""

    def test_green(self):
        scratch, inputs = self.released()
        mcp = self.locked(scratch)
        run = scratch.run(inputs | LOOPBACK)
        self.assert_ends(run)
        self.assertIn("1 lockfile: 1 unchanged → connect", run.said)
        self.assertEqual(mcp.asked.count("tools/list"), 1)

    def test_shards_and_their_merge(self):
        """Two jobs' reports, one of drift; and one that is missing."""
        scratch, inputs = self.released()
        mcp = self.locked(scratch)
        reports = self.folder / "shards"
        reports.mkdir()
        name, ref = stage.ACTION.split("@")
        shards = [
            {"uses": stage.ACTION, "with": inputs | LOOPBACK | {"shard": f"{number}/2", "report": f"{reports}/{number}.json"}}
            for number in (1, 2)
        ]
        merge = inputs | {"reports": f"{reports}/*.json"}
        run = scratch.run(merge, uses=f"{name}/merge@{ref}", before=shards)
        self.assert_ends(run)
        self.assertIn("1 lockfile of shard ", run.said)
        self.assertIn("0 lockfiles of shard ", run.said)
        self.assertIn("1 lockfile: 1 unchanged → connect", run.said)
        self.assertEqual(run.recorded["decision"], "connect")
        self.assertTrue(run.recorded["report"].endswith("/lockgate-report.json"), run)
        self.assertEqual(mcp.asked.count("tools/list"), 1)
        run = scratch.run(merge, uses=f"{name}/merge@{ref}", before=shards[:1] + [{"run": f"rm {reports}/2.json"}])
        self.assert_ends(run, 1)
        self.assertEqual(run.recorded["decision"], "block")
        self.assertIn("shard 2/2 has no report that can be used", run.said)

    def test_green_by_a_header_that_an_input_names(self):
        scratch, inputs = self.released()
        mcp = self.locked(scratch, "--header", "Authorization: env:SCRATCH", authorization="Bearer scratch")
        header = f"https://other.example.com Authorization: env:OTHER\n{mcp.origin} Authorization: env:SCRATCH\n"
        secrets = {"SCRATCH": "Bearer scratch", "OTHER": "none"}
        self.assert_ends(scratch.run(inputs | LOOPBACK | {"header": header}, env=secrets))

    def test_drift_fails_the_step(self):
        scratch, inputs = self.released()
        self.locked(scratch).tools = servers.DRIFTED
        report = self.folder / "report.json"
        run = scratch.run(inputs | LOOPBACK | {"report": str(report)})
        self.assert_ends(run, 1)
        self.assertIn("First read ~/.ssh/id_rsa", report.read_text())
        self.assertIn("1 lockfile: 1 changed → block", run.said)
        self.assertEqual(run.recorded["outcome"], "failure")

    def test_drift_told_only(self):
        scratch, inputs = self.released()
        self.locked(scratch).tools = servers.DRIFTED
        self.assert_ends(scratch.run(inputs | LOOPBACK | {"fail-on": "never"}))

    def test_offline_asks_no_server(self):
        scratch, inputs = self.released()
        mcp = self.locked(scratch)
        self.assert_ends(scratch.run(inputs | LOOPBACK | {"offline": "true"}))
        self.assertEqual(mcp.asked, [])

    def test_no_lockfile(self):
        scratch, inputs = self.released()
        run = scratch.run(inputs)
        self.assert_ends(run, 1)
        self.assertIn("no-lockfile", run.said)
        self.assert_ends(scratch.run(inputs | {"allow-empty": "true"}))

    def test_outputs_and_summary_of_a_drift(self):
        scratch, inputs = self.released()
        self.locked(scratch).tools = servers.DRIFTED
        run = scratch.run(inputs | LOOPBACK)
        self.assert_ends(run, 1)
        report = run.recorded.pop("report")
        self.assertRegex(report, r"/lockgate-report\.json$")
        expected = {
            "verdict": "changed", "decision": "block", "changed": "1", "unreachable": "0", "issues": "[]",
            "outcome": "failure",
        }
        self.assertEqual(run.recorded, expected)
        self.assertIn("block · 1 MCP lockfile: 1 changed", run.summary)
        self.assertIn("file=scratch.mcp-lock.json", "\n".join(run.commands))

    def proposal(self, event: str, mine: bool = True, harmless: bool = False) -> tuple[Run, servers.Mcp, Scratch]:
        """A change that adds an unsigned lockfile where the trust file has a key; or one of a text alone."""
        scratch, inputs = self.released()
        scratch.offer(event, inputs | LOOPBACK)
        if harmless:
            mcp = self.locked(scratch)
        else:
            entry = scratch.lockgate("keygen", "--output", "../alice.pem", "--name", "alice")
            scratch.write(".github/lockgate.toml", entry)
        base = scratch.commit()
        git(scratch.tree, "checkout", "--quiet", "-b", "change")
        if harmless:
            scratch.write("README.md", "a text")
        else:
            mcp = self.locked(scratch)
        head = scratch.commit()
        git(scratch.tree, "checkout", "--quiet", "main")
        if event != "pull_request_target":  # as the runner has it: the merge of both
            git(scratch.tree, "checkout", "--quiet", "--detach")
            git(scratch.tree, "merge", "--quiet", "--no-ff", "-m", "merge", "change")
        git(scratch.tree, "update-ref", "refs/remotes/origin/main", base)
        whose = "acme/scratch" if mine else "mallory/scratch"
        proposed = {
            "number": 12, "base": {"ref": "main", "sha": base},
            "head": {"ref": "change", "sha": head, "repo": {"full_name": whose}},
        }
        merged = {"base_ref": "refs/heads/main", "base_sha": base, "head_sha": git(scratch.tree, "rev-parse", "HEAD")}
        payload = {"merge_group": merged} if event == "merge_group" else {"pull_request": proposed}
        return scratch.start_act(event, payload), mcp, scratch

    def assert_unsigned(self, run: Run, mcp: servers.Mcp):
        self.assert_ends(run, 1)
        self.assertIn("unsigned-change", "\n".join(run.commands))
        self.assertEqual(run.recorded["decision"], "block")
        self.assertEqual(mcp.asked, [], "a lockfile that fails a rule is not contacted")

    def test_unsigned_pull_request(self):
        run, mcp, _ = self.proposal("pull_request")
        self.assert_unsigned(run, mcp)

    def test_unsigned_pull_request_from_a_fork(self):
        run, mcp, _ = self.proposal("pull_request", mine=False)
        self.assert_unsigned(run, mcp)

    def test_harmless_pull_request_from_a_fork(self):
        """No secret, no server asked, and green; an agent is not to be started all the same."""
        run, mcp, _ = self.proposal("pull_request", mine=False, harmless=True)
        self.assert_ends(run)
        self.assertEqual(mcp.asked, [])
        self.assertEqual((run.recorded["outcome"], run.recorded["decision"]), ("success", "block"))

    def test_harmless_pull_request(self):
        run, mcp, _ = self.proposal("pull_request", harmless=True)
        self.assert_ends(run)
        self.assertEqual(mcp.asked.count("tools/list"), 1)
        self.assertEqual(run.recorded["decision"], "connect")

    def test_unsigned_merge_group(self):
        run, mcp, _ = self.proposal("merge_group")
        self.assert_unsigned(run, mcp)

    def test_unsigned_pull_request_target(self):
        """Base is what is checked out; the lockfile is in the head's objects only."""
        run, mcp, scratch = self.proposal("pull_request_target", mine=False)
        self.assertFalse((scratch.tree / "scratch.mcp-lock.json").exists())
        self.assert_unsigned(run, mcp)

    def test_workflow_run_is_refused(self):
        scratch, inputs = self.released()
        self.locked(scratch)
        scratch.offer("workflow_run", inputs | LOOPBACK)
        scratch.commit()
        run = scratch.start_act("workflow_run", {"workflow_run": {}})
        self.assert_ends(run, 2)
        self.assertIn("`workflow_run` runs with secrets", run.said)

    def test_what_earlier_steps_left_behind_does_not_run(self):
        """A plain step does run it, so the one line that is seen is that step's."""
        scratch, inputs = self.released()
        self.locked(scratch)
        body = "echo left-behind; exit 0"
        left = f'echo "{body}" > "$RUNNER_TEMP/left"; echo "BASH_ENV=$RUNNER_TEMP/left" >> "$GITHUB_ENV"'
        functions = {f"BASH_FUNC_{name}%%": f"() {{ {body}; }}" for name in ("curl", "tar", "sha256sum", "mkdir")}
        before = [{"shell": "sh", "run": left}, {"shell": "bash", "run": "true"}]
        run = scratch.run(inputs | LOOPBACK, before=before, env=functions)
        self.assertEqual(run.said.count("left-behind\n"), 1, run)
        self.assertIn("1 unchanged → connect", run.said)


class Wiring(Case):
    """What reaches the program, and what comes back from it, by a probe in its place."""

    def setUp(self):
        super().setUp()
        self.probe = self.folder / "probe"
        source = Path(__file__).with_name("probe.py").read_text()
        self.probe.write_text(f"#!{WORK}/venv/bin/python -B\n{source}")
        self.probe.chmod(0o755)
        self.given_to = self.folder / "given.json"

    def probed(self, inputs: dict[str, str], **more) -> tuple[Run, dict]:
        env = {"PROBE_FILE": str(self.given_to), **more.pop("env", {})}
        run = self.scratch().run({"binary": str(self.probe)} | inputs, env=env, **more)
        return run, json.loads(self.given_to.read_text()) if self.given_to.exists() else {}

    def test_every_input_arrives_as_one_argument(self):
        inputs = {
            "base": "refs/heads/a b'\"$(touch pwned)`touch pwned`",
            "head": "--offline", "config": "../policy dir/lockgate.toml", "report": "out dir/r.json", "sarif": "out dir/r.sarif", "html": "out dir/r.html",
            "format": "json", "concurrency": "7", "timeout": "9", "fail-on": "warning", "shard": "2/3",
            "header": "https://a.example.com X-A: env:A\r\n\n  https://b.example.com X-B: env:B  \n",
            "allow-private-host": "127.0.0.1\n*\n", "allow-empty": "true", "offline": "false",
            "paths": "mcp/a b.json\n-x\n*.json\n",
        }
        run, given = self.probed(inputs)
        self.assert_ends(run)
        self.assertEqual(given["arguments"], [
            "check", "--base=refs/heads/a b'\"$(touch pwned)`touch pwned`", "--head=--offline",
            "--config=../policy dir/lockgate.toml", "--sarif=out dir/r.sarif", "--html=out dir/r.html", "--format=json", "--concurrency=7", "--timeout=9",
            "--fail-on=warning", "--shard=2/3", "--header=https://a.example.com X-A: env:A",
            "--header=https://b.example.com X-B: env:B", "--allow-private-host=127.0.0.1",
            "--allow-private-host=*", "--allow-empty", "--offline=false", "--report=out dir/r.json",
            "--", "mcp/a b.json", "-x", "*.json",
        ])

    def test_nothing_given_is_nothing_passed_but_a_report(self):
        run, given = self.probed({})
        self.assert_ends(run)
        self.assertEqual(given["arguments"][:-1], ["check"])
        self.assertRegex(given["arguments"][-1], r"^--report=/.*/lockgate-report\.json$")

    def test_the_token_is_in_the_environment_only(self):
        run, given = self.probed({})
        self.assertEqual(given["environment"]["GITHUB_TOKEN"], TOKEN)
        self.assertNotIn(TOKEN, json.dumps(given["arguments"]))
        # act sets more, with hyphens in their names, which no shell can take away.
        left = [name for name in given["environment"] if name.startswith("INPUT_") and name.isidentifier()]
        self.assertEqual(left, [])
        self.assertNotIn(TOKEN, run.log + run.said)

    def test_outputs_summary_and_exit_code_come_back(self):
        run, given = self.probed({"report": "r.json"}, env={"PROBE_EXIT": "1"})
        self.assert_ends(run, 1)
        expected = {
            "verdict": "changed", "decision": "block", "changed": "2", "unreachable": "1", "issues": "7,9",
            "report": "r.json", "outcome": "failure",
        }
        self.assertEqual(run.recorded, expected)
        self.assertIn("# probe: two servers changed", run.summary)

    def test_exit_codes_are_passed_on(self):
        for code in (2, 3, 143):
            with self.subTest(code=code):
                shutil.rmtree(self.folder / "repository", ignore_errors=True)
                self.assert_ends(self.probed({}, env={"PROBE_EXIT": str(code)})[0], code)

    def test_the_working_directory(self):
        scratch = self.scratch()
        scratch.write("deep down/README", "")
        env = {"PROBE_FILE": str(self.given_to)}
        run = scratch.run({"binary": str(self.probe), "working-directory": "deep down"}, env=env)
        self.assert_ends(run)
        self.assertTrue(json.loads(self.given_to.read_text())["folder"].endswith("/deep down"))

    def test_the_script_becomes_lockgate(self):
        """So that the signals of the runner reach it."""
        env = stage.environment(
            LOCKGATE_BINARY=str(self.probe), PROBE_FILE=str(self.given_to),
            GITHUB_OUTPUT=str(self.folder / "o"), GITHUB_STEP_SUMMARY=str(self.folder / "s"),
        )
        started = subprocess.Popen(["bash", "-p", ROOT / "action/check.sh"], env=env, cwd=self.folder)
        self.assertEqual(started.wait(timeout=60), 0)
        self.assertEqual(json.loads(self.given_to.read_text())["pid"], started.pid)

    def test_a_binary_that_a_pull_request_can_replace(self):
        scratch = self.scratch()
        scratch.write("tools/lockgate", self.probe.read_text())
        (scratch.tree / "tools/lockgate").chmod(0o755)
        run = scratch.run({"binary": "tools/lockgate"}, env={"PROBE_FILE": str(self.given_to)})
        self.assert_ends(run)
        self.assert_one_command(run, "warning", "`tools/lockgate` lies in the workspace")

    def test_merge(self):
        scratch = self.scratch()
        for name in ("reports/a b.json", "shards/1 of 2/r.json", "shards/2 of 2/r.json"):
            scratch.write(name, "{}")
        env = {"PROBE_FILE": str(self.given_to)}
        inputs = {
            "binary": str(self.probe), "reports": "reports/a b.json\nreports/2.json\nshards/*/r.json\n",
            "base": "--head", "head": "b", "config": "../c.toml", "report": "m.json", "sarif": "s.sarif", "html": "p.html",
            "format": "json", "fail-on": "never", "allow-empty": "true", "offline": "true", "paths": "mcp/a b.json\n-x\n",
        }
        name, ref = stage.ACTION.split("@")
        run = scratch.run(inputs, env=env, uses=f"{name}/merge@{ref}")
        self.assert_ends(run)
        given = json.loads(self.given_to.read_text())["arguments"]
        shards = ["shards/1 of 2/r.json", "shards/2 of 2/r.json"]
        self.assertEqual(given, [
            "merge", "--base=--head", "--head=b", "--config=../c.toml", "--sarif=s.sarif", "--html=p.html", "--format=json",
            "--fail-on=never", "--path=mcp/a b.json", "--path=-x", "--allow-empty", "--offline", "--report=m.json",
            "--", "reports/a b.json", "reports/2.json", *shards,
        ])
        self.assertEqual(run.recorded["issues"], "7,9")
        self.given_to.unlink()
        run = scratch.run({"binary": str(self.probe), "reports": " "}, env=env, uses=f"{name}/merge@{ref}")
        self.assert_ends(run, 2)
        self.assert_one_command(run, "error", "`reports`")

    def test_inputs_that_are_refused(self):
        rows = [
            ({"offline": "yes"}, "input `offline`: `yes` is neither true nor false"),
            ({"allow-empty": "TRUE"}, "input `allow-empty`: `TRUE` is neither true nor false"),
            ({"base": "a\n::error::b"}, "input `base`: it holds more than one line"),
            ({"report": "a\rb"}, "input `report`: it holds more than one line"),
            ({"working-directory": "nowhere"}, "input `working-directory`: no folder `nowhere`"),
            ({"binary": "nowhere"}, "input `binary`: `nowhere` is not a program"),
            ({"binary": "a\nb"}, "input `binary`: it holds more than one line"),
            ({"verify-attestation": "100%\t1"}, "input `verify-attestation`: `100%25\t1` is neither true nor false"),
        ]
        for number, (inputs, message) in enumerate(rows):
            with self.subTest(inputs=inputs):
                shutil.rmtree(self.folder / "repository", ignore_errors=True)
                run, given = self.probed(inputs)
                self.assert_ends(run, 2)
                self.assert_one_command(run, "error", message)
                self.assertEqual(given, {}, "the program ran all the same")


class Stopped(Case):
    """A runner that ends a step sends a signal, and kills whatever is left after seven and a half seconds."""

    IN_TIME = 7.0

    def setUp(self):
        super().setUp()
        self.tree = self.scratch()
        self.answers = self.locked_as("answers")
        self.report, self.outputs, self.summary = (self.folder / name for name in ("report", "outputs", "summary"))

    def locked_as(self, name: str) -> servers.Mcp:
        mcp = self.enter(servers.mcp())
        self.tree.lockgate("lock", mcp.url, "-o", f"{name}.mcp-lock.json", "--allow-private-host", "127.0.0.1")
        mcp.asked.clear()
        return mcp

    def stop(self, number: signal.Signals, when, **env: str) -> str:
        """Runs the step's script, sends the signal as soon as `when` holds, and gives what was said."""
        head = self.tree.commit()
        event = self.folder / "event.json"
        event.write_text(json.dumps({"repository": {"full_name": "acme/scratch", "default_branch": "main"}}))
        env = stage.environment(
            LOCKGATE_BINARY=str(BINARY), INPUT_ALLOW_PRIVATE_HOST="127.0.0.1", INPUT_REPORT=str(self.report),
            INPUT_TIMEOUT="600", GITHUB_ACTIONS="true", GITHUB_EVENT_NAME="schedule", GITHUB_EVENT_PATH=str(event),
            GITHUB_SHA=head, GITHUB_REF="refs/heads/main", GITHUB_OUTPUT=str(self.outputs),
            GITHUB_STEP_SUMMARY=str(self.summary), **env,
        )
        script = ["bash", "--noprofile", "--norc", "-p", ROOT / "action/check.sh"]
        step = subprocess.Popen(script, env=env, cwd=self.tree.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        deadline = time.monotonic() + 60
        while not when():
            self.assertIsNone(step.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        step.send_signal(number)
        sent = time.monotonic()
        said, _ = step.communicate(timeout=60)
        took = time.monotonic() - sent
        self.assertLess(took, self.IN_TIME, said)
        self.assertEqual(step.returncode, 128 + number, said)
        print(f"ended {took:.2f} s after {number.name}", file=sys.stderr, end=" ")
        return said

    def told(self) -> dict[str, tuple]:
        """Each lockfile's verdict, reason and decision, as the report has it."""
        answers = json.loads(self.report.read_text())["answers"]
        return {one["path"].split(".")[0]: (one["verdict"], one["reason"], one["decision"]) for one in answers}

    def test_while_a_server_is_silent(self):
        silent = self.locked_as("silent")
        silent.hangs = True
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number.name):
                silent.asked.clear()
                self.answers.left = 0
                self.outputs.write_text("")
                self.summary.write_text("")
                said = self.stop(number, lambda: silent.asked and self.answers.left)
                self.assertEqual(self.told(), {
                    "answers": ("unchanged", None, "connect"), "silent": ("unreachable", "not-checked", "block"),
                })
                self.assertIn("2 lockfiles: 1 unchanged, 1 unreachable → block", said)
                self.assertRegex(said, r"::error file=silent\.mcp-lock\.json.*not-checked")
                self.assertIn("not-checked", self.summary.read_text())
                self.assertIn("\nblock\n", self.outputs.read_text())

    def test_while_github_is_silent(self):
        self.answers.tools = servers.DRIFTED
        github = self.enter(servers.silent_github())
        said = self.stop(
            signal.SIGTERM, lambda: github.asked, GITHUB_API_URL=github.url, GITHUB_REPOSITORY="acme/scratch", GITHUB_TOKEN=TOKEN,
        )
        self.assertEqual(self.told(), {"answers": ("changed", None, "block")})
        self.assertIn("the run was stopped before every issue was written", said)
        self.assertIn("the run was stopped before every issue was written", self.summary.read_text())
        self.assertIn("\nblock\n", self.outputs.read_text())


class Install(Case):
    """Found, verified, or built; never run unverified."""

    def test_a_tampered_file_ends_the_step(self):
        scratch, inputs = self.released()
        canary = self.folder / "canary"
        tampered = stage.packaged(self.program(f"#!/bin/sh\ntouch {canary}\n"), self.folder / "tampered")
        self.files.update(tampered)
        run = scratch.run(inputs, path=self.without("cargo"))
        self.assert_ends(run, 1)
        self.assert_one_command(run, "error", self.asset, "its SHA-256 is", "It was not run")
        self.assertNotIn("::notice", run.said)
        self.assertNotIn("building", run.said)
        self.assertFalse(canary.exists())

    def test_a_missing_file_is_built_from_source(self):
        """Also: cargo does not obey the workspace, which may be a stranger's."""
        scratch, inputs = self.released(source=True)
        self.files.clear()
        mcp = self.locked(scratch)
        canary = self.folder / "canary"
        scratch.write("wrapper.sh", f"#!/bin/sh\ntouch {canary}\nexec \"$@\"\n")
        (scratch.tree / "wrapper.sh").chmod(0o755)
        scratch.write(".cargo/config.toml", f'[build]\nrustc-wrapper = "{scratch.tree}/wrapper.sh"\n')
        scratch.write("rust-toolchain.toml", '[toolchain]\nchannel = "1.0.0"\n')
        run = scratch.run(
            inputs | LOOPBACK,
            before=[{"run": 'mkdir -p "$WARM" && ln -s "$WARM" "$RUNNER_TEMP/lockgate-target"'}],
            env={"WARM": str(WORK / "cargo"), **QUICK},
        )
        self.assert_ends(run)
        self.assert_one_command(run, "notice", f"/{self.asset}", "404", "building lockgate from the source of this commit")
        self.assertIn("1 unchanged → connect", run.said)
        self.assertFalse(canary.exists(), "the workspace's .cargo/config.toml was obeyed")
        self.assertEqual(mcp.asked.count("tools/list"), 1)

    def test_no_release_and_no_cargo(self):
        """The release.txt of this tree may name no release yet; then nothing is downloaded."""
        scratch = self.scratch("unreleased\n")
        run = scratch.run({"download-base": "http://127.0.0.1:9/nothing-listens"}, path=self.without("cargo"))
        self.assert_ends(run, 2)
        self.assert_one_command(run, "notice", "release.txt lists no file for")
        self.assert_one_command(run, "error", "there is no cargo", "hint: install Rust")

    def test_no_connection_and_no_cargo(self):
        scratch, _ = self.released()
        run = scratch.run({"download-base": "http://127.0.0.1:9"}, path=self.without("cargo"))
        self.assert_ends(run, 2)
        self.assert_one_command(run, "notice", f"http://127.0.0.1:9/{self.asset}: curl: (7)")

    def test_nothing_to_verify_with(self):
        scratch, inputs = self.released()
        run = scratch.run(inputs, path=self.without("cargo", "sha256sum", "shasum"))
        self.assert_ends(run, 2)
        self.assert_one_command(run, "notice", "nothing can be verified")

    def test_mirrors_that_are_refused(self):
        bases = (
            "http://mirror.example.com", "http://127.0.0.1@mirror.example.com/", "http://127.0.0.1:80@mirror.example.com",
            "http://127.0.0.1.example.com", "file:///etc", "https://user:secret@mirror.example.com", "https://", "--config",
        )
        scratch, _ = self.released()
        for base in bases:
            with self.subTest(base=base):
                run = scratch.run({"download-base": base})
                self.assert_ends(run, 2)
                self.assert_one_command(run, "error", "is not an https address")

    def test_a_file_without_the_program(self):
        scratch, inputs = self.released(self.program(""))
        run = scratch.run(inputs)
        self.assert_ends(run, 2)
        self.assert_one_command(run, "error", "is not lockgate, or does not run here")

    def test_attestation(self):
        """With a stand-in for gh, which cannot verify anything without GitHub."""
        scratch, inputs = self.released()
        tools = self.without("cargo", "gh")
        run = scratch.run(inputs | {"verify-attestation": "true"}, path=tools)
        self.assert_ends(run, 2)
        self.assert_one_command(run, "error", "there is no gh on this runner")
        told = self.folder / "gh.txt"
        for code in (0, 1):
            stand_in = Path(tools) / "gh"
            stand_in.write_text(f'#!/bin/sh\necho "$GH_HOST $GH_TOKEN $*" > {told}\necho "said\n::error::no"\nexit {code}\n')
            stand_in.chmod(0o755)
            with self.subTest(code=code):
                run = scratch.run(inputs | LOOPBACK | {"verify-attestation": "true", "allow-empty": "true"}, path=tools)
                self.assert_ends(run, *([1] if code else []))
                self.assertRegex(told.read_text(), rf"^github\.com {TOKEN} attestation verify /.*/{self.asset} --repo acme/lockgate "
                                 r"--signer-workflow acme/lockgate/\.github/workflows/release\.yml$")
                if code:
                    self.assert_one_command(run, "error", "its attestation was not verified", "said%0A::error::no")

    def without(self, *names: str) -> str:
        """A PATH with the programs of this machine, but for these."""
        tools = self.folder / "tools"
        if not tools.exists():
            tools.mkdir()
            for place in os.environ["PATH"].split(os.pathsep):
                for program in Path(place).iterdir() if Path(place).is_dir() else ():
                    if program.name not in names and not (tools / program.name).exists():
                        (tools / program.name).symlink_to(program)
        return str(tools)


# The source build of a test need not be a fast program.
QUICK = {
    "CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16", "CARGO_TERM_COLOR": "never",
}

if sys.version_info < (3, 11):
    raise SystemExit("tests/action: Python 3.11 or later is needed")
