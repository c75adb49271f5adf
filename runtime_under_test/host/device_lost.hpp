// DeviceLost: the device did what the protocol does not allow, so the host knows nothing of its
// state any more. Nobody misused anything. The message says what was expected and what was found.
// The device takes no call after it; a chip that was reset and a new Device do.
#pragma once

#include <stdexcept>
#include <string>

namespace cqfuzz::rt {

class DeviceLost : public std::runtime_error {
public:
    explicit DeviceLost(const std::string& why)
        : std::runtime_error("the device is lost: " + why +
                             "; reset the chip and open a new Device") {}
};

}  // namespace cqfuzz::rt
