#!/usr/bin/env bash
# The `cqfuzz` command as a person meets it: exit codes, one-line messages, files that are whole or not there.
# Usage: command_test.sh CQFUZZ SOURCE_FOLDER
set -u
cqfuzz=$1
corpus=$2/corpus
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0

# expect CODE ARGUMENTS…: the exit code; standard output and error stay in out and err.
expect() {
    local want=$1 got=0
    shift
    "$cqfuzz" "$@" >out 2>err || got=$?
    if [ "$got" != "$want" ]; then
        echo "cqfuzz $*: exit code $got, not $want"
        cat out err
        failed=1
    fi
}

one_line_error() {
    if [ "$(wc -l <err)" != 1 ] || [ -s out ]; then
        echo "not one clear line: $(cat out err)"
        failed=1
    fi
}

contains() {
    grep -q -- "$2" "$1" || { echo "$1 does not hold \"$2\":"; cat "$1"; failed=1; }
}

expect 0 --version
contains out '^cqfuzz [0-9]'
expect 0 --help
for command in run diff stress hunt minimize convert fingerprint faults; do
    contains out "$command"
    expect 0 "$command" --help
    expect 0 --help
done

printf 'no case at all' >nonsense.toml
expect 2 run missing.toml; one_line_error
expect 2 run nonsense.toml; one_line_error
expect 2 run "$folder"; one_line_error
expect 2 dance; one_line_error
expect 2 hunt no-such-fault; one_line_error
expect 2 stress llama-decode --chips 8; one_line_error
expect 2 convert nonsense.toml -o new; one_line_error
[ -e new ] && { echo "convert left a file behind"; failed=1; }

seed=$(find "$corpus/trace_replay/seed" -name '*.toml' | sort | head -n 1)
expect 0 run "$seed"
expect 0 run "$seed" --twice
expect 0 run "$seed" --json
contains out '"verdict": "pass"'
expect 0 run "$seed" --schedule-seeds 3
contains out '3  pass'
expect 2 run "$seed" --fault no-such-fault; one_line_error
expect 2 run "$seed" --without-oracle no-such-oracle; one_line_error
contains err 'page-ownership'
expect 2 minimize "$seed" -o small.toml; one_line_error
[ -e small.toml ] && { echo "minimize left a file behind"; failed=1; }

expect 0 convert "$seed" -o encoded
expect 0 convert encoded -o again.toml
expect 0 convert again.toml -o encoded_again
cmp encoded encoded_again || failed=1
expect 0 diff "$seed" encoded
contains out 'the runs are the same'
expect 0 fingerprint "$seed" encoded
[ "$(cut -d' ' -f1 out | sort -u | wc -l)" = 1 ] || { echo "two forms, two fingerprints"; cat out; failed=1; }

expect 0 faults
contains out 'late-orphan-packed'
expect 0 faults --json
contains out '"late-orphan-write"'
expect 0 faults --markdown
contains out '^| `late-orphan-packed` |'

expect 0 stress llama-decode --layers 1 --iterations 1
contains out 'pass: llama-decode'
expect 0 hunt none --trials 2 --scenarios-max 20
contains out 'found in 0 of 2 trials'
exit "$failed"
