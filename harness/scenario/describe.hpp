// The description of Scenario: every field of every struct, once. All verbs are written over these
// lists.
//
// To add a field: the member in scenario.hpp and one line here, with the next free id of its
// struct. To add an op: its struct and its place in `Op`, and one Description here with a new tag.
// To remove one: delete its line and leave the id.
//
// Invariants (held by describe_test):
//  1. Ids are unique within a struct, tags within Op; none is ever given a second meaning.
//  2. `fallback` equals the member's initialiser: a missing field and a default-constructed struct
//  mean the same.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "harness/scenario/describe_commands.hpp"
#include "harness/scenario/domains.hpp"
#include "harness/scenario/field.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

template <>
struct EnumNames<OrderLevel> {
    static constexpr std::array<std::string_view, 4> names{"o0", "o1", "o2", "o3"};
};
template <>
struct EnumNames<Strategy> {
    static constexpr std::array<std::string_view, 5> names{"in_order", "random_walk", "pct",
                                                           "producer_at_once", "starve"};
};
template <>
struct EnumNames<BlockAccounting> {
    static constexpr std::array<std::string_view, 2> names{"write_counts", "snapshot"};
};
template <>
struct EnumNames<ConfigStyle> {
    static constexpr std::array<std::string_view, 2> names{"packed_multicast", "packed_large"};
};
template <>
struct EnumNames<DispatchS> {
    static constexpr std::array<std::string_view, 2> names{"absent", "own_core"};
};
template <>
struct EnumNames<BufferPlacement> {
    static constexpr std::array<std::string_view, 5> names{"dram", "l1", "height_sharded",
                                                           "width_sharded", "block_sharded"};
};
template <>
struct EnumNames<MoveKind> {
    static constexpr std::array<std::string_view, 5> names{"step", "departure", "arrival",
                                                           "acknowledgement", "source_read"};
};

template <>
struct Description<Topology> {
    static constexpr std::string_view name = "topology";
    static constexpr auto fields = std::make_tuple(
        number(1, "worker_cols", &Topology::worker_cols, domains::kGridSide, 2),
        number(2, "worker_rows", &Topology::worker_rows, domains::kGridSide, 2),
        number(3, "ethernet_cores", &Topology::ethernet_cores, domains::kEthernetCores, 1),
        boolean(4, "split", &Topology::split, false),
        number(5, "chips", &Topology::chips, domains::kChips, 1));
};

template <>
struct Description<Geometry> {
    static constexpr std::string_view name = "geometry";
    static constexpr auto fields = std::make_tuple(
        one_of(1, "block_accounting", &Geometry::block_accounting, BlockAccounting::snapshot),
        one_of(2, "config_style", &Geometry::config_style, ConfigStyle::packed_multicast),
        number(3, "prefetch_q_entries", &Geometry::prefetch_q_entries, domains::kPrefetchQEntries,
               128),
        number(4, "max_prefetch_command", &Geometry::max_prefetch_command,
               domains::kMaxPrefetchCommand, 32768),
        number(5, "cmddat_q", &Geometry::cmddat_q, domains::kCmddatQ, 65536),
        number(6, "scratch", &Geometry::scratch, domains::kScratch, 19456),
        number(7, "prefetch_d_log_page", &Geometry::prefetch_d_log_page, domains::kLogPage, 12),
        number(8, "prefetch_d_pages_per_block", &Geometry::prefetch_d_pages_per_block,
               domains::kPagesPerBlock, 8),
        number(9, "prefetch_d_blocks", &Geometry::prefetch_d_blocks, domains::kBlocks, 4),
        number(10, "dispatch_log_page", &Geometry::dispatch_log_page, domains::kLogPage, 12),
        number(11, "dispatch_pages_per_block", &Geometry::dispatch_pages_per_block,
               domains::kPagesPerBlock, 8),
        number(12, "dispatch_blocks", &Geometry::dispatch_blocks, domains::kBlocks, 4),
        number(13, "dispatch_h_pages_per_block", &Geometry::dispatch_h_pages_per_block,
               domains::kPagesPerBlock, 8),
        number(14, "dispatch_h_blocks", &Geometry::dispatch_h_blocks, domains::kBlocks, 4),
        number(15, "completion_pages", &Geometry::completion_pages, domains::kCompletionPages, 256),
        number(16, "dram_banks", &Geometry::dram_banks, domains::kDramBanks, 12),
        number(17, "trace_log_page", &Geometry::trace_log_page, domains::kLogPage, 12),
        number(18, "packed_write_max_unicast", &Geometry::packed_write_max_unicast,
               domains::kPackedWriteMax, 64),
        number(19, "worker_config", &Geometry::worker_config, domains::kWorkerConfig, 70656),
        number(20, "noc_undeparted_max", &Geometry::noc_undeparted_max, domains::kUndepartedMax, 0),
        number(21, "tunnel_log_page", &Geometry::tunnel_log_page, domains::kTunnelLogPage, 8),
        number(22, "tunnel_pages", &Geometry::tunnel_pages, domains::kTunnelPages, 128),
        number(40, "command_queues", &Geometry::command_queues, domains::kCommandQueues, 1),
        one_of(41, "dispatch_s", &Geometry::dispatch_s, DispatchS::absent),
        number(42, "dispatch_s_pages", &Geometry::dispatch_s_pages, domains::kDispatchSPages, 128));
};

