#!/bin/bash -eu
# The same build as OSS-Fuzz's.
exec bash -eu "$PWD/oss-fuzz/build.sh"
