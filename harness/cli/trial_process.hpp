// TrialProcess: one hunt trial in a child process, so that whatever it does to itself ends only
// that trial.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cqfuzz::cli {

// What a trial tells its parent.
struct TrialOutcome {
    bool found = false;
    bool lost = false;  // the child ended without telling anything; `verdict` and `summary` say how
    bool interrupted = false;  // before it found anything
    std::uint64_t scenarios = 0;
    std::uint64_t moves = 0;
    std::uint64_t fault_reached = 0;
    std::string verdict;
    std::string signature;
    std::string summary;
    std::string scenario;  // encoded
    std::string reach;     // the table, when it was asked for
    std::string result;    // a line of JSON, of a campaign
    std::string known;     // how often each known finding was met: numbers with a blank behind
};

// Counts of scenarios that children raise and the parent reads.
class SharedCounts {
public:
    explicit SharedCounts(std::size_t count);
    ~SharedCounts();
    SharedCounts(const SharedCounts&) = delete;
    SharedCounts& operator=(const SharedCounts&) = delete;

    void set(std::size_t index, std::uint64_t value);
    std::uint64_t sum() const;

private:
    std::uint64_t* words_ = nullptr;
    std::size_t count_ = 0;
};

// Runs `trial(k)` for k in [0, trials) in child processes, `jobs` at a time. `done(k, outcome)`
// and, a few times a second, `tick()` are called in the parent. False from `tick` interrupts the
// children; trials not begun are left out. Children end with their parent.
void run_trials(std::uint32_t trials, std::uint32_t jobs,
                const std::function<TrialOutcome(std::uint32_t)>& trial,
                const std::function<void(std::uint32_t, const TrialOutcome&)>& done,
                const std::function<bool()>& tick);

}  // namespace cqfuzz::cli