template <>
struct Description<CounterStarts> {
    static constexpr std::string_view name = "counters";
    static constexpr auto fields = std::make_tuple(
        number(1, "writes_sent", &CounterStarts::writes_sent, domains::kCounterStart, 0),
        number(2, "writes_acked", &CounterStarts::writes_acked, domains::kCounterStart, 0),
        number(3, "reads", &CounterStarts::reads, domains::kCounterStart, 0),
        number(4, "atomics", &CounterStarts::atomics, domains::kCounterStart, 0),
        number(5, "semaphores", &CounterStarts::semaphores, domains::kCounterStart, 0));
};

template <>
struct Description<Kernel> {
    static constexpr std::string_view name = "kernel";
    static constexpr auto fields = std::make_tuple(
        boolean(1, "on_ethernet", &Kernel::on_ethernet, false), nested(2, "cores", &Kernel::cores),
        number(3, "processor", &Kernel::processor, domains::kProcessor, 0),
        number(4, "binary_bytes", &Kernel::binary_bytes, domains::kBinary, 64),
        number(5, "args_words", &Kernel::args_words, domains::kArgs, 0),
        number(6, "common_args_words", &Kernel::common_args_words, domains::kArgs, 0),
        number(7, "content_seed", &Kernel::content_seed, domains::kAny, 0),
        number(8, "exchange_bytes", &Kernel::exchange_bytes, domains::kExchange, 0));
};

template <>
struct Description<SemaphoreInit> {
    static constexpr std::string_view name = "semaphore";
    static constexpr auto fields =
        std::make_tuple(boolean(1, "on_ethernet", &SemaphoreInit::on_ethernet, false),
                        nested(2, "cores", &SemaphoreInit::cores),
                        number(3, "id", &SemaphoreInit::id, domains::kSemaphoreId, 0),
                        number(4, "initial", &SemaphoreInit::initial, domains::kAny, 0));
};

template <>
struct Description<CircularBuffer> {
    static constexpr std::string_view name = "circular buffer";
    static constexpr auto fields = std::make_tuple(
        nested(1, "cores", &CircularBuffer::cores),
        number(2, "index", &CircularBuffer::index, domains::kCbIndex, 0),
        number(3, "pages", &CircularBuffer::pages, domains::kCbPages, 1),
        number(4, "page_size", &CircularBuffer::page_size, domains::kCbPageSize, 64));
};

template <>
struct Description<Program> {
    static constexpr std::string_view name = "program";
    static constexpr auto fields = std::make_tuple(
        list(1, "kernels", &Program::kernels, limits::kKernelsMax),
        list(2, "semaphores", &Program::semaphores, limits::kSemaphoresMax),
        list(3, "circular_buffers", &Program::circular_buffers, limits::kCircularBuffersMax));
};

template <>
struct Description<Buffer> {
    static constexpr std::string_view name = "buffer";
    static constexpr auto fields =
        std::make_tuple(number(1, "pages", &Buffer::pages, domains::kBufferPages, 1),
                        number(2, "page_size", &Buffer::page_size, domains::kBufferPageSize, 2048),
                        one_of(3, "placement", &Buffer::placement, BufferPlacement::dram),
                        nested(4, "cores", &Buffer::cores),
                        number(5, "row_pages", &Buffer::row_pages, domains::kRowPages, 1));
};

template <>
struct Description<TraceStep> {
    static constexpr std::string_view name = "trace step";
    static constexpr auto fields =
        std::make_tuple(reference(1, "program", &TraceStep::program, Table::programs),
                        number(2, "times", &TraceStep::times, domains::kTimes, 1));
};

template <>
struct Description<Trace> {
    static constexpr std::string_view name = "trace";
    static constexpr auto fields =
        std::make_tuple(list(1, "steps", &Trace::steps, limits::kStepsMax));
};

// --- ops: `tag` is permanent too ---

