// SPDX-License-Identifier: MIT
//
// The endpoint as a behaviour sees it: every call goes through. The host hears of attempts to
// connect, and an observer, if there is one, of messages that were sent. The host itself drives
// the endpoint directly.
#pragma once

#include "simulator/core/observer.hpp"

namespace wt::sim {

class ObservedEndpoint final : public transport::Endpoint {
public:
    // Names the flow of a connection; a plain function, so that this file knows no host.
    using FlowOf = Flow (*)(const void* host, transport::ConnectionId connection);

    using NoteAttempt = void (*)(void* host, Instant now);

    ObservedEndpoint(transport::Endpoint& inner, FlowOf flow_of, NoteAttempt note_attempt,
                     void* host)
        : inner_(inner), flow_of_(flow_of), note_attempt_(note_attempt), host_(host) {}

    // Who listens from here on; nullptr: nobody.
    void set_observer(Observer* observer) { observer_ = observer; }

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override {
        inner_.receive(now, from, datagram, label);
    }
    void advance(Instant now) override { inner_.advance(now); }
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override {
        const transport::ConnectStatus status = inner_.connect(now, request);
        if (status == transport::ConnectStatus::ok) note_attempt_(host_, now);
        return status;
    }
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override {
        const transport::SendStatus status = inner_.send(now, to, message);
        if (observer_ != nullptr && status != transport::SendStatus::not_connected) {
            const std::uint32_t bytes = static_cast<std::uint32_t>(message.bytes.size());
            observer_->on_message_sent({flow_of_(host_, to), now, status, bytes, message});
        }
        return status;
    }
    bool close(Instant now, transport::ConnectionId connection,
               transport::CloseReason reason) override {
        return inner_.close(now, connection, reason);
    }
    transport::AnswerStatus answer_authorisation(
        Instant now, const transport::AuthorisationAnswer& answer) override {
        return inner_.answer_authorisation(now, answer);
    }
    void restart(Instant now) override { inner_.restart(now); }

    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override {
        return inner_.next_datagram(now, out);
    }
    [[nodiscard]] bool next_event(transport::Event& out) override { return inner_.next_event(out); }
    [[nodiscard]] bool next_sample(transport::Sample& out) override {
        return inner_.next_sample(out);
    }
    [[nodiscard]] Instant next_deadline() const override { return inner_.next_deadline(); }

    [[nodiscard]] const transport::Capabilities& capabilities() const override {
        return inner_.capabilities();
    }
    [[nodiscard]] const transport::Counters& counters() const override { return inner_.counters(); }
    [[nodiscard]] const transport::Counters* counters_of(
        transport::ConnectionId connection) const override {
        return inner_.counters_of(connection);
    }
    [[nodiscard]] bool levels_of(Instant now, transport::ConnectionId connection,
                                 transport::ConnectionLevels& out) const override {
        return inner_.levels_of(now, connection, out);
    }
    [[nodiscard]] std::uint32_t connection_count() const override {
        return inner_.connection_count();
    }
    [[nodiscard]] std::uint32_t pending_count() const override { return inner_.pending_count(); }
    void observe(bool on) override { inner_.observe(on); }
    [[nodiscard]] std::span<const transport::Label> more_labels() const override {
        return inner_.more_labels();
    }

private:
    transport::Endpoint& inner_;
    Observer* observer_ = nullptr;
    FlowOf flow_of_;
    NoteAttempt note_attempt_;
    void* host_;
};

}  // namespace wt::sim
