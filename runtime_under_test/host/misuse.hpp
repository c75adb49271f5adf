// Misuse: the caller asked for what the API does not allow. The message says what was wrong, what
// was expected and what to do. Nothing already enqueued is lost; the device stays usable. What the
// device does wrong is DeviceLost (device_lost.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace cqfuzz::rt {

class Misuse : public std::runtime_error {
public:
    explicit Misuse(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace cqfuzz::rt
