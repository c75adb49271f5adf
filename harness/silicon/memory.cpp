#include "harness/silicon/memory.hpp"

#include <sys/mman.h>

#include <bit>
#include <cerrno>

#include "harness/base/check.hpp"

namespace cqfuzz {
namespace {

// Page numbers: the L1 region, then the banks, then the hugepage.
constexpr std::uint32_t kL1Pages = kL1SlotsMax * (kL1SlotBytes / kMemoryPageBytes);
constexpr std::uint32_t kBanksOfChip = 16;
constexpr std::uint32_t kBanksMax = kChipsMax * kBanksOfChip;
constexpr std::uint32_t kChannelsMax = kChipsMax / 2;
constexpr std::uint32_t kBankPages = kDramBankBytesMax / kMemoryPageBytes;
constexpr std::uint32_t kChannelBytes = 2 * kHugepageBytesMax;  // of a pair
constexpr std::uint32_t kHugepagePages = kChannelBytes / kMemoryPageBytes;
constexpr std::uint32_t kDramFirstPage = kL1Pages;
constexpr std::uint32_t kHugepageFirstPage = kDramFirstPage + kBanksMax * kBankPages;
constexpr std::uint32_t kAllPages = kHugepageFirstPage + kChannelsMax * kHugepagePages;

// Beyond this many pages (256 MiB) everything is given back to the OS: a long hunt would else keep
// each page that any of its scenarios ever touched.
constexpr std::uint64_t kResidentPagesMax = 65536;

constexpr std::size_t kMarkBytesOfPage = kMemoryPageBytes / 4 / 8;

struct Arenas {
    std::byte* l1 = nullptr;
    std::byte* dram = nullptr;
    std::byte* hugepage = nullptr;
    std::byte* marks = nullptr;

