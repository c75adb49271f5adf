#!/usr/bin/env bash
# The scripts: they parse, and mistakes in their arguments are told in one line, from any folder, before anything is built.
# Usage: scripts_test.sh SOURCE_FOLDER
set -u
scripts=$1/scripts
failed=0
cd / || exit 1

for script in setup fuzz test afl coverage hunt ../oss-fuzz/build.sh ../.clusterfuzzlite/build.sh ../.ci/run; do
    bash -n "$scripts/$script" || failed=1
    [ -x "$scripts/$script" ] || { echo "$script is not executable"; failed=1; }
done

# refuses WORD COMMAND…: exit code 2 and one line that holds WORD.
refuses() {
    local word=$1 code=0 text
    shift
    text=$("$@" 2>&1 >/dev/null) || code=$?
    if [ "$code" != 2 ] || [ "$(wc -l <<<"$text")" != 1 ] || ! grep -q -- "$word" <<<"$text"; then
        echo "$*: exit code $code, said: $text"
        failed=1
    fi
}

refuses no_such_target python3 -B "$scripts/supervise.py" no_such_target
refuses --seconds python3 -B "$scripts/supervise.py" --seconds 0
refuses --seconds python3 -B "$scripts/supervise.py" --seconds soon
refuses --jobs python3 -B "$scripts/supervise.py" --jobs 0
refuses --preset "$scripts/fuzz" --preset nothing
refuses --smoke-seconds "$scripts/test" --smoke-seconds never
refuses --nonsense "$scripts/test" --nonsense
refuses no_such_target "$scripts/afl" no_such_target
refuses --seconds "$scripts/afl" trace_replay --seconds soon
refuses --nonsense "$scripts/coverage" --nonsense
refuses --nonsense "$scripts/hunt" --nonsense
refuses --budget-minutes "$scripts/hunt" --budget-minutes never
"$scripts/test" --help | grep -q 'Usage' || { echo "scripts/test --help says nothing"; failed=1; }
exit "$failed"
