// SPDX-License-Identifier: MIT
//
// A server and one client with real endpoints on a link of the test's making, and scripts instead
// of games above them. Datagrams can be swallowed by their labels at the mouth of either end, which
// is how a test loses exactly the one that it means.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/hash.hpp"
#include "engine/secure/endpoints.hpp"
#include "simulator/cipher/null_endpoints.hpp"
#include "simulator/core/world.hpp"

namespace wt::sim {

// An endpoint in front of another: everything goes through but what `swallow` wants.
class Mouth final : public transport::Endpoint {
public:
    explicit Mouth(std::unique_ptr<transport::Endpoint> inner) : inner_(std::move(inner)) {}

    std::function<bool(Instant, const transport::Label&)> swallow{};
    std::uint64_t swallowed = 0;

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override {
        inner_->receive(now, from, datagram, label);
    }
    void advance(Instant now) override { inner_->advance(now); }
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override {
        return inner_->connect(now, request);
    }
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override {
        return inner_->send(now, to, message);
    }
    bool close(Instant now, transport::ConnectionId connection,
               transport::CloseReason reason) override {
        return inner_->close(now, connection, reason);
    }
    transport::AnswerStatus answer_authorisation(
        Instant now, const transport::AuthorisationAnswer& answer) override {
        return inner_->answer_authorisation(now, answer);
    }
    void restart(Instant now) override { inner_->restart(now); }
    [[nodiscard]] bool next_datagram(Instant now, transport::Datagram& out) override {
        const MutableBytes room = out.room;
        while (inner_->next_datagram(now, out)) {
            if (!swallow || !swallow(now, out.label)) return true;
            ++swallowed;
            out = {.room = room};
        }
        return false;
    }
    [[nodiscard]] bool next_event(transport::Event& out) override {
        return inner_->next_event(out);
    }
    [[nodiscard]] bool next_sample(transport::Sample& out) override {
        return inner_->next_sample(out);
    }
    [[nodiscard]] Instant next_deadline() const override { return inner_->next_deadline(); }
    [[nodiscard]] const transport::Capabilities& capabilities() const override {
        return inner_->capabilities();
    }
    [[nodiscard]] const transport::Counters& counters() const override {
        return inner_->counters();
    }
    [[nodiscard]] const transport::Counters* counters_of(
        transport::ConnectionId connection) const override {
        return inner_->counters_of(connection);
    }
    [[nodiscard]] bool levels_of(Instant now, transport::ConnectionId connection,
                                 transport::ConnectionLevels& out) const override {
        return inner_->levels_of(now, connection, out);
    }
    [[nodiscard]] std::uint32_t connection_count() const override {
        return inner_->connection_count();
    }
    [[nodiscard]] std::uint32_t pending_count() const override { return inner_->pending_count(); }
    void observe(bool on) override { inner_->observe(on); }

private:
    std::unique_ptr<transport::Endpoint> inner_;
};

// What one message was when the application had it in its hands.
struct Got {
    Duration latency{};
    transport::Lane lane = transport::Lane::control;
    std::uint32_t size = 0;
    std::uint64_t hash = 0;
};

inline std::uint64_t content_hash(ConstBytes bytes) {
    return hash_bytes(bytes, 0x7265'6365'6976'6564);
}

// Admits everybody, keeps what arrives, and does in a tick what the test says.
class Script final : public bots::Behaviour {
public:
    std::function<void(bots::Context&, Script&)> on_tick{};
    transport::ConnectionId peer{};
    std::vector<Got> got{};
    std::vector<transport::CloseReason> closed{};

    void start(bots::Context&) override { peer = {}; }
    void on_event(bots::Context& context, const transport::Event& event) override {
        if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
            questions_.push_back({.attempt = asked->attempt, .admitted = true, .player = {1}});
        } else if (const auto* up = std::get_if<transport::Connected>(&event)) {
            peer = up->connection;
        } else if (const auto* down = std::get_if<transport::Closed>(&event)) {
            closed.push_back(down->reason);
            peer = {};
        } else if (const auto* message = std::get_if<transport::Received>(&event)) {
            got.push_back({.latency = context.now - message->accepted_at,
                           .lane = message->lane,
                           .size = static_cast<std::uint32_t>(message->bytes.size()),
                           .hash = content_hash(message->bytes)});
        }
    }
    void tick(bots::Context& context) override {
        for (const transport::AuthorisationAnswer& answer : questions_) {
            (void)context.endpoint.answer_authorisation(context.now, answer);
        }
        questions_.clear();
        if (on_tick && peer.is_valid()) on_tick(context, *this);
    }
    void behave(bots::Context&, std::optional<bots::BehaviourKind>) override {}
    void leave(bots::Context&) override {}
    [[nodiscard]] std::uint64_t state_checksum() const override { return got.size(); }

private:
    std::vector<transport::AuthorisationAnswer> questions_{};
};

struct LabSettings {
    secure::Reliability reliability = secure::Reliability::profile_literal();
    Grid grid{.poll = Duration{}, .flush = Duration{}};
    DirectionConfig up{};
    DirectionConfig down{};
    std::uint64_t seed = 1;
    Duration length = Duration::seconds(60);
    secure::InitialCounters initial{};
    Duration timeout = Duration::seconds(10);
    // Large enough for anything: what a full receive buffer does is another test's business.
    std::uint32_t receive_buffer = 256u * 1'024 * 1'024;
};

// The client is bot 0 of the world; up is client to server.
class Lab {
public:
    explicit Lab(const LabSettings& settings)
        : server_luck_(LuckKey::root(settings.seed).with("lab server")),
          client_luck_(LuckKey::root(settings.seed).with("lab client")) {
        secure::ServerConfig server_config;
        server_config.connection.reliability = settings.reliability;
        server_config.allow_unbound = true;
        server_config.connection.initial = settings.initial;
        server_config.connection.timeout = settings.timeout;
        secure::ClientConfig client_config;
        client_config.connection.reliability = settings.reliability;
        client_config.allow_unbound = true;
        client_config.connection.initial = settings.initial;
        client_config.connection.timeout = settings.timeout;
        server_mouth = std::make_unique<Mouth>(
            make_null_server(server_config, Entropy::from_luck(server_luck_)));
        client_mouth = std::make_unique<Mouth>(
            make_null_client(client_config, Entropy::from_luck(client_luck_)));
        plan.seed = settings.seed;
        plan.end = Instant{} + settings.length;
        plan.grid = settings.grid;
        add_host(server_name(), *server_mouth, server, settings);
        add_host({"client", 0}, *client_mouth, client, settings);
        plan.hosts[0].is_server = true;
        plan.hosts[1].link = "line";
        plan.hosts[1].connect = transport::ConnectRequest{};
        plan.links.push_back({.name = "line", .up = settings.up, .down = settings.down});
    }