    std::byte* page(std::uint32_t number) const {
        const auto offset = [](std::uint32_t pages) {
            return static_cast<std::size_t>(pages) * kMemoryPageBytes;
        };
        if (number < kDramFirstPage) return l1 + offset(number);
        if (number < kHugepageFirstPage) return dram + offset(number - kDramFirstPage);
        return hugepage + offset(number - kHugepageFirstPage);
    }
};

std::byte* map(void* at, std::size_t bytes, int flags) {
    void* mapped = ::mmap(at, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

Arenas map_arenas() {
    constexpr std::size_t kL1Bytes = static_cast<std::size_t>(kL1SlotsMax) * kL1SlotBytes;
    Arenas arenas;
    arenas.l1 = map(reinterpret_cast<void*>(static_cast<std::uintptr_t>(kL1RegionBase)), kL1Bytes,
                    MAP_FIXED_NOREPLACE);
    CHECK(arenas.l1 != nullptr,
          "the L1 region [0x%x, +%zu MiB) cannot be mapped (errno %d): the range is taken. Build "
          "as PIE, run natively, "
          "and under a sanitizer without address randomisation (setarch -R)",
          kL1RegionBase, kL1Bytes >> 20, errno);
    CHECK(reinterpret_cast<std::uintptr_t>(arenas.l1) == kL1RegionBase,
          "the OS put the L1 region at %p instead of 0x%x: it knows no MAP_FIXED_NOREPLACE (Linux "
          "4.17)",
          static_cast<void*>(arenas.l1), kL1RegionBase);
    arenas.dram = map(nullptr, static_cast<std::size_t>(kBanksMax) * kDramBankBytesMax, 0);
    CHECK(arenas.dram != nullptr, "no address space for %u DRAM banks (errno %d)", kBanksMax,
          errno);
    arenas.hugepage = map(nullptr, std::size_t{kChannelsMax} * kChannelBytes, 0);
    CHECK(arenas.hugepage != nullptr, "no address space for the hugepage (errno %d)", errno);
    arenas.marks = map(nullptr, kMarkBytesOfPage * kAllPages, 0);
    CHECK(arenas.marks != nullptr, "no address space for the marks of written words (errno %d)",
          errno);
    return arenas;
}

// Mapped once per process and kept: mapping costs more than a run.
const Arenas& arenas() {
    static const Arenas mapped = map_arenas();
    return mapped;
}

void give_back(std::byte* base, std::size_t bytes) {
    CHECK(::madvise(base, bytes, MADV_DONTNEED) == 0, "madvise failed (errno %d)", errno);
}

}  // namespace

Memory::Memory() : bitmap_(kAllPages / 64) {
    static_assert(kAllPages % 64 == 0);
    written_ = reinterpret_cast<std::uint64_t*>(arenas().marks);
}

Memory::~Memory() { zero_touched(); }

void Memory::zero_touched() {
    maybe_resident_ += touched_.size();
    if (maybe_resident_ > kResidentPagesMax) {
        give_back(arenas().l1, static_cast<std::size_t>(kL1SlotsMax) * kL1SlotBytes);
        give_back(arenas().dram, static_cast<std::size_t>(kBanksMax) * kDramBankBytesMax);
        give_back(arenas().hugepage, std::size_t{kChannelsMax} * kChannelBytes);
        give_back(arenas().marks, kMarkBytesOfPage * kAllPages);
        maybe_resident_ = 0;
        for (const std::uint32_t page : touched_) bitmap_[page / 64] = 0;
    } else {
        for (const std::uint32_t page : touched_) {
            bitmap_[page / 64] = 0;
            std::memset(arenas().page(page), 0, kMemoryPageBytes);
            std::memset(arenas().marks + page * kMarkBytesOfPage, 0, kMarkBytesOfPage);
        }
    }
    touched_.clear();
}

std::uint32_t Memory::written_from(TileIndex tile, std::uint32_t address,
                                   std::uint32_t length) const {
    if (length == 0) return 0;
    const std::uint64_t at = std::uint64_t{areas_[tile].first_page} * kWordsOfPage;
    const std::uint64_t first = at + address / 4;
    const std::uint64_t last = at + (address + length - 1) / 4;
    for (std::uint64_t word = first / 64; word <= last / 64; ++word) {
        std::uint64_t missing = ~written_[word];
        if (word == first / 64) missing &= ~0ull << (first % 64);
        if (word == last / 64) missing &= ~0ull >> (63 - last % 64);
        if (missing == 0) continue;
        const auto bit = static_cast<std::uint64_t>(std::countr_zero(missing));
        const std::uint64_t byte = (word * 64 + bit - at) * 4;
        return byte <= address ? 0 : static_cast<std::uint32_t>(byte) - address;
    }
    return length;
}

void Memory::reset(const TileTable& tiles, const MachineConfig& config) {
    CHECK(config.dram_bank_bytes <= kDramBankBytesMax, "a DRAM bank of %u bytes; at most %u",
          config.dram_bank_bytes, kDramBankBytesMax);
    CHECK(config.hugepage_bytes <= kHugepageBytesMax, "a hugepage of %u bytes; at most %u",
          config.hugepage_bytes, kHugepageBytesMax);
    // Both chips of a pair share the hugepage of the one with PCIe.
    const std::uint32_t hugepage_bytes = config.hugepage_bytes * (config.chips == 1 ? 1 : 2);
    zero_touched();
    std::uint32_t slot = kFirstL1Slot;
    for (TileIndex tile = 0; tile < tiles.count(); ++tile) {
        Area& area = areas_[tile];
        switch (const TileView& view = tiles.views()[tile]; view.kind) {
            case TileKind::pcie:
                area.first_page = kHugepageFirstPage + view.chip / 2u * kHugepagePages;
                area.size = hugepage_bytes;
                break;
            case TileKind::dram:
                area.first_page =
                    kDramFirstPage + (view.chip * kBanksOfChip + view.bank) * kBankPages;
                area.size = config.dram_bank_bytes;
                break;
            case TileKind::worker:
            case TileKind::ethernet:
            case TileKind::dispatch:
                area.first_page = slot++ * (kL1SlotBytes / kMemoryPageBytes);
                area.size = kL1SlotBytes;
                break;
        }
        area.base = arenas().page(area.first_page);
    }
    CHECK(slot <= kL1SlotsMax, "%u cores; the L1 region holds %u", slot, kL1SlotsMax);
    for (std::uint32_t tile = tiles.count(); tile < areas_used_; ++tile) areas_[tile] = Area{};
    areas_used_ = tiles.count();
}

}  // namespace cqfuzz
