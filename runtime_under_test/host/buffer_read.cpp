// Buffer reads: RELAY_PAGED from interleaved pages, RELAY_LINEAR from each core's shard, into the
// completion queue (facts §7).
#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime_under_test/host/receivers.hpp"
#include "runtime_under_test/host/runtime_assert.hpp"
#include "runtime_under_test/host/transfer.hpp"

namespace cqfuzz::rt {
namespace {

constexpr std::uint32_t kRelayStartPageMax = 0xf;  // RELAY_PAGED names it in 4 bits (inv. 104)

// The payload bytes that one read command may relay: its completion pages leave one of the ring
// free, so that a read completes whatever else the ring holds.
std::uint32_t read_bytes_max(const DispatchGeometry& geometry) {
    const std::uint32_t ring_bytes =
        geometry.completion_region_bytes - DispatchGeometry::kCompletionPageBytes;
    return (ring_bytes - kCommandBytes) / DispatchGeometry::kDramAlignment *
           DispatchGeometry::kDramAlignment;
}

// One read command and its completion.
template <class Relay>
void read_run(CommandQueue& queue, const Relay& relay, std::span<std::byte> to) {
    WriteLinearHHost head;
    head.length = kCommandBytes + static_cast<std::uint32_t>(to.size());
    queue.sequence.add_relayed(head, relay);
    queue.submit();
    queue.completions.wait_read(to);
}

void read_linear(CommandQueue& queue, std::uint32_t noc_xy, std::uint32_t address,
                 std::span<std::byte> to) {
    RelayLinear relay;
    relay.noc_xy_addr = noc_xy;
    relay.addr = address;
    relay.length = static_cast<std::uint32_t>(to.size());
    read_run(queue, relay, to);
}

// Of a buffer over all DRAM banks or all workers.
class InterleavedReader {
public:
    InterleavedReader(CommandQueue& queue, const BufferInfo& info)
        : queue_(queue),
          info_(info),
          in_dram_(info.placement == BufferPlacement::dram),
          banks_(in_dram_ ? queue.config.geometry.dram_banks
                          : std::uint32_t{queue.config.chip.worker_cols} *
                                queue.config.chip.worker_rows) {}

    void read(std::span<std::byte> bytes) {
        const std::uint32_t page_size = info_.page_size_bytes;
        const std::uint32_t bytes_max = read_bytes_max(queue_.config.geometry);
        const std::uint32_t pages_max = bytes_max / page_size;
        for (std::uint32_t page = 0; page < info_.page_count;) {
            PagePlace place = place_of(info_, page, banks_);
            const std::size_t from = std::size_t{page} * page_size;
            if (pages_max != 0) {
                const std::uint32_t pages =
                    nameable(place) ? std::min(pages_max, info_.page_count - page) : 1;
                read_pages(place, page_size, pages,
                           bytes.subspan(from, std::size_t{pages} * page_size));
                page += pages;
                continue;
            }
            for (std::uint32_t done = 0; done < page_size;) {
                const std::uint32_t part = std::min(bytes_max, page_size - done);
                read_pages(place, part, 1, bytes.subspan(from + done, part));
                place.address += part;
                done += part;
            }
            page++;
        }
    }

private:
    // Sixteen banks fit the field; a page in another worker's L1 is read for itself.
    static bool nameable(const PagePlace& place) { return place.bank <= kRelayStartPageMax; }

    void read_pages(const PagePlace& place, std::uint32_t page_size, std::uint32_t pages,
                    std::span<std::byte> to) {
        if (!nameable(place)) {
            const std::uint32_t cols = queue_.config.chip.worker_cols;
            read_linear(
                queue_,
                core_xy(queue_.config.chip, CoreKind::worker, place.bank % cols, place.bank / cols),
                place.address, to);
            return;
        }
        RelayPaged relay;
        relay.is_dram = in_dram_;
        relay.start_page = static_cast<std::uint8_t>(place.bank);
        relay.base_addr = place.address;
        relay.page_size = page_size;
        relay.pages = pages;
        read_run(queue_, relay, to);
    }

    CommandQueue& queue_;
    const BufferInfo& info_;
    bool in_dram_;
    std::uint32_t banks_;
};

// Gives the bytes of the piece, from `from` on, to its pages.
void scatter(const ShardPiece& piece, std::uint32_t page_size, std::span<const std::byte> in,
             std::uint32_t from, std::span<std::byte> bytes) {
    for (std::size_t done = 0; done < in.size();) {
        const std::size_t at = from + done;
        const std::size_t in_page = at % page_size;
        const std::size_t n = std::min(page_size - in_page, in.size() - done);
        std::memcpy(bytes.data() + std::size_t{piece.pages[at / page_size]} * page_size + in_page,
                    in.data() + done, n);
        done += n;
    }
}

void read_shards(CommandQueue& queue, const BufferInfo& info, std::span<std::byte> bytes) {
    const std::uint32_t part_max = read_bytes_max(queue.config.geometry);
    std::vector<std::byte> part;
    for (const ShardPiece& piece : shard_pieces(info, queue.config.chip)) {
        const auto total = static_cast<std::uint32_t>(piece.pages.size()) * info.page_size_bytes;
        for (std::uint32_t done = 0; done < total;) {
            part.resize(std::min(part_max, total - done));
            read_linear(queue, piece.noc_xy, piece.address + done, part);
            scatter(piece, info.page_size_bytes, part, done, bytes);
            done += static_cast<std::uint32_t>(part.size());
        }
    }
}

}  // namespace

void read_buffer(Device::State& device, CommandQueue& queue, const BufferInfo& info,
                 std::span<std::byte> bytes) {
    RUNTIME_ASSERT(bytes.size() == std::size_t{info.page_count} * info.page_size_bytes);
    queue.sequence.clear();
    add_stall_pair(device, queue, true, device.workers.expected(queue.number()));
    if (is_sharded(info.placement))
        read_shards(queue, info, bytes);
    else
        InterleavedReader(queue, info).read(bytes);
}

}  // namespace cqfuzz::rt
