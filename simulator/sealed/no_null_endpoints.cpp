// SPDX-License-Identifier: MIT
//
// The installed package has no null suite: whoever got here would have put it on a wire.
#include "engine/base/check.hpp"
#include "simulator/cipher/null_endpoints.hpp"

namespace wt::sim {

std::unique_ptr<transport::Endpoint> make_null_server(const secure::ServerConfig&, Entropy) {
    constexpr bool package_has_null_suite = false;
    WT_CHECK(package_has_null_suite);
    return nullptr;
}

std::unique_ptr<transport::Endpoint> make_null_client(const secure::ClientConfig&, Entropy) {
    constexpr bool package_has_null_suite = false;
    WT_CHECK(package_has_null_suite);
    return nullptr;
}

}  // namespace wt::sim
