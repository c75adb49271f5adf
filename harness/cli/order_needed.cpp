#include "harness/cli/order_needed.hpp"

#include <algorithm>

#include "harness/cli/terminal.hpp"

namespace cqfuzz::cli {

std::optional<OrderLevel> order_needed(Runner& runner, const Scenario& scenario,
                                       const RunOptions& options, const Verdict& verdict) {
    const OrderLevel run_at = std::min(scenario.order, options.order_max);
    for (unsigned level = 0; level < static_cast<unsigned>(run_at); ++level) {
        RunOptions weaker = options;
        weaker.order_max = static_cast<OrderLevel>(level);
        const Verdict again = runner.run(scenario, weaker);
        if (interrupted()) return std::nullopt;
        if (again.kind == verdict.kind &&
            again.violation.signature() == verdict.violation.signature()) {
            return static_cast<OrderLevel>(level);
        }
    }
    return run_at;
}

}  // namespace cqfuzz::cli
