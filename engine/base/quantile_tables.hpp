// SPDX-License-Identifier: MIT
//
// Committed numbers behind the integer distributions: written by engine/base/tables, used only by
// engine/base/distribution. The node grid is finer towards both tails: eight equal cells for each
// halving of the tail probability, from 1/2 down to 2^-25.
#pragma once

#include <cstdint>

namespace wt::tables {

inline constexpr unsigned quantile_octaves = 24;
inline constexpr unsigned quantile_cells = 8;
inline constexpr unsigned quantile_nodes = quantile_octaves * quantile_cells + 1;

// log2(1 + i/256), in units of 2^-32.
extern const std::uint64_t log2_mantissa[257];
// 2^(i/256), in units of 2^-32.
extern const std::uint64_t exp2_fraction[257];

// The standard normal quantile whose upper tail is the node's, in units of 2^-24.
extern const std::int32_t normal_upper[quantile_nodes];

// log2(quantile / median) of the gamma family, in units of 2^-16: rows by log2(p99 / p50) in steps
// of 1/2, then the lower and the upper half.
inline constexpr unsigned gamma_nodes = 17;
inline constexpr unsigned gamma_steps_per_octave = 2;
extern const std::int32_t gamma_log2[gamma_nodes][2][quantile_nodes];

}  // namespace wt::tables
