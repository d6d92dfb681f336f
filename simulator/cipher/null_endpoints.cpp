// SPDX-License-Identifier: MIT
//
// The one place where the transport is instantiated over the null suite.
#include "simulator/cipher/null_endpoints.hpp"

#include "engine/secure/client_endpoint.inl"
#include "engine/secure/server_endpoint.inl"
#include "simulator/cipher/null_suite.hpp"

namespace wt::secure {

template class Connection<sim::NullSuite>;
template class ServerEndpoint<sim::NullSuite>;
template class ClientEndpoint<sim::NullSuite>;

}  // namespace wt::secure

namespace wt::sim {

std::unique_ptr<transport::Endpoint> make_null_server(const secure::ServerConfig& config,
                                                      Entropy entropy) {
    return std::make_unique<secure::ServerEndpoint<NullSuite>>(config, entropy);
}

std::unique_ptr<transport::Endpoint> make_null_client(const secure::ClientConfig& config,
                                                      Entropy entropy) {
    return std::make_unique<secure::ClientEndpoint<NullSuite>>(config, entropy);
}

}  // namespace wt::sim
