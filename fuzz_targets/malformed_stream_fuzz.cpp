// Target malformed_stream: command streams in which some commands are broken: a word of the encoded
// bytes is another one.
//
// Surface: what firmware does with bytes that no encoder makes. Nearly everything is allowed: an
// assertion, a refused NoC transaction, a hang or livelock with its reason, a wrong write, the loss
// of the device. A finding is what no broken command explains (harness/run/broken_commands.hpp): an
// array of firmware overrun, a hang that nobody can explain, a fault or memory error of the harness.
// Cannot reach: what command_stream cannot.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::malformed_stream, "")
