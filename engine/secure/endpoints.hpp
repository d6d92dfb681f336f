// SPDX-License-Identifier: MIT
//
// The encrypted transport's two ends with the real cipher suite, behind the seam. This is what a
// program includes; everything else in this folder is how it works.
#pragma once

#include <memory>

#include "engine/base/entropy.hpp"
#include "engine/secure/config.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::secure {

// Whatever stands behind the entropy must outlive the endpoint: crypto::system_entropy() on real
// sockets, a luck stream of the host's own in a run.
[[nodiscard]] std::unique_ptr<transport::Endpoint> make_server(const ServerConfig& config,
                                                               Entropy entropy);
[[nodiscard]] std::unique_ptr<transport::Endpoint> make_client(const ClientConfig& config,
                                                               Entropy entropy);

}  // namespace wt::secure
