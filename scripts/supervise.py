#!/usr/bin/env python3
"""Runs fuzz targets: one engine process a job, a shared working corpus, findings kept, a table at the end.

Started by scripts/fuzz, which sets up and builds. Exit codes: 0 nothing was found, 1 something was, 2 bad usage,
3 an engine process would not run.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HELP_WAS_PRINTED = 64  # for scripts/fuzz: leave without building

ENGINE_FLAGS = [
    "-timeout=25",
    "-rss_limit_mb=2560",
    "-max_len=16384",
    "-print_final_stats=1",
    "-reload=1",
]
STOPPED_BY_SIGINT = 72
GRACE_SECONDS = 40  # a run in progress may take its whole -timeout

PULSE = re.compile(rb"#(\d+)\s+\w+\s+cov: (\d+) ft: (\d+) corp: (\d+)")
EXECUTED = re.compile(rb"stat::number_of_executed_units:\s+(\d+)")
HEADLINE = re.compile(r"^(violation|hang|livelock|refused|harness_fault): .*$", re.MULTILINE)
WHAT = re.compile(r"^  what +(.*)$", re.MULTILINE)
ENGINE_ERROR = re.compile(r"^==\d+== ?ERROR: (.*)$", re.MULTILINE)


class Interrupted(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print("scripts/fuzz: %s (--help tells more)" % message, file=sys.stderr)
        sys.exit(2)


def all_targets():
    names = sorted(p.name[: -len("_fuzz.cpp")] for p in (ROOT / "fuzz_targets").glob("*_fuzz.cpp"))
    return [name for name in names if name != "canary"]


def parse_arguments():
    parser = Parser(
        prog="scripts/fuzz", description="Fuzz the dispatch runtime; ctrl-C ends it with the table."
    )
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="default: all (%s)" % ", ".join(all_targets()))
    parser.add_argument("--seconds", type=int, default=60, help="in all, split over the targets (default 60)")
    parser.add_argument("--fault", default="", help="turn a fault of the runtime on (`cqfuzz faults` lists them)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="engine processes (default: one per core)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first process (default: from the clock)")
    parser.add_argument("--preset", choices=["fuzz", "dev"], default="fuzz", help="dev: with sanitizers (default fuzz)")
    parser.add_argument("--fresh", action="store_true", help="start from the checked-in corpus alone")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    try:
        arguments = parser.parse_args()
    except SystemExit as leave:
        sys.exit(HELP_WAS_PRINTED if leave.code == 0 and "--check" in sys.argv else leave.code)
    for target in arguments.targets:
        if target not in all_targets():
            parser.error("unknown target %s; there are %s" % (target, ", ".join(all_targets())))
    arguments.targets = arguments.targets or all_targets()
    if arguments.seconds < len(arguments.targets):
        parser.error("--seconds must be at least one for each target")
    if arguments.jobs < 1:
        parser.error("--jobs must be at least 1")
    if not 0 <= arguments.seed < 2**31:
        parser.error("--seed must be from 0 to 2147483647")
    return arguments


class Job:
    """One engine process and what its log says."""

    def __init__(self, slot, number, seed, seconds):
        self.slot = slot
        self.number = number
        self.prefix = slot.findings / ("%s-seed%d-" % (slot.target, seed))
        self.log_path = slot.work / ("job%d.log" % number)
        self.log = open(self.log_path, "wb")
        command = [str(slot.binary), str(slot.corpus)]
        command += [str(d) for d in slot.seeds]
        command += ENGINE_FLAGS
        command += ["-seed=%d" % seed, "-max_total_time=%d" % max(1, seconds), "-artifact_prefix=%s" % self.prefix]
        environment = dict(os.environ)
        environment.pop("CQFUZZ_FAULT", None)
        if slot.fault:
            environment["CQFUZZ_FAULT"] = slot.fault
        # A session of its own, so that ctrl-C reaches it once, from us.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env=environment, start_new_session=True
        )

    def tail(self, size=65536):
        with open(self.log_path, "rb") as log:
            log.seek(0, os.SEEK_END)
            log.seek(max(0, log.tell() - size))
            return log.read()

    def figures(self):
        """(scenarios, edges) as far as the log tells."""
        tail = self.tail()
        pulses = PULSE.findall(tail)
        executed = EXECUTED.findall(tail)
        scenarios = int(executed[-1]) if executed else int(pulses[-1][0]) if pulses else 0
        return scenarios, int(pulses[-1][1]) if pulses else 0

    def artifacts(self):
        found = sorted(self.prefix.parent.glob(self.prefix.name + "*"))
        return [p for p in found if "slow-unit-" not in p.name and p.suffix != ".txt"]


class Slot:
    """One target's share of the time."""

    def __init__(self, arguments, target, seed):
        build = ROOT / "build" / arguments.preset
        self.target = target
        self.fault = arguments.fault
        self.preset = arguments.preset
        self.binary = build / "bin" / (target + "_fuzz")
        # Scenarios that a fault let through are kept apart from those of the sound runtime.
        self.work = build / "fuzzing" / (target + ("." + self.fault if self.fault else ""))
        if arguments.fresh:
            shutil.rmtree(self.work, ignore_errors=True)
        self.corpus = self.work / "corpus"
        self.findings = self.work / "findings"
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.findings.mkdir(exist_ok=True)
        # What once failed would fail at once with its fault, so that nothing else was ever found.
        parts = ["seed"] if self.fault else ["seed", "regression"]
        self.seeds = [d for d in (build / "corpus" / target / part for part in parts) if d.is_dir()]
        self.jobs_max = arguments.jobs
        self.seed = seed
        self.ended_scenarios = 0
        self.edges = 0
        self.kinds = {}  # what was found → how often
        self.jobs = []
        self.seconds = 0.0

    @property
    def found(self):
        return sum(self.kinds.values())

    def scenarios(self):
        total = self.ended_scenarios
        for job in self.jobs:
            scenarios, edges = job.figures()
            total += scenarios
            self.edges = max(self.edges, edges)
        return total

    def start_job(self, number, seconds):
        job = Job(self, number, self.seed, seconds)
        self.seed = (self.seed + 1) % 2**31
        self.jobs.append(job)

    def end_job(self, job):
        job.process.wait()
        job.log.close()
        scenarios, edges = job.figures()
        self.ended_scenarios += scenarios
        self.edges = max(self.edges, edges)
        self.jobs.remove(job)

    def run(self, seconds, screen):
        begin = time.monotonic()
        try:
            for number in range(self.jobs_max):
                self.start_job(number, seconds)
            while self.jobs:
                time.sleep(0.2)
                self.look_after(begin, seconds, screen)
        except KeyboardInterrupt:
            raise Interrupted from None
        finally:
            self.stop_all()
            self.seconds = time.monotonic() - begin
            screen.clear()

    def look_after(self, begin, seconds, screen):
        passed = time.monotonic() - begin
        for job in list(self.jobs):
            code = job.process.poll()
            if code is None:
                if passed > seconds + GRACE_SECONDS:
                    job.process.kill()
                continue
            self.end_job(job)
            if code not in (0, STOPPED_BY_SIGINT):
                self.keep_finding(job, code, screen)
            left = int(seconds - passed)
            if left >= 1:
                self.start_job(job.number, left)
        total = self.scenarios()
        screen.show(
            "%s  %d / %d s  %d scenarios  %.0f/s  coverage %d  findings %d"
            % (self.target, passed, seconds, total, total / max(passed, 0.1), self.edges, self.found)
        )

    def keep_finding(self, job, code, screen):
        artifacts = job.artifacts()
        text = job.tail(1 << 20).decode("utf-8", "replace")
        if not artifacts:
            screen.clear()
            print("%s ended with code %d and found nothing; its last words:" % (self.binary.name, code), file=sys.stderr)
            print("\n".join(text.splitlines()[-15:]), file=sys.stderr)
            self.stop_all()
            sys.exit(3)
        headline = HEADLINE.search(text)
        what = WHAT.search(text)
        error = ENGINE_ERROR.search(text)
        kind = what.group(1) if what else headline.group(0) if headline else error.group(1) if error else "code %d" % code
        report = text[headline.start() :] if headline else "\n".join(text.splitlines()[-200:])
        end = report.find("\n==")
        Path(str(artifacts[0]) + ".txt").write_text(report[: end + 1] if headline and end > 0 else report)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self.kinds[kind] > 1:
            return  # told already
        screen.clear()
        print("FOUND by %s: %s" % (self.target, headline.group(0) if headline else kind))
        replay = "build/%s/bin/cqfuzz run %s" % (self.preset, artifacts[0].relative_to(ROOT))
        print("    %s%s" % (replay, " --fault " + self.fault if self.fault else ""), flush=True)

    def stop_all(self):
        for job in self.jobs:
            if job.process.poll() is None:
                job.process.send_signal(signal.SIGINT)
        deadline = time.monotonic() + 5
        for job in list(self.jobs):
            try:
                job.process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                job.process.kill()
            self.end_job(job)


