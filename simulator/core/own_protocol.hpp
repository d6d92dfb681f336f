// SPDX-License-Identifier: MIT
//
// A protocol that whoever runs a scenario brings along: two ends behind the seam, made anew for
// each host of a run. What they draw, they draw from the entropy, which is the host's own luck: so
// the run stays a function of scenario and seed.
#pragma once

#include <functional>
#include <memory>

#include "engine/base/entropy.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::sim {

struct OwnProtocol {
    using Make = std::function<std::unique_ptr<transport::Endpoint>(Entropy)>;

    Make make_server{};
    Make make_client{};
};

}  // namespace wt::sim
