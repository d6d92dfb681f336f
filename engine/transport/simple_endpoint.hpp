// SPDX-License-Identifier: MIT
//
// A start for protocols that have less than the seam asks for: no lanes, no messages, no join
// authority. What is left to write is receive, advance, connect, close, restart, next_datagram and
// next_deadline; what is heard and measured goes through say().
#pragma once

#include "engine/base/grow_ring.hpp"
#include "engine/transport/endpoint.hpp"

namespace wt::transport {

class SimpleEndpoint : public Endpoint {
public:
    SendStatus send(Instant, ConnectionId, const Message&) override {
        return SendStatus::unsupported;
    }
    AnswerStatus answer_authorisation(Instant, const AuthorisationAnswer&) override {
        return AnswerStatus::stale;
    }
    [[nodiscard]] bool next_event(Event& out) override { return take(events_, out); }
    [[nodiscard]] bool next_sample(Sample& out) override { return take(samples_, out); }
    [[nodiscard]] const Capabilities& capabilities() const override { return capabilities_; }
    [[nodiscard]] const Counters& counters() const override { return counters_; }
    [[nodiscard]] const Counters* counters_of(ConnectionId) const override { return nullptr; }
    [[nodiscard]] bool levels_of(Instant, ConnectionId, ConnectionLevels&) const override {
        return false;
    }
    [[nodiscard]] std::uint32_t connection_count() const override { return connections_; }
    [[nodiscard]] std::uint32_t pending_count() const override { return 0; }
    void observe(bool on) override { is_observed_ = on; }

protected:
    void say(const Connected& event) {
        ++connections_;
        events_.push() = event;
    }
    void say(const Closed& event) {
        if (event.was_connected) --connections_;
        events_.push() = event;
    }
    // Kept only while somebody listens.
    void say(const Sample& sample) {
        if (is_observed_) samples_.push() = sample;
    }
    // For restart(): nothing is known, nothing waits to be told. Counters go on.
    void forget() {
        connections_ = 0;
        events_.clear();
        samples_.clear();
    }
    [[nodiscard]] Counters& count() { return counters_; }

private:
    template <class Item>
    [[nodiscard]] static bool take(GrowRing<Item>& queue, Item& out) {
        if (queue.empty()) return false;
        out = queue.front();
        queue.pop();
        return true;
    }

    GrowRing<Event> events_{};
    GrowRing<Sample> samples_{};
    std::uint32_t connections_ = 0;
    bool is_observed_ = false;
    Capabilities capabilities_{};
    Counters counters_{};
};

}  // namespace wt::transport
