// Result<T>: a value or a message for the person who gave the input (files, flags). Harness code
// throws nothing.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace cqfuzz {

struct Error {
    std::string message;  // what, where, what to do
};

template <class T>
class Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}

    bool ok() const { return value_.has_value(); }
    explicit operator bool() const { return ok(); }
    const T& value() const { return *value_; }
    T& value() { return *value_; }
    T take() { return std::move(*value_); }
    const std::string& message() const { return error_.message; }

private:
    std::optional<T> value_;
    Error error_;
};

}  // namespace cqfuzz
