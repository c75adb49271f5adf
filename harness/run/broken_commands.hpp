// Which verdicts a broken command explains (scenario/commands.hpp, CommandCorrupt).
#pragma once

#include "harness/base/violation.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

bool has_broken_commands(const Scenario& scenario);

// Firmware may do much with bytes that no encoder makes: assert, send what the NoC refuses, write
// where it should not, take pages that are not its own, wait for ever, go round for ever. It may not
// write past the end of its own arrays; and whoever waits has to be told why. Those, and whatever is
// the harness's own fault, no command explains.
bool explained_by_broken_commands(const Scenario& scenario, const Verdict& verdict);

}  // namespace cqfuzz
