// Compiles a role's sources, as they stand, into a shared object that the silicon can run
// (facts §10; docs/hosting.md tells how).
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/hosting/manifest.hpp"

namespace cqfuzz::hosting {

struct BuildPlace {
    std::string compiler;  // a clang++
    std::string sdk;       // folder that holds harness/device_api and harness/hosting
    std::string cache;     // folder for objects; made when it is missing
};

// The path of the object: from the cache when sources, headers, flags and arguments are the same.
// The error holds what the compiler said.
Result<std::string> build_role(const Manifest& manifest, const HostedRole& role,
                               const HostedGeometry& geometry, std::uint32_t queue,
                               const BuildPlace& place);

}  // namespace cqfuzz::hosting
