// SPDX-License-Identifier: MIT
//
// The one place where the transport is instantiated over the real suite.
#include "engine/secure/endpoints.hpp"

#include "engine/secure/client_endpoint.inl"
#include "engine/secure/real_suite.hpp"
#include "engine/secure/server_endpoint.inl"

namespace wt::secure {

template class Connection<RealSuite>;
template class ServerEndpoint<RealSuite>;
template class ClientEndpoint<RealSuite>;

std::unique_ptr<transport::Endpoint> make_server(const ServerConfig& config, Entropy entropy) {
    return std::make_unique<ServerEndpoint<RealSuite>>(config, entropy);
}

std::unique_ptr<transport::Endpoint> make_client(const ClientConfig& config, Entropy entropy) {
    return std::make_unique<ClientEndpoint<RealSuite>>(config, entropy);
}

}  // namespace wt::secure
