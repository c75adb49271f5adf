// The commands, one .cpp each. Each returns the exit code of the process.
#pragma once

#include "harness/cli/arguments.hpp"

namespace cqfuzz::cli {

int command_run(const RunArguments& arguments);
int command_diff(const DiffArguments& arguments);
int command_stress(const StressArguments& arguments);
int command_hunt(const HuntArguments& arguments);
int command_hunt_all(const HuntArguments& arguments);  // FAULT is "all"
int command_minimize(const MinimizeArguments& arguments);
int command_convert(const ConvertArguments& arguments);
int command_fingerprint(const FingerprintArguments& arguments);
int command_faults(const FaultsArguments& arguments);
int command_explain(const ExplainArguments& arguments);
int command_host(const HostArguments& arguments);
int command_keep(const KeepArguments& arguments);
int command_triage(const TriageArguments& arguments);
int command_seed(const SeedArguments& arguments);
int command_corpus(const CorpusArguments& arguments);
int command_coverage(const CoverageArguments& arguments);

}  // namespace cqfuzz::cli
