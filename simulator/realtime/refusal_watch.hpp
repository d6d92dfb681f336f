// SPDX-License-Identifier: MIT
//
// In front of a bot's endpoint: whether it ever got in, and what it was told instead. Nobody else
// keeps the word of an attempt that failed.
#pragma once

#include <variant>

#include "engine/transport/forwarding_endpoint.hpp"

namespace wt::sim {

class RefusalWatch final : public transport::ForwardingEndpoint {
public:
    explicit RefusalWatch(transport::Endpoint& inner) : ForwardingEndpoint(inner) {}

    [[nodiscard]] bool next_event(transport::Event& out) override {
        if (!inner().next_event(out)) return false;
        if (std::holds_alternative<transport::Connected>(out)) has_connected_ = true;
        const auto* const closed = std::get_if<transport::Closed>(&out);
        if (closed != nullptr && !closed->was_connected) refusal_ = closed->reason;
        return true;
    }

    [[nodiscard]] bool has_connected() const { return has_connected_; }
    // Of the last attempt that failed; none before the first.
    [[nodiscard]] transport::CloseReason refusal() const { return refusal_; }

private:
    bool has_connected_ = false;
    transport::CloseReason refusal_ = transport::CloseReason::none;
};

}  // namespace wt::sim