template <>
struct Description<OpWriteBuffer> {
    static constexpr std::uint32_t tag = 1;
    static constexpr std::string_view name = "write_buffer";
    static constexpr auto fields =
        std::make_tuple(reference(1, "buffer", &OpWriteBuffer::buffer, Table::buffers),
                        number(2, "content_seed", &OpWriteBuffer::content_seed, domains::kAny, 0),
                        number(3, "device", &OpWriteBuffer::device, domains::kDevice, 0),
                        number(10, "queue", &OpWriteBuffer::queue, domains::kQueue, 0));
};

template <>
struct Description<OpReadBuffer> {
    static constexpr std::uint32_t tag = 2;
    static constexpr std::string_view name = "read_buffer";
    static constexpr auto fields =
        std::make_tuple(reference(1, "buffer", &OpReadBuffer::buffer, Table::buffers),
                        number(2, "device", &OpReadBuffer::device, domains::kDevice, 0),
                        number(10, "queue", &OpReadBuffer::queue, domains::kQueue, 0));
};

template <>
struct Description<OpEnqueue> {
    static constexpr std::uint32_t tag = 3;
    static constexpr std::string_view name = "enqueue";
    static constexpr auto fields =
        std::make_tuple(reference(1, "program", &OpEnqueue::program, Table::programs),
                        number(2, "times", &OpEnqueue::times, domains::kTimes, 1),
                        number(3, "device", &OpEnqueue::device, domains::kDevice, 0),
                        number(10, "queue", &OpEnqueue::queue, domains::kQueue, 0));
};

template <>
struct Description<OpCapture> {
    static constexpr std::uint32_t tag = 4;
    static constexpr std::string_view name = "capture";
    static constexpr auto fields =
        std::make_tuple(reference(1, "trace", &OpCapture::trace, Table::traces),
                        number(2, "device", &OpCapture::device, domains::kDevice, 0),
                        number(10, "queue", &OpCapture::queue, domains::kQueue, 0));
};

template <>
struct Description<OpReplay> {
    static constexpr std::uint32_t tag = 5;
    static constexpr std::string_view name = "replay";
    static constexpr auto fields =
        std::make_tuple(reference(1, "trace", &OpReplay::trace, Table::traces),
                        number(2, "times", &OpReplay::times, domains::kTimes, 1),
                        boolean(3, "blocking", &OpReplay::blocking, false),
                        number(4, "device", &OpReplay::device, domains::kDevice, 0));
};

template <>
struct Description<OpRelease> {
    static constexpr std::uint32_t tag = 6;
    static constexpr std::string_view name = "release";
    static constexpr auto fields =
        std::make_tuple(reference(1, "trace", &OpRelease::trace, Table::traces),
                        number(2, "device", &OpRelease::device, domains::kDevice, 0));
};

template <>
struct Description<OpFinish> {
    static constexpr std::uint32_t tag = 7;
    static constexpr std::string_view name = "finish";
    static constexpr auto fields =
        std::make_tuple(number(1, "device", &OpFinish::device, domains::kDevice, 0),
                        number(10, "queue", &OpFinish::queue, domains::kQueue, 0));
};

template <>
struct Description<OpRecordEvent> {
    static constexpr std::uint32_t tag = 20;
    static constexpr std::string_view name = "record_event";
    static constexpr auto fields =
        std::make_tuple(number(1, "event", &OpRecordEvent::event, domains::kEvent, 0),
                        number(2, "device", &OpRecordEvent::device, domains::kDevice, 0),
                        number(10, "queue", &OpRecordEvent::queue, domains::kQueue, 0));
};

template <>
struct Description<OpWaitEvent> {
    static constexpr std::uint32_t tag = 21;
    static constexpr std::string_view name = "wait_event";
    static constexpr auto fields =
        std::make_tuple(number(1, "event", &OpWaitEvent::event, domains::kEvent, 0),
                        number(2, "device", &OpWaitEvent::device, domains::kDevice, 0),
                        number(10, "queue", &OpWaitEvent::queue, domains::kQueue, 0));
};

template <>
struct Description<OpSyncEvent> {
    static constexpr std::uint32_t tag = 22;
    static constexpr std::string_view name = "sync_event";
    static constexpr auto fields =
        std::make_tuple(number(1, "event", &OpSyncEvent::event, domains::kEvent, 0),
                        number(2, "device", &OpSyncEvent::device, domains::kDevice, 0));
};

template <>
struct Description<OpQueryEvent> {
    static constexpr std::uint32_t tag = 23;
    static constexpr std::string_view name = "query_event";
    static constexpr auto fields =
        std::make_tuple(number(1, "event", &OpQueryEvent::event, domains::kEvent, 0),
                        number(2, "device", &OpQueryEvent::device, domains::kDevice, 0));
};

// --- schedule, behaviour, the whole ---

