// SPDX-License-Identifier: MIT
//
// The endpoint as a behaviour sees it: every call goes through. The host hears of attempts to
// connect, and an observer, if there is one, of messages that were sent. The host itself drives
// the endpoint directly.
//
// A behaviour says what its own clock shows; here the world's time of the moment goes on instead,
// which is the same thing for a host without a skewed clock.
#pragma once

#include "engine/transport/forwarding_endpoint.hpp"
#include "simulator/core/observer.hpp"

namespace wt::sim {

class ObservedEndpoint final : public transport::ForwardingEndpoint {
public:
    // Names the flow of a connection; a plain function, so that this file knows no host.
    using FlowOf = Flow (*)(const void* host, transport::ConnectionId connection);

    using NoteAttempt = void (*)(void* host, Instant now);

    ObservedEndpoint(transport::Endpoint& inner, FlowOf flow_of, NoteAttempt note_attempt,
                     void* host)
        : ForwardingEndpoint(inner), flow_of_(flow_of), note_attempt_(note_attempt), host_(host) {}

    // Who listens from here on; nullptr: nobody.
    void set_observer(Observer* observer) { observer_ = observer; }
    void set_time(Instant now) { now_ = now; }

    transport::ConnectStatus connect(Instant, const transport::ConnectRequest& request) override {
        const transport::ConnectStatus status = inner().connect(now_, request);
        if (status == transport::ConnectStatus::ok) note_attempt_(host_, now_);
        return status;
    }
    transport::SendStatus send(Instant, transport::ConnectionId to,
                               const transport::Message& message) override {
        const transport::SendStatus status = inner().send(now_, to, message);
        if (observer_ != nullptr && status != transport::SendStatus::not_connected) {
            const std::uint32_t bytes = static_cast<std::uint32_t>(message.bytes.size());
            observer_->on_message_sent({flow_of_(host_, to), now_, status, bytes, message});
        }
        return status;
    }
    bool close(Instant, transport::ConnectionId connection,
               transport::CloseReason reason) override {
        return inner().close(now_, connection, reason);
    }
    transport::AnswerStatus answer_authorisation(
        Instant, const transport::AuthorisationAnswer& answer) override {
        return inner().answer_authorisation(now_, answer);
    }
    [[nodiscard]] bool levels_of(Instant, transport::ConnectionId connection,
                                 transport::ConnectionLevels& out) const override {
        return inner().levels_of(now_, connection, out);
    }

private:
    Observer* observer_ = nullptr;
    FlowOf flow_of_;
    NoteAttempt note_attempt_;
    void* host_;
    Instant now_{};
};

}  // namespace wt::sim
