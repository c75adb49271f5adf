"""The files that continuous fuzzing reads, held to the rules that its own checks have.

Usage: oss_fuzz_files_test.py SOURCE_FOLDER
"""

import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(sys.argv[1])
SECTIONS = {"homepage", "language", "primary_contact", "main_repo", "base_os_version", "sanitizers", "architectures",
            "fuzzing_engines", "auto_ccs", "vendor_ccs", "builds_per_day", "labels", "help_url"}
APACHE = "http://www.apache.org/licenses/LICENSE-2.0"
wrong = []


def expect(holds, message):
    if not holds:
        wrong.append(message)


def text_of(path):
    return (ROOT / path).read_text()


project = yaml.safe_load(text_of("oss-fuzz/project.yaml"))
expect(set(project) <= SECTIONS, f"project.yaml: unknown sections {set(project) - SECTIONS}")
expect({"homepage", "language", "primary_contact", "main_repo"} <= set(project), "project.yaml: a required section is missing")
expect(project["language"] == "c++", "project.yaml: language")
expect(project["base_os_version"] == "ubuntu-24-04", "project.yaml: the default image is too old for C++20")
expect("libfuzzer" in project["fuzzing_engines"], "project.yaml: libfuzzer is mandatory")
expect(re.fullmatch(r"[^@]+@[^@]+\.[^@]+", project["primary_contact"]), "project.yaml: primary_contact is no address")
for name in ("Dockerfile", "build.sh"):
    expect(APACHE in text_of(f"oss-fuzz/{name}"), f"oss-fuzz/{name}: no Apache header")
for folder in ("oss-fuzz", ".clusterfuzzlite"):
    docker = text_of(f"{folder}/Dockerfile")
    expect(docker.count("FROM gcr.io/oss-fuzz-base/base-builder") == 1, f"{folder}/Dockerfile: base image")
    expect(not re.search(r"RUN apt(-get)? install", docker), f"{folder}/Dockerfile: install without an update before it")
build = text_of("oss-fuzz/build.sh")
expect("-lFuzzingEngine" not in build and "-fsanitize=" not in build, "build.sh: flags come from the environment")
expect(yaml.safe_load(text_of(".clusterfuzzlite/project.yaml")) == {"language": "c++"}, ".clusterfuzzlite/project.yaml")
expect("build/" in text_of(".dockerignore"), ".dockerignore: build/ would be copied into the image")

MODES = {"cflite_pr.yml": {"code-change"}, "cflite_batch.yml": {"batch"}, "cflite_cron.yml": {"prune", "coverage"},
         "cflite_build.yml": set()}
for name, modes in MODES.items():
    workflow = yaml.safe_load(text_of(f".github/workflows/{name}"))
    expect(workflow["permissions"] == "read-all", f"{name}: permissions")
    # YAML 1.1 reads the key `on` as true.
    expect(True in workflow, f"{name}: no trigger")
    seen = set()
    for job in workflow["jobs"].values():
        sanitizers = [step["with"].get("sanitizer", "address") for step in job["steps"]]
        expect(len(set(sanitizers)) == 1, f"{name}: built with one sanitizer, run with another")
        for step in job["steps"]:
            expect(re.fullmatch(r"google/clusterfuzzlite/actions/(build|run)_fuzzers@v1", step["uses"]), f"{name}: action")
            if "run_fuzzers" in step["uses"]:
                seen.add(step["with"]["mode"])
                expect("github-token" in step["with"], f"{name}: run_fuzzers wants a token")
            else:
                expect(step["with"]["language"] == "c++", f"{name}: language")
    expect(seen == modes, f"{name}: modes {seen}")
expect("scripts/test" in text_of(".github/workflows/ci.yml"), "ci.yml runs scripts/test")

for line in wrong:
    print(line)
sys.exit(1 if wrong else 0)
