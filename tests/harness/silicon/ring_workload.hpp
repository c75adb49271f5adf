// RingWorkload: a small pipeline with every kind of transaction, for schedules to play with.
//
// The host writes a line of data to the hugepage and rings a bell in the prefetcher's L1. The
// prefetcher reads the line over PCIe and a line of DRAM, writes both into the dispatcher's ring
// and hands the page over. The dispatcher multicasts it to all workers with a flag, gives the page
// back, and tells the host through the hugepage. Workers work and add to a counter.
#pragma once

#include "tests/harness/silicon/bench_chip.hpp"

namespace cqfuzz {

class RingWorkload {
public:
    static constexpr std::uint32_t kPages = 4;
    static constexpr std::uint32_t kPageBytes = 64;
    static constexpr std::uint32_t kRing = 0x1000;
    static constexpr std::uint32_t kScratch = 0x2000;
    static constexpr std::uint32_t kReady = 0x100;
    static constexpr std::uint32_t kCredits = 0x110;
    static constexpr std::uint32_t kBell = 0x120;
    static constexpr std::uint32_t kDone = 0x130;
    static constexpr std::uint32_t kWorkerData = 0x3000;
    static constexpr std::uint32_t kWorkerFlag = 0x140;
    static constexpr std::uint32_t kHostData = 0x8000;
    static constexpr std::uint32_t kHostDone = 64;

    RingWorkload(BenchChip& chip, std::uint32_t lines) : chip_(chip), lines_(lines) {
        chip.on(kPrefetch, [this] { prefetch(); });
        chip.on(kDispatch, [this] { dispatch(); });
        for (std::uint32_t row = 0; row < chip.config.worker_rows; ++row)
            for (std::uint32_t col = 0; col < chip.config.worker_cols; ++col)
                chip.on(worker(col, row), [this] { work(); });
    }

    void run() {
        chip_.reset();
        try {
            chip_.start_all();
            drive();
        } catch (const rt::RunEnded&) {
        }
        chip_.machine.quiesce();
    }

private:
    std::uint32_t workers() const {
        return 1u * chip_.config.worker_cols * chip_.config.worker_rows;
    }

    void drive() {
        for (std::uint32_t line = 0; line < lines_; ++line) {
            const std::vector<std::byte> bytes(32, static_cast<std::byte>(line + 1));
            const std::uint32_t bell = line + 1;
            chip_.machine.hugepage_write(kHostData + line * 32, bytes);
            chip_.machine.fence();
            chip_.machine.l1_write(kPrefetch, kBell, std::as_bytes(std::span(&bell, 1)));
            chip_.machine.fence();
            if (line % 3 == 2) chip_.machine.host_pause(5);
        }
        std::uint32_t done = 0;
        while (done != lines_) done = chip_.machine.wait_hugepage_word(kHostDone, done);
        chip_.machine.wait_core_exit(kDispatch);
    }

    void prefetch() const {
        for (std::uint32_t line = 0; line < lines_; ++line) {
            while (static_cast<std::int32_t>(device::poll_l1(kBell) - line) <= 0) {
            }
            while (device::poll_l1(kCredits) == line - kPages) {
            }
            writes_flushed(0);
            read({.source = kHostData + line * 32,
                  .coordinate = chip_.machine.chip().pcie.noc_xy(),
                  .target = kScratch,
                  .length = 32});
            read({.source = line * 32,
                  .coordinate = chip_.machine.chip().dram_banks[0].noc_xy(),
                  .target = kScratch + 32,
                  .length = 32});
            read_barrier(0);
            write({.source = kScratch,
                   .coordinate = kDispatch.noc_xy(),
                   .target = kRing + line % kPages * kPageBytes,
                   .length = kPageBytes});
            atomic_add({.coordinate = kDispatch.noc_xy(), .target = kReady}, 1);
        }
        full_barrier(0);
    }

    void dispatch() const {
        const rt::Coord last = worker(chip_.config.worker_cols - 1u, chip_.config.worker_rows - 1u);
        for (std::uint32_t line = 0; line < lines_; ++line) {
            while (device::poll_l1(kReady) == line) {
            }
            const std::uint32_t page = kRing + line % kPages * kPageBytes;
            FIRMWARE_ASSERT(device::l1_load_u32(page) == (line + 1) * 0x01010101u);
            multicast({.source = page,
                       .coordinate = rectangle(worker(0, 0), last),
                       .target = kWorkerData,
                       .length = kPageBytes,
                       .receivers = workers()});
            write_barrier(0);
            multicast({.source = page,
                       .coordinate = rectangle(worker(0, 0), last),
                       .target = kWorkerFlag,
                       .length = 4,
                       .receivers = workers()});
            while (device::poll_l1(kDone) != (line + 1) * workers()) {
            }
            writes_flushed(0);
            write_inline({.coordinate = chip_.machine.chip().pcie.noc_xy(), .target = kHostDone},
                         line + 1);
            atomic_add({.noc = 1, .coordinate = kPrefetch.noc_xy(), .target = kCredits}, 1);
        }
        full_barrier(0);
        full_barrier(1);
    }

    void work() const {
        std::uint32_t flag = 0;
        for (std::uint32_t line = 0; line < lines_; ++line) {
            while (device::poll_l1(kWorkerFlag) == flag) {
            }
            flag = device::l1_load_u32(kWorkerFlag);
            FIRMWARE_ASSERT(device::l1_load_u32(kWorkerData) == flag);
            for (std::uint32_t step = 0; step < 3; ++step) device::pause();
            atomic_add({.coordinate = kDispatch.noc_xy(), .target = kDone}, 1);
        }
        full_barrier(0);
    }

    BenchChip& chip_;
    std::uint32_t lines_;
};

}  // namespace cqfuzz
