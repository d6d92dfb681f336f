// SPDX-License-Identifier: MIT
//
// The encrypted transport's two ends over the null suite: for runs only, and shown as such.
#pragma once

#include <memory>

#include "engine/base/entropy.hpp"
#include "engine/secure/config.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::sim {

// As secure::make_server and secure::make_client.
[[nodiscard]] std::unique_ptr<transport::Endpoint> make_null_server(
    const secure::ServerConfig& config, Entropy entropy);
[[nodiscard]] std::unique_ptr<transport::Endpoint> make_null_client(
    const secure::ClientConfig& config, Entropy entropy);

}  // namespace wt::sim
