// SPDX-License-Identifier: MIT
//
// Endpoints of the real suite connected by hand, without a simulator: a wire that carries every
// datagram within the step, and stores none.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/secure/endpoints.hpp"

namespace wt::bench {

class Crowd {
public:
    // Only the lists of this class; no endpoint yet.
    explicit Crowd(std::uint32_t clients);

    void make_endpoints();
    // Until all of them are connected and nothing is under way. False if some did not get in.
    [[nodiscard]] bool join_all();
    // `steps` times 5 ms.
    void run(std::uint32_t steps);

    [[nodiscard]] std::uint32_t connected() const { return connected_; }

private:
    struct Client {
        explicit Client(std::uint32_t number);
        LuckStream luck;
        std::unique_ptr<transport::Endpoint> endpoint{};
    };

    void step();
    void drain_client(std::uint32_t number);
    void drain_server();

    std::uint32_t client_count_;
    LuckStream server_luck_;
    std::unique_ptr<transport::Endpoint> server_{};
    std::vector<Client> clients_{};
    Instant now_{1'000'000'000};
    std::uint32_t connected_ = 0;
    std::array<std::uint8_t, transport::datagram_bytes_max> room_{};
};

}  // namespace wt::bench
