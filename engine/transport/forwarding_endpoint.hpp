// SPDX-License-Identifier: MIT
//
// An endpoint in front of another one: every call goes through. Whoever stands between a driver and
// a protocol (to watch, to shift its clock, to misbehave) overrides what it cares about.
#pragma once

#include "engine/transport/endpoint.hpp"

namespace wt::transport {

class ForwardingEndpoint : public Endpoint {
public:
    // `inner` must outlive this.
    explicit ForwardingEndpoint(Endpoint& inner) : inner_(inner) {}

    void receive(Instant now, const Address& from, ConstBytes datagram,
                 const Label& label) override {
        inner_.receive(now, from, datagram, label);
    }
    void advance(Instant now) override { inner_.advance(now); }
    ConnectStatus connect(Instant now, const ConnectRequest& request) override {
        return inner_.connect(now, request);
    }
    SendStatus send(Instant now, ConnectionId to, const Message& message) override {
        return inner_.send(now, to, message);
    }
    bool close(Instant now, ConnectionId connection, CloseReason reason) override {
        return inner_.close(now, connection, reason);
    }
    AnswerStatus answer_authorisation(Instant now, const AuthorisationAnswer& answer) override {
        return inner_.answer_authorisation(now, answer);
    }
    void restart(Instant now) override { inner_.restart(now); }

    [[nodiscard]] bool next_datagram(Instant now, Datagram& out) override {
        return inner_.next_datagram(now, out);
    }
    [[nodiscard]] bool next_event(Event& out) override { return inner_.next_event(out); }
    [[nodiscard]] bool next_sample(Sample& out) override { return inner_.next_sample(out); }
    [[nodiscard]] Instant next_deadline() const override { return inner_.next_deadline(); }

    [[nodiscard]] const Capabilities& capabilities() const override {
        return inner_.capabilities();
    }
    [[nodiscard]] const Counters& counters() const override { return inner_.counters(); }
    [[nodiscard]] const Counters* counters_of(ConnectionId connection) const override {
        return inner_.counters_of(connection);
    }
    [[nodiscard]] bool levels_of(Instant now, ConnectionId connection,
                                 ConnectionLevels& out) const override {
        return inner_.levels_of(now, connection, out);
    }
    [[nodiscard]] std::uint32_t connection_count() const override {
        return inner_.connection_count();
    }
    [[nodiscard]] std::uint32_t pending_count() const override { return inner_.pending_count(); }
    void observe(bool on) override { inner_.observe(on); }
    [[nodiscard]] std::span<const Label> more_labels() const override {
        return inner_.more_labels();
    }

protected:
    [[nodiscard]] Endpoint& inner() { return inner_; }
    [[nodiscard]] const Endpoint& inner() const { return inner_; }

private:
    Endpoint& inner_;
};

}  // namespace wt::transport
