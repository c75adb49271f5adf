#include "harness/oracle/program_plan.hpp"

#include "harness/oracle/config_arrivals.hpp"

namespace cqfuzz {

bool is_on(const NocRectangle& cores, bool on_ethernet, const LogicalCore& core) {
    return on_ethernet == core.on_ethernet && cores.contains({core.x, core.y});
}

ProgramPlan::Share ProgramPlan::share_of(const LogicalCore& core) const {
    Share share;
    std::uint64_t number = 1;
    const auto take = [&](const NocRectangle& cores, bool on_ethernet) {
        const bool here = is_on(cores, on_ethernet, core);
        share.parts = mixed(share.parts, number++ * 2 + (here ? 1 : 0));
        return here;
    };
    for (const KernelImage& kernel : image_->kernels)
        if (take(kernel.cores, kernel.on_ethernet))
            share.enables = static_cast<std::uint8_t>(share.enables | 1u << kernel.processor);
    for (const SemaphoreImage& semaphore : image_->semaphores)
        take(semaphore.cores, semaphore.on_ethernet);
    for (const CircularBufferImage& cb : image_->circular_buffers) take(cb.cores, false);
    return share;
}

void ProgramPlan::make(const ProgramImage& image, const std::vector<LogicalCore>& cores) {
    image_ = &image;
    on_workers_ = on_ethernet_ = false;
    shares_.clear();
    for (const LogicalCore& core : cores) shares_.push_back(share_of(core));
    first_of_.clear();
    arguments_.clear();
    argument_names_.clear();
    for (const KernelImage& kernel : image.kernels) {
        (kernel.on_ethernet ? on_ethernet_ : on_workers_) = true;
        first_of_.push_back({static_cast<std::uint32_t>(arguments_.size()),
                             static_cast<std::uint32_t>(argument_names_.size())});
        if (kernel.args_words == 0) continue;
        for (std::uint32_t y = kernel.cores.first.y; y <= kernel.cores.last.y; ++y)
            for (std::uint32_t x = kernel.cores.first.x; x <= kernel.cores.last.x; ++x) {
                for (std::uint32_t k = 0; k < kernel.args_words; ++k)
                    arguments_.push_back(runtime_arg_word(kernel.args_seed, x, y, k));
                argument_names_.push_back(
                    name_of_bytes(&arguments_[arguments_.size() - kernel.args_words],
                                  kernel.args_words * std::size_t{4}));
            }
    }
}

std::uint32_t ProgramPlan::number_in_range(std::size_t kernel, const LogicalCore& core) const {
    const NocRectangle& cores = image_->kernels[kernel].cores;
    return (core.y - cores.first.y) * (cores.last.x - cores.first.x + 1u) +
           (core.x - cores.first.x);
}

const std::uint32_t* ProgramPlan::arguments(std::size_t kernel, const LogicalCore& core) const {
    return arguments_.data() + first_of_[kernel].argument +
           std::size_t{number_in_range(kernel, core)} * image_->kernels[kernel].args_words;
}

std::uint64_t ProgramPlan::arguments_name(std::size_t kernel, const LogicalCore& core) const {
    return argument_names_[first_of_[kernel].name + number_in_range(kernel, core)];
}

}  // namespace cqfuzz
