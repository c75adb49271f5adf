// PrefetcherH: fetches from the host and forwards each batch, with a length header, to prefetch_d
// (facts §1.6, §5.4, §16). It looks at nothing but the first command of a batch.
#pragma once

#include "runtime_under_test/faults/faults.hpp"
#include "runtime_under_test/firmware/cb_writer.hpp"
#include "runtime_under_test/firmware/fetch_queue.hpp"
#include "runtime_under_test/protocol/core_launch.hpp"

namespace cqfuzz::fw {

class PrefetcherH {
public:
    PrefetcherH(const rt::CoreLaunch& launch, rt::FaultSet& faults);
    void run();

private:
    rt::FaultSet& faults_;
    FetchQueue fetch_queue_;
    CbWriter downstream_;
};

}  // namespace cqfuzz::fw
