#include "harness/cli/trial_process.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>

#include "harness/base/check.hpp"
#include "harness/base/violation.hpp"
#include "harness/cli/terminal.hpp"

namespace cqfuzz::cli {

namespace {

constexpr int kTickMilliseconds = 100;

struct Child {
    std::uint32_t trial = 0;
    pid_t pid = 0;
    int pipe = -1;
    std::string told;
};

// A record: each field as its length in eight bytes, then its bytes. Parent and child are the same
// program.
void put(std::string& out, const std::string& field) {
    const std::uint64_t length = field.size();
    char prefix[sizeof length];
    std::memcpy(prefix, &length, sizeof length);
    out.append(prefix, sizeof length);
    out += field;
}

bool take(const std::string& in, std::size_t& at, std::string& field) {
    std::uint64_t length = 0;
    if (in.size() - at < sizeof length) return false;
    std::memcpy(&length, in.data() + at, sizeof length);
    at += sizeof length;
    if (in.size() - at < length) return false;
    field = in.substr(at, length);
    at += length;
    return true;
}

std::string record_of(const TrialOutcome& o) {
    std::string out;
    for (const std::uint64_t number : {std::uint64_t{o.found}, std::uint64_t{o.interrupted},
                                       o.scenarios, o.moves, o.fault_reached}) {
        put(out, std::to_string(number));
    }
    for (const std::string* text :
         {&o.verdict, &o.signature, &o.summary, &o.scenario, &o.reach, &o.result, &o.known})
        put(out, *text);
    return out;
}

TrialOutcome outcome_of(const std::string& record, int status) {
    TrialOutcome o;
    std::size_t at = 0;
    std::array<std::string, 5> numbers;
    bool whole = true;
    for (std::string& number : numbers) whole = whole && take(record, at, number);
    for (std::string* text :
         {&o.verdict, &o.signature, &o.summary, &o.scenario, &o.reach, &o.result, &o.known}) {
        whole = whole && take(record, at, *text);
    }
    if (!whole) {
        o = TrialOutcome{};
        o.lost = true;
        o.verdict = name_of(VerdictKind::harness_fault);
        o.summary =
            WIFSIGNALED(status)
                ? fmt::format("the trial's process was ended by signal {}", WTERMSIG(status))
                : fmt::format("the trial's process ended with code {}", WEXITSTATUS(status));
        return o;
    }
    o.found = numbers[0] == "1";
    o.interrupted = numbers[1] == "1";
    o.scenarios = std::stoull(numbers[2]);
    o.moves = std::stoull(numbers[3]);
    o.fault_reached = std::stoull(numbers[4]);
    return o;
}

void write_all(int pipe, const std::string& bytes) {
    std::size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = write(pipe, bytes.data() + at, bytes.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        at += static_cast<std::size_t>(n);
    }
}

Child start(std::uint32_t trial, const std::function<TrialOutcome(std::uint32_t)>& run) {
    int ends[2];
    CHECK(pipe(ends) == 0, "no pipe for a trial: %s", std::strerror(errno));
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    CHECK(pid >= 0, "no process for a trial: %s", std::strerror(errno));
    if (pid == 0) {
        catch_interrupts_in_child(parent);
        close(ends[0]);
        write_all(ends[1], record_of(run(trial)));
        // Without destructors and leak checks of what the parent owns.
        _exit(0);
    }
    close(ends[1]);
    return Child{trial, pid, ends[0], {}};
}

// True when the child has told everything.
bool read_some(Child& child) {
    char buffer[65536];
    const ssize_t n = read(child.pipe, buffer, sizeof buffer);
    if (n > 0) child.told.append(buffer, static_cast<std::size_t>(n));
    return n == 0 || (n < 0 && errno != EINTR);
}

TrialOutcome reap(const Child& child) {
    close(child.pipe);
    int status = 0;
    while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    return outcome_of(child.told, status);
}

}  // namespace

SharedCounts::SharedCounts(std::size_t count) : count_(count) {
    void* memory = mmap(nullptr, count * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED, "no shared memory: %s", std::strerror(errno));
    words_ = static_cast<std::uint64_t*>(memory);
}

SharedCounts::~SharedCounts() { munmap(words_, count_ * sizeof(std::uint64_t)); }

void SharedCounts::set(std::size_t index, std::uint64_t value) {
    std::atomic_ref(words_[index]).store(value, std::memory_order_relaxed);
}

std::uint64_t SharedCounts::sum() const {
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < count_; ++i)
        total += std::atomic_ref(words_[i]).load(std::memory_order_relaxed);
    return total;
}

void run_trials(std::uint32_t trials, std::uint32_t jobs,
                const std::function<TrialOutcome(std::uint32_t)>& trial,
                const std::function<void(std::uint32_t, const TrialOutcome&)>& done,
                const std::function<bool()>& tick) {
    std::deque<Child> running;
    std::uint32_t next = 0;
    bool stopping = false;
    while (!running.empty() || (next < trials && !stopping)) {
        while (!stopping && next < trials && running.size() < jobs)
            running.push_back(start(next++, trial));
        std::vector<pollfd> waits;
        for (const Child& child : running) waits.push_back({child.pipe, POLLIN, 0});
        poll(waits.data(), waits.size(), kTickMilliseconds);
        for (std::size_t i = waits.size(); i-- > 0;) {
            if (waits[i].revents == 0 || !read_some(running[i])) continue;
            const Child child = std::move(running[i]);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            done(child.trial, reap(child));
        }
        if (!tick() && !stopping) {
            stopping = true;
            for (const Child& child : running)
                kill(child.pid, interrupted() ? interrupting_signal() : SIGTERM);
        }
    }
}

}  // namespace cqfuzz::cli
