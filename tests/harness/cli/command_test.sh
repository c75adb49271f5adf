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
contains err '"dance"'
expect 2 hunt none --seed -1; one_line_error
expect 2 hunt no-such-fault; one_line_error
expect 2 stress llama-decode --chips 3; one_line_error
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

# What is no regular file is neither waited for, nor read without end, nor replaced.
mkfifo pipe
: >empty
for odd in pipe /dev/zero /dev/null /proc/self/mem empty; do
    expect 2 run "$odd"; one_line_error
done
expect 2 convert "$seed" -o pipe; one_line_error
[ -p pipe ] || { echo "-o replaced a pipe"; failed=1; }
ln -s again.toml link.toml
expect 0 convert "$seed" -o link.toml
[ -L link.toml ] || { echo "-o replaced a link"; failed=1; }

# Output that is lost is no success.
for command in --help faults "convert $seed" "run $seed --json" "fingerprint $seed"; do
    # shellcheck disable=SC2086
    for to in full closed; do
        got=0
        if [ "$to" = full ]; then "$cqfuzz" $command >/dev/full 2>err || got=$?; else "$cqfuzz" $command >&- 2>err || got=$?; fi
        : >out
        [ "$got" = 2 ] || { echo "$command, output $to: exit code $got, not 2"; failed=1; }
        one_line_error
    done
done

# The replay line replays; a case that ends otherwise than it says is told of.
hang=$corpus/trace_replay/regression/llama_trace_hang.toml
cp "$hang" "it's one.toml"
expect 10 run "it's one.toml" --fault late-orphan-write --order O1 --moves-max 30000000
contains out "cqfuzz run 'it'..'s one.toml' --fault late-orphan-write --order O1 --moves-max 30000000"
sed 's/^expected = .*/expected = "hang"/' "$seed" >hang.toml
expect 0 run hang.toml
contains err 'the case expects hang'
expect 0 convert hang.toml -o encoded_again
contains err 'expected = "hang"'
printf '# \033[31mtitle\n' >escape.toml
cat "$seed" >>escape.toml
expect 0 run escape.toml
grep -q "$(printf '\033')" out && { echo "an escape sequence came through"; failed=1; }
printf 'format = 1\nfault = "nothing"\n' >fault.toml
for command in run fingerprint "diff $seed" convert; do
    # shellcheck disable=SC2086
    expect 2 $command fault.toml
    contains err 'fault.toml:2: unknown fault'
done

# interrupted ARGUMENTS…: told so, and 130, soon after a signal. TERM, for a shell lets what it starts with & ignore INT.
interrupted() {
    local got=0 process
    "$cqfuzz" "$@" >out 2>err &
    process=$!
    until grep -Eq '^SigCgt:.*[4-7c-f][0-9a-f]{3}$' "/proc/$process/status"; do sleep 0.01; done
    sleep 0.05
    kill -TERM "$process"
    wait "$process" || got=$?
    [ "$got" = 130 ] || { echo "cqfuzz $*, interrupted: exit code $got, not 130"; cat out err; failed=1; }
    contains err '^cqfuzz: interrupted$'
}
interrupted run "$hang" --schedule-seeds 1000000
interrupted stress llama-decode --iterations 100000 --json
contains out '"verdict": "interrupted"'
interrupted hunt none --trials 2 --jobs 1 --scenarios-max 10000000
contains out 'interrupted'
interrupted minimize "$hang" --fault late-orphan-write --runs-max 10000000 -o interrupted.toml

expect 0 faults
contains out 'late-orphan-packed'
expect 0 faults --json
contains out '"late-orphan-write"'
expect 0 faults --markdown
contains out '^| `late-orphan-packed` |'

# The files beside the text.
expect 10 run "$hang" --fault late-orphan-write --html p.html --perfetto p.json --sarif p.sarif --junit p.xml --commands p.txt
contains p.html '<title>cqfuzz report</title>'
contains p.json '"traceEvents"'
contains p.sarif '"ruleId": "page-ownership/released-too-early"'
contains p.xml '<failure type="page-ownership/released-too-early'
contains p.txt '^# EXEC_BUF$'
expect 2 run "$seed" --html no/such/folder/p.html
contains err 'no/such/folder/p.html: cannot be written'
expect 10 explain "$hang" --fault late-orphan-write -o explained
contains out 'page-ownership/released-too-early'
contains explained/llama_trace_hang.html 'WRITE_PACKED'
expect 10 run explained/llama_trace_hang.small.toml
expect 0 explain "$hang" -o explained
contains out 'nothing to explain'
expect 0 keep "$hang" --fault late-orphan-write -o kept.toml
contains kept.toml '^expected = "violation"'
expect 10 run kept.toml
expect 0 keep "$hang" --title 'A sentence.' -o kept.toml
contains kept.toml '^# A sentence.$'
expect 0 run kept.toml
mkdir -p crashes
cp kept.toml crashes/passes.toml
"$cqfuzz" keep "$hang" --fault late-orphan-write -o crashes/a.toml >/dev/null
cp crashes/a.toml crashes/b.toml
expect 10 triage crashes -o triaged
contains out '^     2  page-ownership/released-too-early'
contains out '^     1  pass'
[ "$(find triaged -name '*.toml' | wc -l)" = 1 ] || { echo "triage left $(ls triaged)"; failed=1; }
expect 0 minimize "$hang" --fault late-orphan-write -o small.toml --gtest small_test.cpp
contains small_test.cpp 'TEST(RegressionTest, Reproduces)'

expect 0 stress llama-decode --layers 1 --iterations 1
contains out 'pass: llama-decode'
expect 0 hunt none --trials 2 --scenarios-max 20
contains out 'found in 0 of 2 trials'
expect 0 hunt no-sentinel --scenarios-max 100 --keep new/folder
[ -s new/folder/no-sentinel-1.toml ] || { echo "--keep left $(ls new/folder)"; failed=1; }
expect 2 hunt no-sentinel --keep "$seed"; one_line_error

expect 0 coverage trace_replay --scenarios 20 --html coverage.html
contains out '^20 scenarios; '
contains coverage.html '<title>cqfuzz coverage</title>'
expect 0 coverage "$seed"
contains out '^1 scenarios; '
expect 2 coverage no/such/folder; one_line_error

# What is known is counted and passed over; a hunt and a triage with nothing else are successes.
expect 10 triage crashes -o triaged
sed -n 's/^ *2  \(page-ownership.*\)/\1/p' out >signature
{ echo '# seen, and waits'; cat signature; printf '# gone\nhang|nothing|nobody|\n'; } >known
expect 0 triage crashes -o triaged --known known
contains out '^       2  page-ownership.*: seen, and waits$'
contains out '^   never  hang|nothing|nobody|: gone'
expect 0 hunt none --scenarios-max 20 --known known --stats-json stats.json
contains out '^0 findings are known$'
contains stats.json '"running": false, .*"scenarios": 20,'
expect 2 hunt none --known "$seed"; one_line_error

# A compiler's words come line by line, as it said them.
mkdir broken
printf '#include "dataflow_api.h"\nvoid kernel_main() { nothing(); }\n' >broken/kernel.cpp
printf '[[role]]\nname = "dispatch_hd"\nsources = ["kernel.cpp"]\n[[geometry]]\nname = "plain"\n' >broken/manifest.toml
expect 2 host build broken/manifest.toml --cache objects
contains err 'broken/kernel.cpp:2:[0-9]*: error: .*nothing'
contains err '^void kernel_main() { nothing(); }$'
exit "$failed"
