// GeneratorWeights: all the odds of generate and mutate in one place. A run pays for what they
// draw, so they favour small scenarios at the limits (facts §18.12) over large ones in the middle.
//
// What generate never makes, though it is legal: order level O3; a scenario that costs more than
// `cost_max_drawn` after its first run; two kernels of many sub-commands on one processor of
// several cores; deviations that name workers, ethernet cores or banks; prefetch_q entries between
// 8 and 128. Mutation reaches all of them but O3.
#pragma once

#include <array>
#include <cstdint>

namespace cqfuzz {

// Percentages unless the name says otherwise; arrays are weights that need not add up to anything.
struct GeneratorWeights {
    // --- swarm: features that a whole scenario has or has not
    std::uint32_t ethernet = 60;
    std::uint32_t semaphores = 75;
    std::uint32_t circular_buffers = 75;
    std::uint32_t args = 80;
    std::uint32_t common_args = 50;
    std::uint32_t buffer_writes = 50;
    std::uint32_t buffer_reads = 50;
    std::uint32_t finishes = 40;
    std::uint32_t releases = 40;
    std::uint32_t repeats = 50;
    std::uint32_t many_sub_commands = 28;  // sum of binary parts reaches 35 in one program
    std::uint32_t long_traces = 25;        // traces pass the end of a chunk
    // Both together: sub-commands that straddle a chunk (facts §12.2).
    std::uint32_t long_traces_if_many = 40;
    std::uint32_t traces_in_semaphore_domain = 15;

    // --- topology and geometry
    std::array<std::uint32_t, 4> grid_side{35, 40, 20, 5};  // 1, 2, 3, 4 … 8
    // More than sixteen workers, which four bits do not name (inv. 104).
    std::uint32_t large_grid = 8;
    std::array<std::uint32_t, 4> ethernet_cores{40, 40, 15, 5};  // 1, 2, 3 or 4, 5 … 16
    std::uint32_t split = 50;
    std::uint32_t pair = 8;        // two chips, in the domains that are not about them
    std::uint32_t two_pairs = 10;  // in the one that is
    std::uint32_t exchanges = 60;  // of kernels on ethernet
    std::uint32_t in_step = 25;    // of scenarios about several chips: all do the same
    std::uint32_t write_counts = 50;
    std::uint32_t dispatch_s = 25;  // of scenarios with one command queue
    std::uint32_t packed_large = 50;
    std::uint32_t packed_large_in_semaphore_domain = 15;
    // Small, mixed, the ethernet set, the worker set.
    std::array<std::uint32_t, 4> geometry_kind{62, 20, 12, 6};
    std::array<std::uint32_t, 3> log_page{60, 15, 25};  // 10, 11, 12
    std::uint32_t eight_blocks = 20;
    std::uint32_t real_banks = 15;  // 12 of them; else few
    std::uint32_t worker_config_small = 40;
    std::array<std::uint32_t, 5> undeparted_max{50, 15, 15, 10, 10};  // 0, 1, 2, 4, 16
    std::uint32_t counters_near_wrap_one_in = 8;

    // --- order and schedule
    std::array<std::uint32_t, 3> order{6, 62, 32};              // o0, o1, o2
    std::array<std::uint32_t, 5> strategy{20, 30, 20, 20, 10};  // as enum Strategy
    std::uint32_t deviations = 50;                              // of the in_order ones
    std::uint32_t split_multicast = 40;
    std::uint32_t slow_kernels = 40;
    std::uint32_t host_pauses = 25;

    // --- programs
    std::array<std::uint32_t, 4> program_count{40, 35, 15, 10};  // 1, 2, 3, 4 … 6
    // Up to 512 bytes, up to 2048, beside multiples of half the scratch, large.
    std::array<std::uint32_t, 4> binary_kind{50, 30, 17, 3};
    std::uint32_t binary_large_bytes = 8192;
    // None, up to 16 words, units of 4, up to 256.
    std::array<std::uint32_t, 4> args_kind{30, 40, 22, 8};
    std::uint32_t buffer_bytes_max = 16384;
    std::uint32_t two_queues = 20;
    std::uint32_t two_queues_in_sequences = 60;
    std::uint32_t events = 30;  // events; of scenarios with two queues most
    std::uint32_t events_if_two = 80;
    // DRAM, L1, sharded by height, width, block.
    std::array<std::uint32_t, 5> buffer_placement{40, 24, 12, 12, 12};

    // --- mutation: as enum Mutation (mutations.hpp)
    std::array<std::uint32_t, 14> mutation{
        14,  // op_insert
        12,  // op_drop
        6,   // op_duplicate
        6,   // op_move
        5,   // op_splice
        5,   // op_repeat
        12,  // trace
        14,  // program
        18,  // number
        7,   // geometry
        3,   // topology
        12,  // schedule
        4,   // halve
        2,   // reset
    };

    // --- size of a scenario
    std::array<std::uint32_t, 3> size{65, 28, 7};  // drawn ops: up to 3, up to 8, up to 20
    std::uint32_t once = 75;       // of enqueues and replays in scenarios with repeats
    std::uint32_t times_bits = 5;  // else 1 to 2^0 … 2^(this - 1) times
    // In the units of program_cost (draw.hpp). Mutants may grow past what is drawn at once.
    std::uint32_t cost_max_drawn = 350;
    std::uint32_t cost_max = 450;
};

inline constexpr GeneratorWeights kGeneratorWeights{};

}  // namespace cqfuzz
