// The description of commands; part of describe.hpp, and under its rules.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "harness/scenario/domains.hpp"
#include "harness/scenario/field.hpp"
#include "harness/scenario/limits.hpp"
#include "harness/scenario/scenario.hpp"

namespace cqfuzz {

template <class T>
struct Description;

template <>
struct EnumNames<MemoryKind> {
    static constexpr std::array<std::string_view, 3> names{"worker", "ethernet", "dram"};
};
template <>
struct EnumNames<Feed> {
    static constexpr std::array<std::string_view, 5> names{"in_line", "linear", "paged", "packed",
                                                           "cache"};
};
template <>
struct EnumNames<BareKind> {
    static constexpr std::array<std::string_view, 3> names{"sink", "go", "num_worker_sems"};
};
template <>
struct EnumNames<CorruptPlace> {
    static constexpr std::array<std::string_view, 3> names{"prefetch_head", "dispatch_head",
                                                           "anywhere"};
};

template <>
struct Description<CoreRange> {
    static constexpr std::string_view name = "core range";
    static constexpr auto fields =
        std::make_tuple(number(1, "x0", &CoreRange::x0, domains::kCoordinate, 0),
                        number(2, "y0", &CoreRange::y0, domains::kCoordinate, 0),
                        number(3, "x1", &CoreRange::x1, domains::kCoordinate, 0),
                        number(4, "y1", &CoreRange::y1, domains::kCoordinate, 0));
};

template <>
struct Description<Destination> {
    static constexpr std::string_view name = "destination";
    static constexpr auto fields =
        std::make_tuple(one_of(1, "memory", &Destination::memory, MemoryKind::worker),
                        nested(2, "cores", &Destination::cores),
                        number(3, "offset", &Destination::offset, domains::kAreaOffset, 0));
};

template <>
struct Description<Source> {
    static constexpr std::string_view name = "source";
    static constexpr auto fields =
        std::make_tuple(one_of(1, "feed", &Source::feed, Feed::in_line),
                        number(2, "start", &Source::start, domains::kSourceStart, 0),
                        number(3, "page_size", &Source::page_size, domains::kSourcePage, 32),
                        number(4, "log_page", &Source::log_page, domains::kSourceLogPage, 10),
                        number(5, "parts", &Source::parts, domains::kSourceParts, 1),
                        boolean(6, "on_workers", &Source::on_workers, false));
};

template <>
struct Description<CommandWriteLinear> {
    static constexpr std::uint32_t tag = 1;
    static constexpr std::string_view name = "write_linear";
    static constexpr auto fields = std::make_tuple(
        nested(1, "to", &CommandWriteLinear::to),
        boolean(2, "multicast", &CommandWriteLinear::multicast, false),
        boolean(3, "from_host_side", &CommandWriteLinear::from_host_side, false),
        number(4, "offset_index", &CommandWriteLinear::offset_index, domains::kOffsetIndex, 0),
        number(5, "length", &CommandWriteLinear::length, domains::kStreamBytes, 16),
        number(6, "content_seed", &CommandWriteLinear::content_seed, domains::kAny, 0),
        nested(7, "from", &CommandWriteLinear::from));
};

template <>
struct Description<CommandWritePaged> {
    static constexpr std::uint32_t tag = 2;
    static constexpr std::string_view name = "write_paged";
    static constexpr auto fields = std::make_tuple(
        boolean(1, "on_workers", &CommandWritePaged::on_workers, false),
        number(2, "start_page", &CommandWritePaged::start_page, domains::kSourceStart, 0),
        number(3, "page_size", &CommandWritePaged::page_size, domains::kStreamPage, 32),
        number(4, "pages", &CommandWritePaged::pages, domains::kBufferPages, 1),
        number(5, "offset", &CommandWritePaged::offset, domains::kAreaOffset, 0),
        number(6, "content_seed", &CommandWritePaged::content_seed, domains::kAny, 0),
        nested(7, "from", &CommandWritePaged::from));
};

template <>
struct Description<CommandWritePacked> {
    static constexpr std::uint32_t tag = 3;
    static constexpr std::string_view name = "write_packed";
    static constexpr auto fields = std::make_tuple(
        nested(1, "to", &CommandWritePacked::to),
        boolean(2, "multicast", &CommandWritePacked::multicast, false),
        boolean(3, "by_rows", &CommandWritePacked::by_rows, false),
        boolean(4, "shared_payload", &CommandWritePacked::shared_payload, false),
        number(5, "count", &CommandWritePacked::count, domains::kPackedCount, 1),
        number(6, "size", &CommandWritePacked::size, domains::kPackedSize, 16),
        number(7, "offset_index", &CommandWritePacked::offset_index, domains::kOffsetIndex, 0),
        number(8, "content_seed", &CommandWritePacked::content_seed, domains::kAny, 0));
};

template <>
struct Description<LargePart> {
    static constexpr std::string_view name = "large part";
    static constexpr auto fields =
        std::make_tuple(nested(1, "cores", &LargePart::cores),
                        boolean(2, "multicast", &LargePart::multicast, true),
                        boolean(3, "linked", &LargePart::linked, false),
                        number(4, "offset", &LargePart::offset, domains::kAreaOffset, 0),
                        number(5, "length", &LargePart::length, domains::kLargeLength, 16));
};

template <>
struct Description<CommandWriteLarge> {
    static constexpr std::uint32_t tag = 4;
    static constexpr std::string_view name = "write_packed_large";
    static constexpr auto fields = std::make_tuple(
        number(1, "alignment", &CommandWriteLarge::alignment, domains::kLargeAlignment, 16),
        number(2, "offset_index", &CommandWriteLarge::offset_index, domains::kOffsetIndex, 0),
        number(3, "content_seed", &CommandWriteLarge::content_seed, domains::kAny, 0),
        list(4, "parts", &CommandWriteLarge::parts, limits::kLargePartsMax),
        nested(5, "from", &CommandWriteLarge::from));
};

template <>
struct Description<CommandWriteHost> {
    static constexpr std::uint32_t tag = 5;
    static constexpr std::string_view name = "write_host";
    static constexpr auto fields = std::make_tuple(
        number(2, "length", &CommandWriteHost::length, domains::kHostBytes, 0),
        number(3, "content_seed", &CommandWriteHost::content_seed, domains::kAny, 0),
        nested(4, "from", &CommandWriteHost::from));
};

template <>
struct Description<CommandWait> {
    static constexpr std::uint32_t tag = 6;
    static constexpr std::string_view name = "wait";
    static constexpr auto fields =
        std::make_tuple(boolean(1, "barrier", &CommandWait::barrier, false),
                        boolean(2, "wait", &CommandWait::wait, false),
                        boolean(3, "clear", &CommandWait::clear, false),
                        boolean(4, "notify", &CommandWait::notify, false),
                        number(5, "behind", &CommandWait::behind, domains::kBehind, 0));
};

template <>
struct Description<CommandDelay> {
    static constexpr std::uint32_t tag = 7;
    static constexpr std::string_view name = "delay";
    static constexpr auto fields = std::make_tuple(
        number(1, "iterations", &CommandDelay::iterations, domains::kKernelSteps, 1));
};

template <>
struct Description<CommandDispatchDebug> {
    static constexpr std::uint32_t tag = 8;
    static constexpr std::string_view name = "dispatch_debug";
    static constexpr auto fields = std::make_tuple(
        number(1, "words", &CommandDispatchDebug::words, domains::kDebugWords, 0),
        number(2, "content_seed", &CommandDispatchDebug::content_seed, domains::kAny, 0));
};

template <>
struct Description<CommandPrefetchDebug> {
    static constexpr std::uint32_t tag = 9;
    static constexpr std::string_view name = "prefetch_debug";
    static constexpr auto fields = std::make_tuple(
        number(1, "words", &CommandPrefetchDebug::words, domains::kDebugWords, 0),
        number(2, "content_seed", &CommandPrefetchDebug::content_seed, domains::kAny, 0));
};

template <>
struct Description<CommandSetWriteOffset> {
    static constexpr std::uint32_t tag = 10;
    static constexpr std::string_view name = "set_write_offset";
    static constexpr auto fields = std::make_tuple(
        number(1, "offset0", &CommandSetWriteOffset::offset0, domains::kWriteOffset, 0),
        number(2, "offset1", &CommandSetWriteOffset::offset1, domains::kWriteOffset, 0),
        number(3, "offset2", &CommandSetWriteOffset::offset2, domains::kWriteOffset, 0));
};

template <>
struct Description<CommandGoTable> {
    static constexpr std::uint32_t tag = 11;
    static constexpr std::string_view name = "go_table";
    static constexpr auto fields =
        std::make_tuple(boolean(1, "by_rows", &CommandGoTable::by_rows, false));
};

template <>
struct Description<CommandGo> {
    static constexpr std::uint32_t tag = 12;
    static constexpr std::string_view name = "go";
    static constexpr auto fields =
        std::make_tuple(boolean(1, "workers", &CommandGo::workers, true),
                        number(2, "ethernet", &CommandGo::ethernet, domains::kEthernetCores, 0));
};

template <>
struct Description<CommandBare> {
    static constexpr std::uint32_t tag = 13;
    static constexpr std::string_view name = "bare";
    static constexpr auto fields =
        std::make_tuple(one_of(1, "command", &CommandBare::command, BareKind::sink),
                        number(2, "value", &CommandBare::value, domains::kWorkerSems, 0));
};

template <>
struct Description<CommandCacheLoad> {
    static constexpr std::uint32_t tag = 14;
    static constexpr std::string_view name = "cache_load";
    static constexpr auto fields =
        std::make_tuple(boolean(1, "reset", &CommandCacheLoad::reset, true),
                        boolean(2, "keep", &CommandCacheLoad::keep, false),
                        number(3, "start", &CommandCacheLoad::start, domains::kSourceStart, 0),
                        number(4, "log_page", &CommandCacheLoad::log_page,
                               domains::kSourceLogPage, 10),
                        number(5, "length", &CommandCacheLoad::length, domains::kCacheBytes, 32));
};

template <>
struct Description<CommandCacheOffset> {
    static constexpr std::uint32_t tag = 15;
    static constexpr std::string_view name = "cache_offset";
    static constexpr auto fields = std::make_tuple(
        number(1, "offset", &CommandCacheOffset::offset, domains::kCacheOffset, 0));
};

template <>
struct Description<CommandExecBuf> {
    static constexpr std::uint32_t tag = 16;
    static constexpr std::string_view name = "exec_buf";
    static constexpr auto fields =
        std::make_tuple(reference(1, "body", &CommandExecBuf::body, Table::bodies));
};

template <>
struct Description<CommandSubmit> {
    static constexpr std::uint32_t tag = 17;
    static constexpr std::string_view name = "submit";
    static constexpr auto fields = std::make_tuple();
};

template <>
struct Description<CommandReadCompletions> {
    static constexpr std::uint32_t tag = 18;
    static constexpr std::string_view name = "read_completions";
    static constexpr auto fields = std::make_tuple();
};

template <>
struct Description<CommandCorrupt> {
    static constexpr std::uint32_t tag = 19;
    static constexpr std::string_view name = "corrupt";
    static constexpr auto fields = std::make_tuple(
        one_of(1, "place", &CommandCorrupt::place, CorruptPlace::dispatch_head),
        number(2, "at", &CommandCorrupt::at, domains::kCorruptAt, 0),
        number(3, "value", &CommandCorrupt::value, domains::kAny, 1),
        boolean(4, "replace", &CommandCorrupt::replace, false));
};

template <>
struct Description<CommandBody> {
    static constexpr std::string_view name = "body";
    static constexpr auto fields =
        std::make_tuple(list(1, "commands", &CommandBody::commands, limits::kBodyCommandsMax));
};

}  // namespace cqfuzz
