// Target multi_chip: pairs of chips, programs, traces and buffers on both sides of the tunnel.
//
// Surface: mux, demux, tunnelers and their credits, the remote chip's prefetcher and dispatcher,
// host calls for several devices in turn, the hugepage that a pair shares. Oracles: all. Order
// levels: O0 to O2. Cannot reach: several remote chips on one tunnel, two command queues,
// sub-devices, events; commands that no host would encode.
#include "fuzz_targets/target.hpp"

CQFUZZ_TARGET_ENTRY_POINTS(cqfuzz::Domain::multi_chip, "")
