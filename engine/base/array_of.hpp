// SPDX-License-Identifier: MIT
//
// An array whose elements are all made from the same argument, for elements that cannot be copied.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

namespace wt {

template <class T, std::size_t N, class Argument>
[[nodiscard]] std::array<T, N> array_of(Argument& argument) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<T, N>{((void)I, T(argument))...};
    }
    (std::make_index_sequence<N>{});
}

}  // namespace wt
