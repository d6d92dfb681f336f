// SPDX-License-Identifier: MIT
//
// An endpoint without a wire: it keeps what it is sent, says what a test told it to say, and has
// the capabilities and levels a test gave it.
#pragma once

#include <array>
#include <vector>

#include "engine/transport/endpoint.hpp"
#include "tests/unit/engine/session/session_fixture.hpp"

namespace wt::test {

class FakeEndpoint final : public transport::Endpoint {
public:
    struct Sent {
        transport::Lane lane = transport::Lane::control;
        transport::Delivery delivery = transport::Delivery::reliable_ordered;
        std::vector<std::uint8_t> bytes{};
        transport::Kind kind = transport::Kind::data;
    };

    FakeEndpoint() {
        caps = {.datagrams = true,
                .reliable_lanes = 8,
                .largest_reliable = {},
                .largest_unreliable = 1'076,
                .connections_max = 8,
                .encryption_ready = true,
                .authentication_ready = true};
        caps.largest_reliable.fill(262'144);
        answers.fill(transport::SendStatus::ok);
    }

    void receive(Instant, const transport::Address&, ConstBytes, const transport::Label&) override {
    }
    void advance(Instant) override {}
    transport::ConnectStatus connect(Instant, const transport::ConnectRequest&) override {
        return connect_answer;
    }
    transport::SendStatus send(Instant, transport::ConnectionId,
                               const transport::Message& message) override {
        const transport::SendStatus answer = answers[static_cast<unsigned>(message.lane)];
        if (answer != transport::SendStatus::ok) return answer;
        sent.push_back({.lane = message.lane,
                        .delivery = message.delivery,
                        .bytes = {message.bytes.begin(), message.bytes.end()},
                        .kind = message.kind});
        return answer;
    }
    bool close(Instant, transport::ConnectionId, transport::CloseReason) override {
        ++closes;
        return true;
    }
    transport::AnswerStatus answer_authorisation(Instant,
                                                 const transport::AuthorisationAnswer&) override {
        return transport::AnswerStatus::ok;
    }
    void restart(Instant) override {}
    [[nodiscard]] bool next_datagram(Instant, transport::Datagram&) override { return false; }
    [[nodiscard]] bool next_event(transport::Event& out) override {
        if (events.empty()) return false;
        out = events.front();
        events.erase(events.begin());
        return true;
    }
    [[nodiscard]] bool next_sample(transport::Sample&) override { return false; }
    [[nodiscard]] Instant next_deadline() const override { return Instant::never(); }
    [[nodiscard]] const transport::Capabilities& capabilities() const override { return caps; }
    [[nodiscard]] const transport::Counters& counters() const override { return counted; }
    [[nodiscard]] const transport::Counters* counters_of(transport::ConnectionId) const override {
        return nullptr;
    }
    [[nodiscard]] bool levels_of(Instant, transport::ConnectionId,
                                 transport::ConnectionLevels& out) const override {
        out = levels;
        return is_up;
    }
    [[nodiscard]] std::uint32_t connection_count() const override { return 0; }
    [[nodiscard]] std::uint32_t pending_count() const override { return 0; }
    void observe(bool) override {}

    transport::Capabilities caps{};
    transport::ConnectionLevels levels{};
    transport::Counters counted{};
    std::array<transport::SendStatus, transport::lane_count> answers{};
    transport::ConnectStatus connect_answer = transport::ConnectStatus::ok;
    bool is_up = true;
    std::vector<Sent> sent{};
    std::vector<transport::Event> events{};
    unsigned closes = 0;
};

}  // namespace wt::test
