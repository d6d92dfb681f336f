// SPDX-License-Identifier: MIT
//
// Result<T, E>: a value or an error, for bad configuration, files and command lines (error kind 3
// of the style guide). Spelled like std::expected, which gcc 12 and clang 14 do not share.
#pragma once

#include <utility>
#include <variant>

#include "engine/base/check.hpp"

namespace wt {

template <class E>
struct Unexpected {
    E error;
};

template <class E>
Unexpected<E> unexpected(E error) {
    return {std::move(error)};
}

template <class T, class E>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Unexpected<E> failure) : state_(std::in_place_index<1>, std::move(failure.error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    // The value; a bug (WT_CHECK) when there is none.
    T& value() {
        WT_CHECK(has_value());
        return *std::get_if<0>(&state_);
    }
    const T& value() const {
        WT_CHECK(has_value());
        return *std::get_if<0>(&state_);
    }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    // The error; a bug (WT_CHECK) when there is a value.
    E& error() {
        WT_CHECK(!has_value());
        return *std::get_if<1>(&state_);
    }
    const E& error() const {
        WT_CHECK(!has_value());
        return *std::get_if<1>(&state_);
    }

private:
    std::variant<T, E> state_;
};

}  // namespace wt
