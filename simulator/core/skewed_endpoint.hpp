// SPDX-License-Identifier: MIT
//
// An endpoint that lives by a host's own clock. Its driver speaks the world's time on this side;
// on the other side everything is what the host's clock shows. Deadlines are rounded up to the
// first instant at which the clock has reached them; what leaves for measuring is the world's.
#pragma once

#include "engine/transport/forwarding_endpoint.hpp"
#include "simulator/core/host_clock.hpp"

namespace wt::sim {

class SkewedEndpoint final : public transport::ForwardingEndpoint {
public:
    SkewedEndpoint(transport::Endpoint& inner, HostClock clock)
        : ForwardingEndpoint(inner), clock_(clock) {}

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override {
        inner().receive(clock_.local(now), from, datagram, label);
    }
    void advance(Instant now) override { inner().advance(clock_.local(now)); }
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override {
        return inner().connect(clock_.local(now), request);
    }
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override {
        return inner().send(clock_.local(now), to, message);
    }
    bool close(Instant now, transport::ConnectionId connection,
               transport::CloseReason reason) override {
        return inner().close(clock_.local(now), connection, reason);
    }
    transport::AnswerStatus answer_authorisation(
        Instant now, const transport::AuthorisationAnswer& answer) override {
        return inner().answer_authorisation(clock_.local(now), answer);
    }
    void restart(Instant now) override { inner().restart(clock_.local(now)); }
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override {
        if (!inner().next_datagram(clock_.local(now), out)) return false;
        Instant& accepted = out.label.accepted_at;
        if (accepted != Instant{}) accepted = clock_.first_at(accepted);
        return true;
    }
    [[nodiscard]] Instant next_deadline() const override {
        return clock_.first_at(inner().next_deadline());
    }
    [[nodiscard]] bool levels_of(Instant now, transport::ConnectionId connection,
                                 transport::ConnectionLevels& out) const override {
        if (!inner().levels_of(clock_.local(now), connection, out)) return false;
        if (out.last_authentic != Instant{})
            out.last_authentic = clock_.first_at(out.last_authentic);
        return true;
    }

private:
    HostClock clock_;
};

}  // namespace wt::sim
