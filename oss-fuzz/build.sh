#!/bin/bash -eu
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#      http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
#
# Builds every fuzz target but the canary, by the contract of OSS-Fuzz and ClusterFuzzLite: compiler, flags and engine
# come from the environment, results go to $OUT. Runs in the project's root.
#
# CQFUZZ_TARGETS, a space-separated list without the ending _fuzz, narrows what is built.

root=$PWD
targets=${CQFUZZ_TARGETS:-}
if [ -z "$targets" ]; then
    for source in "$root"/fuzz_targets/*_fuzz.cpp; do
        name=$(basename "$source" _fuzz.cpp)
        [ "$name" = canary ] || targets="$targets $name"
    done
fi

# The seeds are TOML in the repository; the tool that encodes them must not be instrumented.
corpora=
for target in $targets; do corpora="$corpora corpus_$target"; done
env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u LIB_FUZZING_ENGINE cmake -S "$root" -B "$WORK/tools" -G Ninja \
    -DCMAKE_CXX_COMPILER=g++ -DCQFUZZ_ENGINE=replay -DCQFUZZ_TESTS=OFF -DCQFUZZ_OPTIMISATION=-O1
# shellcheck disable=SC2086
cmake --build "$WORK/tools" --target $corpora

programs=
for target in $targets; do programs="$programs ${target}_fuzz"; done
cmake -S "$root" -B "$WORK/targets" -G Ninja -DCQFUZZ_ENGINE=external -DCQFUZZ_TESTS=OFF -DCQFUZZ_OPTIMISATION=
# shellcheck disable=SC2086
cmake --build "$WORK/targets" --target $programs

for target in $targets; do
    cp "$WORK/targets/bin/${target}_fuzz" "$OUT/"
    cp "$root/oss-fuzz/default.options" "$OUT/${target}_fuzz.options"
    archive=$OUT/${target}_fuzz_seed_corpus.zip
    rm -f "$archive"
    (cd "$WORK/tools/corpus/$target" && zip -q -r "$archive" .)
done
