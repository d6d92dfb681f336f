// SPDX-License-Identifier: MIT
//
// Entropy of the operating system, for endpoints on real sockets. Never used in a run, where
// entropy is a luck stream of the host (rule D12); the only place that draws random bytes.
#pragma once

#include "engine/base/entropy.hpp"

namespace wt::crypto {

[[nodiscard]] Entropy system_entropy();

}  // namespace wt::crypto
