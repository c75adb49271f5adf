#include "runtime_under_test/host/buffer.hpp"

#include <algorithm>

#include "runtime_under_test/host/receivers.hpp"

namespace cqfuzz::rt {
namespace {

std::uint32_t div_ceil(std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// What one core holds of the rows and columns of pages.
struct ShardShape {
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
};

ShardShape shape_of(BufferPlacement placement, std::uint32_t pages, std::uint32_t row_pages,
                    const CoreRange& cores) {
    const std::uint32_t rows = div_ceil(pages, row_pages);
    switch (placement) {
        case BufferPlacement::height_sharded: return {div_ceil(rows, cores.count()), row_pages};
        case BufferPlacement::width_sharded: return {rows, div_ceil(row_pages, cores.count())};
        default:
            return {div_ceil(rows, cores.y1 - cores.y0 + 1u),
                    div_ceil(row_pages, cores.x1 - cores.x0 + 1u)};
    }
}

struct ShardSlot {
    std::uint32_t core = 0;  // of the range, row by row
    std::uint32_t slot = 0;  // page number within the core's part
    std::uint32_t page = 0;
};

std::vector<ShardSlot> slots_of(const BufferInfo& info, const ShardShape& shape) {
    const std::uint32_t grid_cols = info.cores.x1 - info.cores.x0 + 1u;
    std::vector<ShardSlot> slots;
    slots.reserve(info.page_count);
    for (std::uint32_t page = 0; page < info.page_count; page++) {
        const std::uint32_t row = page / info.row_pages;
        const std::uint32_t col = page % info.row_pages;
        const std::uint32_t down = row / shape.rows;
        const std::uint32_t right = col / shape.cols;
        const std::uint32_t core = info.placement == BufferPlacement::block_sharded
                                       ? down * grid_cols + right
                                       : down + right;
        slots.push_back({core, row % shape.rows * shape.cols + col % shape.cols, page});
    }
    std::sort(slots.begin(), slots.end(), [](const ShardSlot& a, const ShardSlot& b) {
        return a.core != b.core ? a.core < b.core : a.slot < b.slot;
    });
    return slots;
}

}  // namespace

PagePlace place_of(const BufferInfo& info, std::uint32_t page, std::uint32_t banks) {
    const std::uint32_t alignment = info.placement == BufferPlacement::dram
                                        ? DispatchGeometry::kDramAlignment
                                        : DispatchGeometry::kL1Alignment;
    const std::uint32_t row_bytes = align_up(info.page_size_bytes, alignment);
    return PagePlace{page % banks, info.address + page / banks * row_bytes};
}

std::vector<ShardPiece> shard_pieces(const BufferInfo& info, const ChipDescription& chip) {
    const ShardShape shape = shape_of(info.placement, info.page_count, info.row_pages, info.cores);
    const std::uint32_t grid_cols = info.cores.x1 - info.cores.x0 + 1u;
    std::vector<ShardPiece> pieces;
    const ShardSlot* before = nullptr;
    const std::vector<ShardSlot> slots = slots_of(info, shape);
    for (const ShardSlot& slot : slots) {
        if (before == nullptr || slot.core != before->core || slot.slot != before->slot + 1) {
            ShardPiece piece;
            piece.noc_xy = core_xy(chip, CoreKind::worker, info.cores.x0 + slot.core % grid_cols,
                                   info.cores.y0 + slot.core / grid_cols);
            piece.address = info.address + slot.slot * info.page_size_bytes;
            pieces.push_back(std::move(piece));
        }
        pieces.back().pages.push_back(slot.page);
        before = &slot;
    }
    return pieces;
}

std::uint64_t bytes_per_bank(const BufferSpec& spec, std::uint32_t banks) {
    if (!is_sharded(spec.placement))
        return std::uint64_t{div_ceil(spec.page_count, banks)} * spec.page_size_bytes;
    const ShardShape shape = shape_of(spec.placement, spec.page_count, spec.row_pages, spec.cores);
    return std::uint64_t{shape.rows} * shape.cols * spec.page_size_bytes;
}

}  // namespace cqfuzz::rt
