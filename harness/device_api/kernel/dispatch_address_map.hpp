// Where dispatch's words lie: on the role's own core, as pointers, and in the queue's part of the
// hugepage, as offsets (facts §1.4, §3.3). Of the geometry that the role is built for.
#pragma once

#include <cstdint>

#ifdef CQFUZZ_L1
inline constexpr std::uint32_t L1_UNRESERVED_BASE = CQFUZZ_SEMAPHORE_BASE;
inline constexpr std::uint32_t PREFETCH_Q_RD_PTR = CQFUZZ_L1 + CQFUZZ_PREFETCH_Q_RD_PTR;
inline constexpr std::uint32_t PREFETCH_Q_PCIE_RD_PTR = CQFUZZ_L1 + CQFUZZ_PREFETCH_Q_PCIE_RD_PTR;
inline constexpr std::uint32_t CQ_COMPLETION_WRITE_PTR = CQFUZZ_L1 + CQFUZZ_COMPLETION_WR_PTR;
inline constexpr std::uint32_t CQ_COMPLETION_READ_PTR = CQFUZZ_L1 + CQFUZZ_COMPLETION_RD_PTR;
inline constexpr std::uint32_t CQ0_COMPLETION_LAST_EVENT = CQFUZZ_L1 + CQFUZZ_LAST_EVENT0;
inline constexpr std::uint32_t CQ1_COMPLETION_LAST_EVENT = CQFUZZ_L1 + CQFUZZ_LAST_EVENT1;
inline constexpr std::uint32_t DISPATCH_MESSAGE_ADDR = CQFUZZ_L1 + CQFUZZ_MESSAGE;
inline constexpr std::uint32_t PREFETCH_Q_BASE = CQFUZZ_L1 + CQFUZZ_PREFETCH_Q_BASE;
inline constexpr std::uint32_t DISPATCH_BUFFER_BASE = CQFUZZ_L1 + CQFUZZ_RING_BASE;
#endif

// One pointer word per PCIe alignment, from the queue's base.
inline constexpr std::uint32_t HOST_CQ_ISSUE_READ_PTR = 0;
inline constexpr std::uint32_t HOST_CQ_ISSUE_WRITE_PTR = 32;
inline constexpr std::uint32_t HOST_CQ_COMPLETION_WRITE_PTR = 64;
inline constexpr std::uint32_t HOST_CQ_COMPLETION_READ_PTR = 96;
inline constexpr std::uint32_t CQ_START = 128;
