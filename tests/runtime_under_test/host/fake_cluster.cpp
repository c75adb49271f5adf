// The chip's outside: memories, prefetch_q, completion queue and cores as the host sees them.
#include "tests/runtime_under_test/host/fake_cluster.hpp"

#include <cstring>

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kL1Bytes = 1464 * 1024;
constexpr std::uint32_t kPageBytes = DispatchGeometry::kCompletionPageBytes;

void require(bool holds, const std::string& rule) {
    if (!holds) throw BrokenRule(rule);
}

}  // namespace

ChipDescription small_chip(std::uint8_t cols, std::uint8_t rows, std::uint8_t ethernet_cores,
                           std::uint8_t banks) {
    ChipDescription chip;
    chip.worker_cols = cols;
    chip.worker_rows = rows;
    for (std::uint8_t e = 0; e < ethernet_cores; e++)
        chip.ethernet_cores.push_back(Coord{static_cast<std::uint8_t>(1 + e), 12});
    for (std::uint8_t b = 0; b < banks; b++) chip.dram_banks.push_back(Coord{0, b});
    chip.pcie = Coord{0, 20};
    chip.prefetch = Coord{1, 13};
    chip.prefetch_d = Coord{2, 13};
    chip.dispatch = Coord{3, 13};
    chip.dispatch_h = Coord{4, 13};
    chip.dispatch_s = Coord{9, 13};
    return chip;
}

FakeCluster::Core& FakeCluster::core(std::uint32_t noc_xy) {
    Core& found = cores_[noc_xy];
    if (found.l1.empty()) found.l1.resize(kL1Bytes);
    return found;
}

std::uint32_t FakeCluster::word(std::uint32_t noc_xy, std::uint32_t address) {
    std::uint32_t value = 0;
    std::memcpy(&value, core(noc_xy).l1.data() + address, sizeof value);
    return value;
}

void FakeCluster::set_word(std::uint32_t noc_xy, std::uint32_t address, std::uint32_t value) {
    std::memcpy(core(noc_xy).l1.data() + address, &value, sizeof value);
}

void FakeCluster::store(std::uint32_t noc_xy, std::uint32_t address,
                        std::span<const std::byte> bytes) {
    require(address + bytes.size() <= kL1Bytes, "a write ends inside L1");
    std::memcpy(core(noc_xy).l1.data() + address, bytes.data(), bytes.size());
}

void FakeCluster::hugepage_write(std::uint32_t offset, std::span<const std::byte> bytes) {
    if (hugepage_.size() < offset + bytes.size()) hugepage_.resize(offset + bytes.size());
    std::memcpy(hugepage_.data() + offset, bytes.data(), bytes.size());
    unfenced_ = true;
}

void FakeCluster::hugepage_read(std::uint32_t offset, std::span<std::byte> bytes) {
    require(offset + bytes.size() <= hugepage_.size(), "the host reads inside the hugepage");
    std::memcpy(bytes.data(), hugepage_.data() + offset, bytes.size());
}

std::uint32_t FakeCluster::wait_hugepage_word(std::uint32_t offset, std::uint32_t seen) {
    if (throw_run_ended) throw RunEnded{};
    for (;;) {
        std::uint32_t value = 0;
        std::memcpy(&value, hugepage_.data() + offset, sizeof value);
        if (value != seen) return value;
        if (!step()) throw HostHangs("nothing in the stream changes a hugepage word");
    }
}

void FakeCluster::l1_write(Coord to, std::uint32_t address, std::span<const std::byte> bytes) {
    if (config_ != nullptr && to == chip_.prefetch && bytes.size() == 2) {
        require(!unfenced_, "inv. 40: an entry is written after a fence");
        std::uint16_t old = 0;
        std::memcpy(&old, core(to.noc_xy()).l1.data() + address, sizeof old);
        require(old == 0, "inv. 40: an entry is written only when it was consumed");
    }
    store(to.noc_xy(), address, bytes);
}

void FakeCluster::l1_read(Coord from, std::uint32_t address, std::span<std::byte> bytes) {
    std::memcpy(bytes.data(), core(from.noc_xy()).l1.data() + address, bytes.size());
}

