// The domains of numbers, one object per meaning: fields that share an object may trade values in a
// mutation.
//
// Bounds are the contract with the runtime's own geometry check (rules G1 … G9, limits.hpp);
// preferred values are those limits, their neighbours, and the two real sets of facts §3.2.
#pragma once

#include "harness/scenario/field.hpp"

namespace cqfuzz::domains {

inline constexpr std::uint32_t kAnyMax = 0xffffffff;

// topology
inline constexpr NumberDomain kGridSide = range(1, 8, 1, "cores", {1, 2, 3, 8});
inline constexpr NumberDomain kEthernetCores = range(0, 16, 1, "cores", {0, 1, 2, 4, 16});

inline constexpr NumberDomain kChips = choice("chips", {1, 2, 4, 6, 8});

// geometry
inline constexpr NumberDomain kLogPage = range(10, 12, 1, "log2 bytes", {10, 11, 12});  // G1, G6
inline constexpr NumberDomain kPagesPerBlock = range(1, 32, 1, "pages", {1, 2, 3, 4, 8, 32});  // G2
inline constexpr NumberDomain kBlocks = choice("blocks", {4, 8});                              // G2
inline constexpr NumberDomain kScratch =
    range(1024, 131072, 64, "bytes", {1024, 1088, 2048, 19456, 131072});  // G4
inline constexpr NumberDomain kMaxPrefetchCommand =
    range(4096, 131072, 32, "bytes", {4096, 4128, 8192, 32768, 131072});  // G5
inline constexpr NumberDomain kCmddatQ =
    range(8192, 262144, 32, "bytes", {8192, 8224, 65536, 262144});  // G5
inline constexpr NumberDomain kPrefetchQEntries =
    range(2, 1532, 1, "entries", {2, 3, 4, 128, 1532});                                       // G5
inline constexpr NumberDomain kDramBanks = range(1, 16, 1, "banks", {1, 2, 3, 8, 12, 16});    // G6
inline constexpr NumberDomain kCompletionPages = range(2, 4096, 1, "pages", {2, 3, 4, 256});  // G7
inline constexpr NumberDomain kPackedWriteMax =
    range(2, 64, 2, "sub-commands", {2, 4, 8, 62, 64});  // G8
inline constexpr NumberDomain kWorkerConfig =
    range(8192, 70656, 32, "bytes", {8192, 16384, 70656});  // G9
inline constexpr NumberDomain kCommandQueues = range(1, 2, 1, "queues", {1, 2});
inline constexpr NumberDomain kDispatchSPages =
    range(1, 256, 1, "pages", {1, 2, 3, 4, 128, 256});  // G13
inline constexpr NumberDomain kUndepartedMax = choice("writes, 0 = unbounded", {0, 1, 2, 4, 16});

inline constexpr NumberDomain kTunnelLogPage = range(6, 10, 1, "log2 bytes", {6, 8, 10});
inline constexpr NumberDomain kTunnelPages =
    range(5, 512, 1, "pages", {5, 17, 18, 33, 65, 128, 512});  // K3

// counters
inline constexpr NumberDomain kCounterStart =
    range(0, kAnyMax, 1, "", {0, 0xffffffff, 0xfffffff0, 0xffffff00, 0x7fffffff, 0x80000000});

// programs
inline constexpr NumberDomain kCoordinate = range(0, 15, 1, "", {0, 1, 2, 7});
inline constexpr NumberDomain kProcessor = range(0, 4, 1, "", {0, 1, 4});
inline constexpr NumberDomain kBinary =
    range(16, 16384, 16, "bytes", {16, 32, 512, 528, 1024, 2048, 4096});
inline constexpr NumberDomain kArgs = range(0, 256, 1, "words", {0, 1, 4, 8, 12, 255, 256});
inline constexpr NumberDomain kExchange =
    range(0, 16384, 16, "bytes", {0, 16, 512, 4096, 8192, 8208});  // X1
inline constexpr NumberDomain kSemaphoreId = range(0, 15, 1, "", {0, 1, 15});
inline constexpr NumberDomain kCbIndex = range(0, 31, 1, "", {0, 1, 7, 15, 31});
inline constexpr NumberDomain kCbPages = range(1, 64, 1, "pages", {1, 2, 64});
inline constexpr NumberDomain kCbPageSize = range(16, 4096, 16, "bytes", {16, 64, 2048, 4096});
inline constexpr NumberDomain kAny = range(0, kAnyMax, 1, "", {0, 1, kAnyMax});

// buffers, traces, ops
inline constexpr NumberDomain kBufferPages = range(1, 64, 1, "pages", {1, 2, 11, 12, 13, 17, 64});
inline constexpr NumberDomain kBufferPageSize =
    range(32, 16384, 32, "bytes", {32, 64, 1024, 2048, 4064, 4096, 4128, 16384});
inline constexpr NumberDomain kRowPages = range(1, 64, 1, "pages", {1, 2, 3, 4, 8, 64});
inline constexpr NumberDomain kDevice = range(0, 7, 1, "chip", {0, 1});
inline constexpr NumberDomain kQueue = range(0, 1, 1, "command queue", {0, 1});
inline constexpr NumberDomain kEvent = range(0, 3, 1, "event", {0, 1, 2, 3});
inline constexpr NumberDomain kTimes = range(1, 16, 1, "times", {1, 2, 8, 16});

// commands
inline constexpr NumberDomain kAreaOffset =
    range(0, 16368, 16, "bytes", {0, 16, 32, 1024, 4096, 16368});
inline constexpr NumberDomain kSourceStart = range(0, 15, 1, "", {0, 1, 2, 15});  // inv. 104
inline constexpr NumberDomain kSourcePage =
    range(32, 4096, 32, "bytes", {32, 64, 512, 544, 1024, 2048, 4096});
inline constexpr NumberDomain kSourceLogPage = range(5, 12, 1, "log2 bytes", {5, 6, 10, 12});
inline constexpr NumberDomain kSourceParts = range(1, 52, 1, "parts", {1, 2, 34, 35, 51, 52});
inline constexpr NumberDomain kOffsetIndex = range(0, 2, 1, "", {0, 1, 2});
inline constexpr NumberDomain kStreamBytes =
    range(1, 16384, 1, "bytes", {1, 16, 496, 1024, 4096, 8192, 8208, 16384});
inline constexpr NumberDomain kHostBytes =
    range(0, 16384, 1, "bytes", {0, 16, 4080, 4081, 4096, 8176, 16384});
inline constexpr NumberDomain kStreamPage =
    range(16, 4096, 16, "bytes", {16, 32, 512, 1024, 2032, 4096});
inline constexpr NumberDomain kPackedCount = range(1, 64, 1, "sub-commands", {1, 2, 31, 32, 64});
inline constexpr NumberDomain kPackedSize =
    range(1, 4096, 1, "bytes", {1, 16, 17, 256, 1008, 1024, 4096});
inline constexpr NumberDomain kLargeAlignment = choice("bytes", {16, 32, 64});
inline constexpr NumberDomain kLargeLength =
    range(1, 8192, 1, "bytes", {1, 16, 496, 1024, 1040, 4096, 8192});
inline constexpr NumberDomain kBehind = range(0, 64, 1, "completions", {0, 1, 4});
inline constexpr NumberDomain kDebugWords = range(0, 64, 1, "words", {0, 1, 4, 64});
inline constexpr NumberDomain kWriteOffset =
    range(0, kAnyMax, 16, "bytes", {0, 16, 4096, 0x80000000, 0xfffffff0});
inline constexpr NumberDomain kWorkerSems = range(0, 8, 1, "", {0, 1, 8});
inline constexpr NumberDomain kCacheBytes =
    range(32, 8192, 32, "bytes", {32, 512, 1024, 4096, 8192});
inline constexpr NumberDomain kCacheOffset = range(0, 65504, 32, "bytes", {0, 32, 1024});
inline constexpr NumberDomain kCorruptAt = range(0, 1023, 1, "words", {0, 1, 2, 3});

// behaviour and schedule
inline constexpr NumberDomain kKernelSteps = range(1, 64, 1, "moves", {1, 2, 8, 64});
inline constexpr NumberDomain kKernelJitter = range(0, 64, 1, "moves", {0, 1, 8, 64});
inline constexpr NumberDomain kHostPause = range(0, 1024, 1, "moves", {0, 1, 16, 256});
inline constexpr NumberDomain kChangePoints = range(0, 16, 1, "", {0, 1, 3, 16});
inline constexpr NumberDomain kActor = range(0, 831, 1, "tile", {0, 1, 2, 3, 4});
inline constexpr NumberDomain kSplitMulticast = range(0, 64, 1, "one in, 0 = never", {0, 1, 2, 8});
inline constexpr NumberDomain kNoc = range(0, 255, 1, "", {0, 1});
inline constexpr NumberDomain kOrdinal = range(1, kAnyMax, 1, "", {1, 2, 8});

}  // namespace cqfuzz::domains
