// LogBuilder: a synthetic event log for tests of oracles. A small split machine, one function per
// event, and the first violation that the oracles see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/oracle/oracles.hpp"

namespace cqfuzz::test {

// Tiles of the machine, by number.
inline constexpr TileIndex kHost = 0;
inline constexpr TileIndex kPrefetchH = 1;
inline constexpr TileIndex kPrefetchD = 2;
inline constexpr TileIndex kDispatchD = 3;
inline constexpr TileIndex kDispatchH = 4;
inline constexpr TileIndex kEthernet = 5;
inline constexpr TileIndex kWorker0 = 6;  // workers (0,0), (1,0)
inline constexpr TileIndex kWorker1 = 7;
inline constexpr TileIndex kDram0 = 8;
inline constexpr TileIndex kDram1 = 9;

// Every ring: 8 pages of 256 bytes, blocks of 2, at the same address in its consumer's L1.
inline constexpr std::uint32_t kPage = 256;
inline constexpr std::uint32_t kPages = 8;
inline constexpr std::uint32_t kRingBase = 0x4000;
inline constexpr std::uint32_t kCredits = 0x100;
inline constexpr std::uint32_t kReady = 0x110;
inline constexpr std::uint32_t kSync = 0x120;
inline constexpr std::uint32_t kCompletions = 0x200;
inline constexpr std::uint32_t kScratch = 0x8000;  // two halves of kHalf
inline constexpr std::uint32_t kHalf = 0x400;
inline constexpr std::uint32_t kCacheBytes =
    0x1000;  // the ring-buffer cache begins at kScratch too
inline constexpr std::uint32_t kCommandData = 0x10000;
inline constexpr std::uint32_t kCommandDataBytes = 0x2000;
inline constexpr std::uint32_t kLaunchBase = 0x1000;
inline constexpr std::uint32_t kGoWord = 0x1800;
inline constexpr std::uint32_t kConfigBase = 0x2000;
inline constexpr std::uint32_t kConfigBytes = 0x2000;

// The completion queue, in the hugepage and in its writer's L1.
inline constexpr std::uint32_t kCompletionBase = 0x10000;
inline constexpr std::uint32_t kCompletionPage = 0x1000;
inline constexpr std::uint32_t kCompletionPages = 4;
inline constexpr std::uint32_t kHostWritePointer = 0x40;
inline constexpr std::uint32_t kWritePointer = 0x300;
inline constexpr std::uint32_t kReadPointer = 0x310;

inline constexpr std::uint32_t kAllOracles = 0xffffffff;

class FakeMemory final : public MemoryView {
public:
    explicit FakeMemory(std::size_t tiles) : tiles_(tiles, std::vector<std::byte>(kBytes)) {}
    const std::byte* bytes(TileIndex tile) const override { return tiles_[tile].data(); }
    std::uint32_t size_bytes(TileIndex tile) const override {
        return static_cast<std::uint32_t>(tiles_[tile].size());
    }
    std::uint32_t written_from(TileIndex tile, std::uint32_t address,
                               std::uint32_t length) const override {
        const bool hole = tile == hole_tile_ && address <= hole_ && hole_ < address + length;
        return hole ? hole_ - address : length;
    }
    std::byte* at(TileIndex tile, std::uint32_t address) { return tiles_[tile].data() + address; }
    // The word there has never been written; all others have.
    void never_written(TileIndex tile, std::uint32_t address) {
        hole_tile_ = tile, hole_ = address;
    }

private:
    static constexpr std::size_t kBytes = 0x20000;
    std::vector<std::vector<std::byte>> tiles_;
    TileIndex hole_tile_ = kNoTile;
    std::uint32_t hole_ = 0;
};

MachineView split_machine();
MachineView merged_machine();  // kPrefetchH and kPrefetchD become the hd pair

class LogBuilder {
public:
    explicit LogBuilder(MachineView machine = split_machine(), std::uint32_t enabled = kAllOracles);

    // NoC: the calls return the transaction, to be moved on by its number.
    std::uint32_t write(TileIndex from, std::uint32_t source, TileIndex to, std::uint32_t target,
                        std::uint32_t length);
    std::uint32_t multicast(TileIndex from, std::uint32_t source, NocRectangle to,
                            std::uint32_t target, std::uint32_t length);
    std::uint32_t atomic(TileIndex from, TileIndex to, std::uint32_t address,
                         std::uint32_t increment);
    std::uint32_t read(TileIndex into, std::uint32_t target, TileIndex from, std::uint32_t source,
                       std::uint32_t length);
    LogBuilder& depart(std::uint32_t transaction);
    LogBuilder& arrive(std::uint32_t transaction);
    LogBuilder& ack(std::uint32_t transaction);
    LogBuilder& complete(std::uint32_t transaction);  // all that is left

    LogBuilder& load(TileIndex tile, std::uint32_t address, std::uint32_t length);
    LogBuilder& store(TileIndex tile, std::uint32_t address, std::uint32_t length);
    LogBuilder& begin(TileIndex tile, std::uint32_t command, std::uint32_t address);
    LogBuilder& end(TileIndex tile, std::uint32_t next_address);
    LogBuilder& entry(LogEntry entry);  // any other
    LogBuilder& call(const HostCall& call, bool ended);
    LogBuilder& finish();

    // Ring shorthands, at O0: everything completes at once. `page` counts without end.
    LogBuilder& fill(std::size_t ring, std::uint64_t page, std::uint32_t count = 1);
    LogBuilder& hand_over(std::size_t ring, std::uint32_t count);
    LogBuilder& release(std::size_t ring, std::uint32_t count);
    LogBuilder& use(std::size_t ring,
                    std::uint64_t page);  // the consumer sends 64 bytes from it to a worker
    // … and the same with stages still to come.
    std::uint32_t issue_fill(std::size_t ring, std::uint64_t page);
    std::uint32_t issue_hand_over(std::size_t ring, std::uint32_t count);
    std::uint32_t issue_release(std::size_t ring, std::uint32_t count);
    std::uint32_t issue_use(std::size_t ring, std::uint64_t page, std::uint32_t offset = 16,
                            std::uint32_t length = 64);

    std::uint32_t page_address(std::uint64_t page) const {
        return kRingBase + static_cast<std::uint32_t>(page % kPages) * kPage;
    }
    const MachineView& machine() const { return machine_; }
    FakeMemory& memory() { return memory_; }
    Oracles& oracles() { return oracles_; }

    const std::optional<Violation>& found() const { return found_; }
    std::string property() const { return found_ ? found_->property : "nothing"; }
    std::string story() const;

private:
    std::uint32_t issue(LogEntry entry);
    LogBuilder& stage(std::uint32_t transaction, LogKind kind);

    MachineView machine_;
    FakeMemory memory_;
    Oracles oracles_;
    std::optional<Violation> found_;
    std::uint64_t step_ = 0;
    std::uint32_t next_transaction_ = 1;
    std::map<std::uint32_t, LogEntry> in_flight_;
};

}  // namespace cqfuzz::test