    void run_until(Duration since_start) {
        if (!world) world = std::make_unique<World>(plan);
        world->run_until(Instant{} + since_start);
    }
    // Conservation is checked on the way out.
    void run() {
        run_until(plan.end - Instant{});
        world->finish();
    }

    WorldPlan plan{};
    Script server{};
    Script client{};
    std::unique_ptr<Mouth> server_mouth{};
    std::unique_ptr<Mouth> client_mouth{};
    std::unique_ptr<World> world{};

private:
    void add_host(const HostName& name, Mouth& mouth, Script& script, const LabSettings& settings) {
        HostPlan& host = plan.hosts.emplace_back();
        host.name = name;
        host.endpoint = &mouth;
        host.behaviour = &script;
        host.receive_buffer = settings.receive_buffer;
    }

    LuckStream server_luck_;
    LuckStream client_luck_;
};

// Nearest rank, as the gates take it: the ceil(n * percent / 100)-th smallest.
inline Duration percentile(std::vector<Duration> values, std::size_t percent) {
    if (values.empty()) return Duration{};
    std::sort(values.begin(), values.end());
    return values[(values.size() * percent + 99) / 100 - 1];
}

// Both directions the same: half of the round trip, and independent losses.
inline DirectionConfig half_of(Duration rtt, Chance loss = {}) {
    DirectionConfig direction;
    direction.delay = rtt / 2;
    direction.loss = loss;
    return direction;
}

}  // namespace wt::sim
