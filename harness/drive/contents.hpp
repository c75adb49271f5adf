// Contents: what a drawn program or buffer holds, byte by byte. The same values go to the runtime
// (rt::Program) and to the oracles (ProgramImage); nothing is taken back from the runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/base/host_call.hpp"
#include "harness/scenario/scenario.hpp"
#include "runtime_under_test/host/buffer.hpp"
#include "runtime_under_test/host/program.hpp"

namespace cqfuzz {

// `id` is the program's number in the scenario; the runtime and the launch message carry it.
ProgramImage image_of(const Program& program, std::uint32_t id);
rt::Program runtime_program_of(const ProgramImage& image);

BufferShape shape_of(const Buffer& buffer);
rt::BufferSpec runtime_buffer_of(const Buffer& buffer);

// `length` bytes that depend on the seed alone; equal seeds share prefixes.
void fill_bytes(std::uint64_t seed, std::size_t length, std::vector<std::byte>& bytes);

}  // namespace cqfuzz
