#include "harness/run/reach.hpp"

#include <cstdio>

#include "runtime_under_test/protocol/commands.hpp"

namespace cqfuzz {
namespace {

constexpr std::string_view kPhaseNames[kReachPhases] = {"first", "middle", "last", "only"};
constexpr std::string_view kEndNames[kReachEnds] = {"within", "at-end", "over-one", "over-more",
                                                    "over-ring"};

std::uint32_t phase_of(std::uint32_t page_in_block, std::uint32_t pages_per_block) {
    if (pages_per_block == 1) return 3;
    if (page_in_block == 0) return 0;
    return page_in_block + 1 == pages_per_block ? 2 : 1;
}

bool is_dispatcher(Role role) {
    return role == Role::dispatch_hd || role == Role::dispatch_d || role == Role::dispatch_h ||
           role == Role::dispatch_s;
}

// Features are numbered by roles that execute commands; dispatch_s stands behind the first ones.
constexpr std::uint32_t kDispatchSNumber = kReachRoles - 1;

std::uint32_t number_of(Role role) {
    return role == Role::dispatch_s ? kDispatchSNumber : static_cast<std::uint32_t>(role);
}

Role role_of(std::uint32_t number) {
    return number == kDispatchSNumber ? Role::dispatch_s : static_cast<Role>(number);
}

std::string_view command_name(Role role, std::uint32_t id) {
    return is_dispatcher(role) ? rt::name_of(static_cast<rt::DispatchId>(id))
                               : rt::name_of(static_cast<rt::PrefetchId>(id));
}

// How a command that began on `page` and ended before `next` lies against block and ring ends.
std::uint32_t end_of(std::uint32_t page, std::uint32_t next, std::uint32_t pages,
                     std::uint32_t pages_per_block) {
    if (next <= page && next != 0) return 4;
    const std::uint32_t end = next <= page ? pages : next;  // next == 0: exactly at the ring's end
    const std::uint32_t first_block_end = (page / pages_per_block + 1) * pages_per_block;
    if (end < first_block_end) return 0;
    if (end == first_block_end) return 1;
    return end <= first_block_end + pages_per_block ? 2 : 3;
}

std::uint32_t feature_of(std::uint32_t role, std::uint32_t command, std::uint32_t phase,
                         std::uint32_t end) {
    return ((role * kReachCommands + command) * kReachPhases + phase) * kReachEnds + end;
}

}  // namespace

void Reach::begin_run(const MachineView& view) {
    static_assert(kReachRoles * kReachCommands * kReachPhases * kReachEnds <= kReachFeatures);
    roles_.assign(view.tiles.size(), Role::none);
    rings_.assign(view.tiles.size(), RingOf{});
    open_.assign(view.tiles.size(), Open{});
    for (std::size_t i = 0; i < view.tiles.size(); ++i) roles_[i] = view.tiles[i].role;
    for (const RingView& ring : view.rings)
        rings_[ring.consumer] = {ring.base, ring.page_size_bytes, ring.page_count,
                                 ring.pages_per_block};
    features_.clear();
    dispatched_commands_ = 0;
    ++runs_;
}

void Reach::hit(std::uint32_t feature) {
    ++hits_[feature];
    if (seen_in_[feature] == runs_) return;
    seen_in_[feature] = runs_;
    features_.push_back(static_cast<std::uint16_t>(feature));
}

void Reach::observe(const LogEntry& entry) {
    if (entry.kind != LogKind::command_begin && entry.kind != LogKind::command_end) return;
    const Role role = roles_[entry.tile];
    const RingOf& ring = rings_[entry.tile];
    Open& open = open_[entry.tile];
    const std::uint32_t page =
        ring.page_size == 0
            ? 0
            : ((entry.source_address - ring.base) / ring.page_size) % (ring.pages + 1);
    if (entry.kind == LogKind::command_begin) {
        open = {true, static_cast<std::uint8_t>(entry.value % kReachCommands), page};
        if (is_dispatcher(role)) ++dispatched_commands_;
        return;
    }
    if (!open.open) return;
    open.open = false;
    std::uint32_t phase = 0;
    std::uint32_t end = 0;
    if (ring.page_size != 0) {
        const std::uint32_t offset = entry.source_address - ring.base;
        std::uint32_t next = (offset + ring.page_size - 1) / ring.page_size;
        if (next >= ring.pages) next = 0;
        phase = phase_of(open.page % ring.pages_per_block, ring.pages_per_block);
        end = end_of(open.page, next, ring.pages, ring.pages_per_block);
    }
    hit(feature_of(number_of(role), open.command, phase, end));
}

void Reach::end_run() {
    commands_total_ += dispatched_commands_;
    if (dispatched_commands_ >= 8) ++runs_with_eight_;
}

Role reach_role(std::uint32_t role) { return role_of(role); }
std::string_view reach_phase_name(std::uint32_t phase) { return kPhaseNames[phase]; }
std::string_view reach_end_name(std::uint32_t end) { return kEndNames[end]; }

std::string_view reach_command_name(std::uint32_t role, std::uint32_t command) {
    const Role of = role_of(role);
    const bool prefetches =
        of == Role::prefetch_hd || of == Role::prefetch_h || of == Role::prefetch_d;
    if (command == 0 || !(prefetches || is_dispatcher(of))) return "";
    const std::string_view name = command_name(of, command);
    return name == "UNKNOWN" ? "" : name;
}

std::uint32_t reach_feature(std::uint32_t role, std::uint32_t command, std::uint32_t phase,
                            std::uint32_t end) {
    return feature_of(role, command, phase, end);
}

std::string reach_feature_name(std::uint32_t feature) {
    const std::uint32_t end = feature % kReachEnds;
    const std::uint32_t phase = feature / kReachEnds % kReachPhases;
    const std::uint32_t command = feature / (kReachEnds * kReachPhases) % kReachCommands;
    const Role role = role_of(feature / (kReachEnds * kReachPhases * kReachCommands));
    std::string name(name_of(role));
    name += ' ';
    name += command_name(role, command);
    name += ' ';
    name += kPhaseNames[phase];
    name += ' ';
    name += kEndNames[end];
    return name;
}

std::string Reach::table() const {
    std::string out;
    char line[160];
    const double runs = runs_ == 0 ? 1.0 : static_cast<double>(runs_);
    std::snprintf(line, sizeof line,
                  "runs %llu, dispatched commands a run %.1f, runs with at least 8: %.1f %%\n",
                  static_cast<unsigned long long>(runs_),
                  static_cast<double>(commands_total_) / runs,
                  100.0 * static_cast<double>(runs_with_eight_) / runs);
    out += line;
    std::snprintf(line, sizeof line, "%-12s %-24s %-7s %12s %12s %12s %12s %12s\n", "role",
                  "command", "phase", "within", "at-end", "over-one", "over-more", "over-ring");
    out += line;
    for (std::uint32_t role = 0; role < kReachRoles; ++role)
        for (std::uint32_t command = 0; command < kReachCommands; ++command)
            for (std::uint32_t phase = 0; phase < kReachPhases; ++phase) {
                std::uint64_t counts[kReachEnds];
                std::uint64_t sum = 0;
                for (std::uint32_t end = 0; end < kReachEnds; ++end) {
                    counts[end] = hits_[feature_of(role, command, phase, end)];
                    sum += counts[end];
                }
                if (sum == 0) continue;
                const Role r = role_of(role);
                std::snprintf(line, sizeof line,
                              "%-12.*s %-24.*s %-7.*s %12llu %12llu %12llu %12llu %12llu\n",
                              static_cast<int>(name_of(r).size()), name_of(r).data(),
                              static_cast<int>(command_name(r, command).size()),
                              command_name(r, command).data(),
                              static_cast<int>(kPhaseNames[phase].size()),
                              kPhaseNames[phase].data(), static_cast<unsigned long long>(counts[0]),
                              static_cast<unsigned long long>(counts[1]),
                              static_cast<unsigned long long>(counts[2]),
                              static_cast<unsigned long long>(counts[3]),
                              static_cast<unsigned long long>(counts[4]));
                out += line;
            }
    return out;
}

}  // namespace cqfuzz