class Screen:
    """One line that is drawn again and again; every ten seconds a line of its own where there is no terminal."""

    def __init__(self):
        self.terminal = sys.stdout.isatty()
        self.drawn = False
        self.next = time.monotonic() + 10

    def show(self, line):
        if self.terminal:
            width = shutil.get_terminal_size().columns
            sys.stdout.write("\r\x1b[2K" + line[: width - 1])
            sys.stdout.flush()
            self.drawn = True
        elif time.monotonic() >= self.next:
            self.next = time.monotonic() + 10
            print(line, flush=True)

    def clear(self):
        if self.drawn:
            sys.stdout.write("\r\x1b[2K")
            sys.stdout.flush()
        self.drawn = False


def print_table(slots):
    rows = [("target", "scenarios", "per second", "coverage", "findings")]
    for slot in slots:
        found = str(slot.found) if len(slot.kinds) < 2 else "%d (%d kinds)" % (slot.found, len(slot.kinds))
        per_second = "%.0f" % (slot.ended_scenarios / max(slot.seconds, 0.1))
        rows.append((slot.target, str(slot.ended_scenarios), per_second, str(slot.edges), found))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join(cells))
    for slot in slots:
        for kind, count in sorted(slot.kinds.items()):
            print("%s: %d × %s" % (slot.target, count, kind))
    if not any(slot.kinds for slot in slots):
        print("nothing was found")


