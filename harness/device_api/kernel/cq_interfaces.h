// What kernels of 2024 keep of the queues in hugepages. Both objects exist in every hosted object;
// a kernel may define its own instead.
#pragma once

#include <cstdint>

struct CQReadInterface {
    std::uint32_t issue_fifo_size;
    std::uint32_t issue_fifo_limit;
    std::uint32_t issue_fifo_rd_ptr;
    std::uint32_t issue_fifo_rd_toggle;
};
struct CQWriteInterface {
    std::uint32_t completion_fifo_size;
    std::uint32_t completion_fifo_limit;
    std::uint32_t completion_fifo_wr_ptr;
    std::uint32_t completion_fifo_wr_toggle;
};
extern CQReadInterface cq_read_interface;
extern CQWriteInterface cq_write_interface;
