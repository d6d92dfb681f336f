// SPDX-License-Identifier: MIT
//
// A server and bots that talk through PingEndpoints, as a plan that tests change before they run
// it. Bots and server send a small message each tick once they are connected.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "simulator/core/world.hpp"
#include "tests/unit/simulator/core/ping_endpoint.hpp"

namespace wt::sim {

class Talker final : public bots::Behaviour {
public:
    void start(bots::Context&) override {
        ++starts;
        peers.clear();
        folded = mix(folded ^ 0x55, starts + 1);
    }
    void on_event(bots::Context& context, const transport::Event& event) override {
        if (const auto* up = std::get_if<transport::Connected>(&event)) {
            peers.push_back(up->connection);
            ++connects;
        } else if (const auto* down = std::get_if<transport::Closed>(&event)) {
            std::erase(peers, down->connection);
            last_reason = down->reason;
            ++closes;
        } else if (const auto* message = std::get_if<transport::Received>(&event)) {
            ++received;
            delays.push_back(context.now - message->accepted_at);
            folded = mix(folded ^ hash_bytes(message->bytes, 1), received);
        }
    }
    void tick(bots::Context& context) override {
        ++ticks;
        if (is_quiet) return;
        std::uint8_t body[40] = {};
        store_u64(body, context.tick);
        store_u64(body + 8, context.luck.next());
        for (const transport::ConnectionId peer : peers) {
            const transport::SendStatus status =
                context.endpoint.send(context.now, peer,
                                      {.lane = transport::Lane::gameplay,
                                       .bytes = ConstBytes(body, is_short ? 1 : sizeof body),
                                       .kind = transport::Kind::input});
            if (status == transport::SendStatus::ok) ++sent;
        }
    }
    void behave(bots::Context&, std::optional<bots::BehaviourKind> as) override {
        is_quiet = as == bots::BehaviourKind::idle;
        behaved.push_back(as);
    }
    void leave(bots::Context& context) override {
        for (const transport::ConnectionId peer : peers) {
            (void)context.endpoint.close(context.now, peer, transport::CloseReason::application);
        }
    }
    [[nodiscard]] std::uint64_t state_checksum() const override { return folded; }

    bool is_quiet = false;
    bool is_short = false;
    std::uint64_t starts = 0, connects = 0, closes = 0, received = 0, ticks = 0, sent = 0;
    std::uint64_t folded = 0;
    transport::CloseReason last_reason = transport::CloseReason::none;
    std::vector<transport::ConnectionId> peers{};
    std::vector<Duration> delays{};
    std::vector<std::optional<bots::BehaviourKind>> behaved{};
};

struct Party {
    // `order` says in which order the hosts stand in the plan; empty = server first.
    explicit Party(std::uint32_t bots, std::vector<std::uint32_t> order = {}) {
        if (order.empty()) {
            order.resize(bots + 1);
            std::iota(order.begin(), order.end(), 0u);
        }
        plan.end = Instant{} + Duration::seconds(3);
        plan.seed = 7;
        at.resize(bots + 1);
        for (const std::uint32_t who : order) {
            endpoints.push_back(std::make_unique<PingEndpoint>(who == 0));
            talkers.push_back(std::make_unique<Talker>());
            HostPlan host;
            host.name = who == 0 ? server_name() : HostName{"player", who - 1};
            host.is_server = who == 0;
            host.endpoint = endpoints.back().get();
            host.behaviour = talkers.back().get();
            if (who != 0) {
                host.connect = transport::ConnectRequest{};
                host.join_at = Instant{} + Duration::millis(3) * (who - 1);
                host.link = "test";
                host.reconnect = ReconnectPlan{Duration::millis(200), Duration::millis(50), 3};
            }
            at[who] = static_cast<std::uint32_t>(plan.hosts.size());
            plan.hosts.push_back(host);
        }
        LinkConfig link;
        link.name = "test";
        plan.links.push_back(link);
    }

    DirectionConfig& up() { return plan.links[0].up; }
    DirectionConfig& down() { return plan.links[0].down; }
    Talker& server() { return *talkers[at[0]]; }
    Talker& bot(std::uint32_t number) { return *talkers[at[number + 1]]; }
    [[nodiscard]] std::uint32_t host_of_bot(std::uint32_t number) const { return at[number + 1]; }

    ActPlan& act(ActPlan::Do what, std::int64_t from_ms, std::int64_t to_ms,
                 std::vector<std::uint32_t> hosts) {
        ActPlan made;
        made.name = "act-" + std::to_string(plan.acts.size());
        made.what = what;
        made.start = Instant{} + Duration::millis(from_ms);
        made.end = to_ms < 0 ? Instant::never() : Instant{} + Duration::millis(to_ms);
        made.hosts = std::move(hosts);
        plan.acts.push_back(made);
        return plan.acts.back();
    }

    // Runs to the end; conservation is checked on the way.
    World& run(Observer* observer = nullptr) {
        world = std::make_unique<World>(plan, observer);
        world->run_until(plan.end);
        world->finish();
        return *world;
    }

    WorldPlan plan{};
    std::vector<std::unique_ptr<PingEndpoint>> endpoints{};
    std::vector<std::unique_ptr<Talker>> talkers{};
    std::vector<std::uint32_t> at{};  // Host index of the server (0) and bot n (n + 1).
    std::unique_ptr<World> world{};
};

// A link with everything that depends on luck or on traffic.
inline DirectionConfig rough() {
    DirectionConfig config;
    config.delay = Duration::millis(12);
    config.jitter = {JitterConfig::Kind::lognormal, {}, Duration::millis(3), Duration::millis(40)};
    config.order = LinkOrder::free;
    config.loss = Chance::percent(5);
    config.burst = {BurstConfig::Unit::time, 0, Duration::millis(30)};
    config.duplicate = {Chance::percent(3), Duration::millis(2)};
    config.corrupt = {Chance::percent(2), CorruptConfig::Kind::flip};
    config.rate = {400'000};
    config.queue = {QueueConfig::Unit::time, 0, 0, Duration::millis(50)};
    return config;
}

}  // namespace wt::sim
