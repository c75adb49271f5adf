#include "runtime_under_test/firmware/completion_writer.hpp"

#include "harness/device_api/dataflow_api.h"
#include "runtime_under_test/firmware/cb_writer.hpp"

namespace cqfuzz::fw {
namespace {

constexpr std::uint32_t kPageBytes = rt::DispatchGeometry::kCompletionPageBytes;

}  // namespace

CompletionWriter::CompletionWriter(const rt::DeviceConfig& config,
                                   const rt::DispatchCoreLayout& self, rt::FaultSet& faults)
    : faults_(faults),
      pcie_xy_(config.chip.pcie.noc_xy()),
      base_(config.host.completion_base),
      end_(config.host.completion_base + config.geometry.completion_region_bytes),
      host_pointer_word_(config.host.completion_write_ptr),
      own_pointer_word_(self.completion_wr_ptr),
      read_pointer_word_(self.completion_rd_ptr),
      page_(config.host.completion_base) {}

// Empty when pointers and toggles are equal, full when only the pointers are.
bool CompletionWriter::has_free_page() {
    const std::uint32_t read = device::poll_l1(read_pointer_word_);
    const std::uint32_t read_address = (read & ~kToggle) << 4;
    return read_address != page_ || (read & kToggle) == toggle_;
}

std::uint32_t CompletionWriter::reserve() {
    if (!reserved_) {
        device::waypoint("waits for room in the completion queue");
        while (!has_free_page()) {
        }
        reserved_ = true;
    }
    return kPageBytes - used_;
}

void CompletionWriter::write(std::uint32_t source, std::uint32_t length, BlockReader& reader) {
    noc_async_write_one_packet(source, get_noc_addr_helper(pcie_xy_, page_ + used_), length,
                               kDataNoc);
    reader.count_packet();
    used_ += length;
    if (used_ == kPageBytes) page_done(reader);
}

void CompletionWriter::finish_command(BlockReader& reader) {
    if (used_ != 0) page_done(reader);
}

void CompletionWriter::page_done(BlockReader& reader) {
    used_ = 0;
    reserved_ = false;
    page_ += kPageBytes;
    if (page_ == end_) {
        page_ = base_;
        toggle_ ^= kToggle;
    }
    publish(reader);
}

void CompletionWriter::publish(BlockReader& reader) {
    device::l1_store_u32(own_pointer_word_, (page_ >> 4) | toggle_);
    noc_async_write_one_packet(own_pointer_word_, get_noc_addr_helper(pcie_xy_, host_pointer_word_),
                               4, kDataNoc);
    if (!faults_.on(rt::Fault::completion_pointer_not_counted)) reader.count_packet();
    device::waypoint("flushes the completion pointer");
    if (!faults_.on(rt::Fault::completion_pointer_reused)) noc_async_writes_flushed(kDataNoc);
}

}  // namespace cqfuzz::fw