template <>
struct Description<MoveName> {
    static constexpr std::string_view name = "move";
    static constexpr auto fields =
        std::make_tuple(number(1, "actor", &MoveName::actor, domains::kActor, 0),
                        one_of(2, "kind", &MoveName::kind, MoveKind::step),
                        number(3, "noc", &MoveName::noc, domains::kNoc, 0),
                        number(4, "ordinal", &MoveName::ordinal, domains::kOrdinal, 1));
};

template <>
struct Description<Deviation> {
    static constexpr std::string_view name = "deviation";
    static constexpr auto fields =
        std::make_tuple(nested(1, "hold", &Deviation::hold), nested(2, "until", &Deviation::until));
};

template <>
struct Description<Schedule> {
    static constexpr std::string_view name = "schedule";
    static constexpr auto fields = std::make_tuple(
        one_of(1, "strategy", &Schedule::strategy, Strategy::in_order),
        number(2, "seed", &Schedule::seed, domains::kAny, 0),
        number(3, "change_points", &Schedule::change_points, domains::kChangePoints, 3),
        number(4, "starved_actor", &Schedule::starved_actor, domains::kActor, 0),
        number(5, "split_multicast_one_in", &Schedule::split_multicast_one_in,
               domains::kSplitMulticast, 0),
        list(6, "deviations", &Schedule::deviations, limits::kDeviationsMax));
};

template <>
struct Description<Behaviour> {
    static constexpr std::string_view name = "behaviour";
    static constexpr auto fields = std::make_tuple(
        number(1, "kernel_steps", &Behaviour::kernel_steps, domains::kKernelSteps, 1),
        number(2, "kernel_steps_jitter", &Behaviour::kernel_steps_jitter, domains::kKernelJitter,
               0),
        number(3, "host_pause_moves", &Behaviour::host_pause_moves, domains::kHostPause, 0),
        boolean(4, "exchanges_wait", &Behaviour::exchanges_wait, false));
};

template <>
struct Description<Scenario> {
    static constexpr std::string_view name = "scenario";
    static constexpr auto fields = std::make_tuple(
        one_of(4, "order", &Scenario::order, OrderLevel::o1),
        nested(1, "topology", &Scenario::topology), nested(2, "geometry", &Scenario::geometry),
        nested(3, "counters", &Scenario::counters), nested(9, "behaviour", &Scenario::behaviour),
        nested(10, "schedule", &Scenario::schedule),
        list(6, "buffer", &Scenario::buffers, limits::kBuffersMax),
        list(5, "program", &Scenario::programs, limits::kProgramsMax),
        list(7, "trace", &Scenario::traces, limits::kTracesMax),
        list(8, "op", &Scenario::ops, limits::kOpsMax),
        list(30, "body", &Scenario::bodies, limits::kBodiesMax),
        list(31, "command", &Scenario::commands, limits::kCommandsMax));
};

// --- visiting ---

// A variant whose alternatives have tags.
template <class T>
inline constexpr bool kIsOp = std::is_same_v<T, Op> || std::is_same_v<T, Command>;

// Calls visit(field) for each field of T, in the order of the list.
template <class T, class Visit>
constexpr void for_each_field(Visit&& visit) {
    std::apply([&visit](const auto&... field) { (visit(field), ...); }, Description<T>::fields);
}

// Calls visit(field) for each until one returns true; whether one did.
template <class T, class Visit>
constexpr bool any_field(Visit&& visit) {
    return std::apply([&visit](const auto&... field) { return (false || ... || visit(field)); },
                      Description<T>::fields);
}

// Calls visit(OpReplay{}) … for a default op of each kind of `Of`, until one returns true.
template <class Of, class Visit, std::size_t... I>
constexpr bool any_op_kind(Visit&& visit, std::index_sequence<I...>) {
    return (false || ... || visit(std::variant_alternative_t<I, Of>{}));
}
template <class Of = Op, class Visit>
constexpr bool any_op_kind(Visit&& visit) {
    return any_op_kind<Of>(visit, std::make_index_sequence<std::variant_size_v<Of>>{});
}

// Calls visit(field, owner) for every bool, enum, number and reference of `value` and of all that
// is nested in it. T may be const.
template <class T, class Visit>
void for_each_leaf(T& value, Visit&& visit) {
    if constexpr (kIsOp<std::remove_const_t<T>>) {
        std::visit([&visit](auto& op) { for_each_leaf(op, visit); }, value);
    } else {
        for_each_field<std::remove_const_t<T>>([&](const auto& field) {
            using Field = std::decay_t<decltype(field)>;
            if constexpr (Field::kKind == FieldKind::nested) {
                for_each_leaf(value.*field.member, visit);
            } else if constexpr (Field::kKind == FieldKind::list) {
                for (auto& entry : value.*field.member) {
                    for_each_leaf(entry, visit);
                }
            } else {
                visit(field, value);
            }
        });
    }
}

}  // namespace cqfuzz