def check_fault(arguments):
    if not arguments.fault:
        return
    cli = ROOT / "build" / arguments.preset / "bin" / "cqfuzz"
    listed = json.loads(subprocess.run([cli, "faults", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    names = [entry["name"] for entry in listed["faults"] + listed["groups"]]
    if arguments.fault not in names:
        print("scripts/fuzz: unknown fault %s; there are %s" % (arguments.fault, ", ".join(names)), file=sys.stderr)
        sys.exit(2)


def main():
    arguments = parse_arguments()
    if arguments.check:
        return 0
    check_fault(arguments)
    seed = arguments.seed or int(time.time()) % 2**31
    print(
        "fuzzing %s for %d s in all, %d jobs, seed %d%s"
        % (
            ", ".join(arguments.targets),
            arguments.seconds,
            arguments.jobs,
            seed,
            ", fault " + arguments.fault if arguments.fault else "",
        ),
        flush=True,
    )
    slots = []
    screen = Screen()
    share = arguments.seconds / len(arguments.targets)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for target in arguments.targets:
            slots.append(Slot(arguments, target, seed))
            slots[-1].run(share, screen)
    except Interrupted:
        print("interrupted")
    print_table(slots)
    return 1 if any(slot.kinds for slot in slots) else 0


if __name__ == "__main__":
    sys.exit(main())
