#include "harness/cli/hosted_search.hpp"

#include <set>
#include <vector>

#include "harness/search/next_scenario.hpp"

namespace cqfuzz::cli {

namespace {

// Of those that reached something new, in the domain or in the kernels.
class KernelPool : public ScenarioPool {
public:
    void consider(const Scenario& scenario, const std::vector<std::uint16_t>& features,
                  const std::vector<std::uint32_t>& edges, Rng& rng) {
        bool is_new = false;
        for (const std::uint16_t feature : features) is_new |= features_.insert(feature).second;
        for (const std::uint32_t edge : edges) is_new |= edges_.insert(edge).second;
        if (is_new) keep(scenario, rng);
    }
    std::size_t edges() const { return edges_.size(); }

private:
    std::set<std::uint16_t> features_;
    std::set<std::uint32_t> edges_;
};

Scenario next_scenario(const ScenarioPool& pool, Domain domain, Rng& rng) {
    if (pool.empty() || rng.below(2) == 0) return generate(domain, rng, kHostedOpsMax);
    Scenario scenario = pool.pick(rng);
    mutate(scenario, domain, rng, kHostedOpsMax);
    return scenario;
}

}  // namespace

HostedTrial search_hosted(Hosted& hosted, Runner& runner, std::uint64_t seed,
                          std::uint64_t scenarios_max,
                          const std::function<bool(const HostedTrial&)>& on_progress) {
    HostedTrial trial;
    KernelPool pool;
    Rng rng(seed);
    while (trial.scenarios < scenarios_max) {
        hosting::HostedKernels& kernels = *hosted.kernels[trial.scenarios % hosted.kernels.size()];
        Scenario scenario = next_scenario(pool, domain_of(hosted.manifest, trial.scenarios), rng);
        kernels.adapt(scenario);
        Verdict verdict = runner.run(scenario, options_for(kernels));
        ++trial.scenarios;
        trial.commands += runner.stats().dispatched_commands;
        if (verdict.bad()) {
            trial.found = true;
            trial.kernels = &kernels;
            trial.scenario = std::move(scenario);
            trial.verdict = std::move(verdict);
            return trial;
        }
        pool.consider(scenario, runner.reach().features(), kernels.edges(), rng);
        trial.edges = pool.edges();
        if (!on_progress(trial)) break;
    }
    return trial;
}

}  // namespace cqfuzz::cli
