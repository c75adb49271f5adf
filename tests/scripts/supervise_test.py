"""The supervisor of scripts/fuzz, with engines that are shell scripts: counts, findings, restarts, the table, ctrl-C.

Each test has a tree of its own with build/fuzz/bin/<target>_fuzz, which prints what libFuzzer would.
"""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"
sys.path.insert(0, str(SCRIPTS))
import supervise  # noqa: E402

QUIET = """
    echo '#1000 NEW    cov: 77 ft: 90 corp: 5/100b'
    sleep 1
    echo 'stat::number_of_executed_units: 1234'
"""

# Finds something at once, and leaves a file as libFuzzer does.
FINDS = """
    echo '#10 NEW    cov: 9 ft: 9 corp: 1/1b'
    echo 'violation: prefetch_d overwrote a page'
    echo '  what      page-ownership, dispatch_cb'
    echo '==1== ERROR: libFuzzer: deadly signal'
    echo 'stat::number_of_executed_units: 11'
    for word in "$@"; do case $word in -artifact_prefix=*) echo x >"${word#*=}crash-00"; esac; done
    sleep 0.3
    exit 77
"""

BROKEN = """
    echo 'unknown fault "x"'
    exit 2
"""


class SuperviseTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        (self.root / "fuzz_targets").mkdir()
        (self.root / "build/fuzz/bin").mkdir(parents=True)
        self.addCleanup(self.folder.cleanup)
        self.saved = supervise.ROOT
        supervise.ROOT = self.root
        self.addCleanup(setattr, supervise, "ROOT", self.saved)

    def engine(self, target, script):
        (self.root / "fuzz_targets" / (target + "_fuzz.cpp")).touch()
        binary = self.root / "build/fuzz/bin" / (target + "_fuzz")
        binary.write_text("#!/bin/bash\n" + textwrap.dedent(script))
        binary.chmod(0o755)

    def run_main(self, *arguments):
        """(exit code, standard output, standard error)"""
        out, err = io.StringIO(), io.StringIO()
        saved = sys.argv
        sys.argv = ["supervise.py", *arguments]
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                try:
                    code = supervise.main()
                except SystemExit as leave:
                    code = leave.code
        finally:
            sys.argv = saved
        return code, out.getvalue(), err.getvalue()

    def test_quiet_targets_are_counted_and_nothing_was_found(self):
        self.engine("first", QUIET)
        self.engine("second", QUIET)
        code, out, _ = self.run_main("--seconds", "2", "--jobs", "2", "--seed", "5")
        self.assertEqual(code, 0)
        self.assertIn("seed 5", out)
        rows = [line.split() for line in out.splitlines() if line.startswith(("first", "second"))]
        self.assertEqual([(row[0], row[1], row[3], row[4]) for row in rows], [("first", "2468", "77", "0"), ("second", "2468", "77", "0")])
        self.assertIn("nothing was found", out)

    def test_finding_is_told_once_and_the_next_seed_goes_on(self):
        self.engine("first", FINDS)
        code, out, _ = self.run_main("--seconds", "2", "--jobs", "1", "--seed", "7", "--fault", "")
        self.assertEqual(code, 1)
        self.assertEqual(out.count("FOUND by first: violation: prefetch_d overwrote a page"), 1)
        self.assertIn("build/fuzz/bin/cqfuzz run build/fuzz/fuzzing/first/findings/first-seed7-crash-00", out)
        findings = self.root / "build/fuzz/fuzzing/first/findings"
        self.assertTrue((findings / "first-seed8-crash-00").exists())
        report = (findings / "first-seed7-crash-00.txt").read_text()
        self.assertEqual(report, "violation: prefetch_d overwrote a page\n  what      page-ownership, dispatch_cb\n")
        self.assertRegex(out, r"first: \d+ × page-ownership, dispatch_cb")

    def test_engine_that_will_not_run_ends_it(self):
        self.engine("first", BROKEN)
        code, _, err = self.run_main("--seconds", "5", "--jobs", "1")
        self.assertEqual(code, 3)
        self.assertIn('unknown fault "x"', err)

    def test_ctrl_c_ends_with_the_table(self):
        self.engine("first", "trap 'kill $!; exit 72' INT\nsleep 60 &\nwait")
        driver = (
            "import sys; sys.path.insert(0, %r); import supervise; from pathlib import Path;"
            "supervise.ROOT = Path(%r); sys.argv = ['x', '--seconds', '60', '--jobs', '2']; sys.exit(supervise.main())"
        ) % (str(SCRIPTS), str(self.root))
        process = subprocess.Popen([sys.executable, "-B", "-c", driver], stdout=subprocess.PIPE, text=True)
        self.assertIn("fuzzing first", process.stdout.readline())
        logs = self.root / "build/fuzz/fuzzing/first"
        while not (logs / "job1.log").exists():
            pass
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertIn("interrupted", out)
        self.assertIn("per second", out)


if __name__ == "__main__":
    unittest.main()