std::uint32_t FakeCluster::wait_l1_word(Coord from, std::uint32_t address, std::uint32_t seen) {
    if (throw_run_ended) throw RunEnded{};
    while (word(from.noc_xy(), address) == seen)
        if (!step()) throw HostHangs("nothing in the stream changes an L1 word");
    return word(from.noc_xy(), address);
}

void FakeCluster::start_core(const CoreLaunch& launch) {
    if (config_ != nullptr) return;
    config_ = launch.config;
    hugepage_.resize(config_->host.end);
    entry_ = config_->prefetch.prefetch_q_base;
    pcie_ptr_ = config_->host.issue_base;
    completion_ptr_ = config_->host.completion_base;
    banks_.assign(config_->geometry.dram_banks, {});
}

void FakeCluster::wait_core_exit(Coord which) {
    run();
    require(exited.contains(which.noc_xy()), "a dispatch core exits after TERMINATE");
}

void FakeCluster::run() {
    while (step()) {
    }
}

bool FakeCluster::step() {
    if (config_ == nullptr) return false;
    const std::uint32_t me = chip_.prefetch.noc_xy();
    std::uint16_t entry = 0;
    std::memcpy(&entry, core(me).l1.data() + entry_, sizeof entry);
    if (entry == 0) return false;
    const std::uint32_t size = (entry & 0x7fffu) * 16;
    const bool stall_flag = (entry & 0x8000u) != 0;
    const DispatchGeometry& g = config_->geometry;
    require(size <= g.max_prefetch_command_bytes && size % 32 == 0, "inv. 42: slot size");
    if (pcie_ptr_ + size > config_->host.issue_base + g.issue_region_bytes)
        pcie_ptr_ = config_->host.issue_base;
    const std::vector<std::byte> slot(hugepage_.begin() + pcie_ptr_,
                                      hugepage_.begin() + pcie_ptr_ + size);
    pcie_ptr_ += size;
    std::memset(core(me).l1.data() + entry_, 0, 2);
    entry_ += 2;
    if (entry_ == config_->prefetch.prefetch_q_base + 2 * g.prefetch_q_entries)
        entry_ = config_->prefetch.prefetch_q_base;
    set_word(me, config_->prefetch.prefetch_q_rd_ptr, entry_);
    slot_sizes.push_back(size);
    slot_stalls.push_back(stall_flag);
    prefetch(slot, false, stall_flag);
    return true;
}

void FakeCluster::write_host(std::span<const std::byte> command) {
    WriteLinearHHost head;
    decode(command.data(), head);
    require(head.length == command.size(), "inv. 44: a host write's length");
    if (head.is_event != 0 && barrier_passed_) written_since_barrier_ = false;
    const std::uint32_t pages = (head.length + kPageBytes - 1) / kPageBytes;
    const std::uint32_t ring = config_->geometry.completion_region_bytes / kPageBytes;
    const Coord me = config_->geometry.split ? chip_.dispatch_h : chip_.dispatch;
    const DispatchCoreLayout& map =
        config_->geometry.split ? config_->dispatch_h : config_->dispatch;
    const std::uint32_t host_word = word(me.noc_xy(), map.completion_rd_ptr);
    const std::uint32_t read_ptr = (host_word & 0x7fffffffu) << 4;
    const std::uint32_t bytes = config_->geometry.completion_region_bytes;
    const std::uint32_t used = host_word >> 31 == completion_toggle_
                                   ? completion_ptr_ - read_ptr
                                   : bytes - (read_ptr - completion_ptr_);
    require(used + pages * kPageBytes <= bytes, "the completion ring has room without a pop");
    require(pages < ring, "a command leaves one completion page free");
    for (std::uint32_t done = 0; done < pages * kPageBytes; done += kPageBytes) {
        const std::uint32_t part = std::min<std::uint32_t>(kPageBytes, head.length - done);
        std::memcpy(hugepage_.data() + completion_ptr_, command.data() + done, part);
        completion_ptr_ += kPageBytes;
        if (completion_ptr_ == config_->host.end) {
            completion_ptr_ = config_->host.completion_base;
            completion_toggle_ ^= 1;
        }
    }
    const std::uint32_t value = completion_ptr_ >> 4 | completion_toggle_ << 31;
    std::memcpy(hugepage_.data() + config_->host.completion_write_ptr, &value, sizeof value);
}

}  // namespace cqfuzz::rt
