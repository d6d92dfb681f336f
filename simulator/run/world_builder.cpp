// SPDX-License-Identifier: MIT
#include "simulator/run/world_builder.hpp"

#include <algorithm>

#include "bots/hostile_endpoints.hpp"
#include "engine/secure/endpoints.hpp"
#include "engine/transport/loopback.hpp"
#include "simulator/cipher/null_endpoints.hpp"
#include "simulator/run/act_expansion.hpp"

namespace wt::sim {

namespace {

// Connection slots beyond the bots, so that newcomers are not refused while the dead linger.
constexpr std::uint32_t spare_peers = 16;

std::uint32_t peers_max(const Scenario& scenario) {
    const std::uint32_t asked = scenario.server.max_peers;
    return asked != 0 ? asked : scenario.bot_count() + spare_peers;
}

secure::ConnectionConfig connection_config(const TransportSettings& transport) {
    secure::ConnectionConfig config;
    config.reliability = transport.reliability;
    config.initial = transport.initial;
    config.keepalive = transport.keepalive;
    config.timeout = transport.timeout;
    return config;
}

// How a world is built that is no ordinary one.
struct Building {
    TestHooks hooks{};
    const RealSockets* real = nullptr;
    const OwnProtocol* own = nullptr;
    BufferSource* buffers = nullptr;

    [[nodiscard]] Entropy entropy_of(Process& process) const {
        return real != nullptr ? real->entropy : Entropy::from_luck(process.luck);
    }
    [[nodiscard]] bots::TicketBook tickets() const {
        return real != nullptr ? real->tickets : bots::TicketBook{};
    }
};

// Everything that both sides of a run know of the join authority.
std::uint64_t authority_secret(std::uint64_t seed) {
    return LuckKey::root(seed).with("authority").draw(0);
}

std::unique_ptr<Process> make_process(std::uint64_t seed, const HostName& name) {
    return std::make_unique<Process>(
        Process{.luck = LuckStream(luck_of(seed, name).with("entropy"))});
}

transport::LoopbackConfig loopback_config(const Scenario& scenario) {
    return {.peers_max = peers_max(scenario),
            .tick_rate = scenario.server.tick_rate.per_second,
            .keepalive = scenario.transport.keepalive,
            .timeout = scenario.transport.timeout};
}

std::unique_ptr<transport::Endpoint> make_server_endpoint(const Scenario& scenario,
                                                          const secure::ServerConfig& config,
                                                          const OwnProtocol* own, Entropy entropy) {
    if (scenario.transport.kind == TransportKind::own) {
        WT_CHECK(own != nullptr);
        return own->make_server(entropy);
    }
    if (scenario.transport.kind == TransportKind::loopback) {
        return transport::make_loopback_server(loopback_config(scenario));
    }
    if (scenario.transport.cipher == CipherKind::null) return make_null_server(config, entropy);
    return secure::make_server(config, entropy);
}

std::unique_ptr<transport::Endpoint> make_client_endpoint(const Scenario& scenario,
                                                          const Building& building,
                                                          Entropy entropy) {
    if (scenario.transport.kind == TransportKind::own) {
        WT_CHECK(building.own != nullptr);
        return building.own->make_client(entropy);
    }
    if (scenario.transport.kind == TransportKind::loopback) {
        return transport::make_loopback_client(loopback_config(scenario));
    }
    secure::ClientConfig config;
    config.connection = connection_config(scenario.transport);
    config.buffers = building.buffers;
    if (scenario.transport.cipher == CipherKind::null) return make_null_client(config, entropy);
    return secure::make_client(config, entropy);
}

// Slots of the world: objects, avatars, and as many again of what may wait for somebody's word that
// it is gone, at least 64.
std::uint32_t world_slots(const Scenario& scenario) {
    constexpr std::uint32_t spare_least = 64;
    const std::uint32_t alive = scenario.world.objects + peers_max(scenario);
    return std::min(alive + std::max(alive / 8, spare_least), replication::slots_max);
}

bots::GameTerms game_terms(const Scenario& scenario) {
    return {.tick_rate = scenario.server.tick_rate,
            .input_rate = scenario.server.input_rate,
            .snapshot_rate = scenario.server.snapshot_rate,
            .objects_max = world_slots(scenario)};
}

std::unique_ptr<bots::Behaviour> make_server_behaviour(const Scenario& scenario, std::uint64_t seed,
                                                       const TestHooks& hooks) {
    const ServerSettings& server = scenario.server;
    const WorldSettings& world = scenario.world;
    if (world.game == GameKind::none) {
        return std::make_unique<bots::ServerApplication>(bots::ServerApplicationSettings{
            .authority_secret = authority_secret(seed),
            .tick_rate = server.tick_rate,
            .snapshot_rate = server.snapshot_rate,
            .snapshot_budget = server.snapshot_budget,
            .objects = world.objects,
            .moving = world.moving,
            .authorisation_delay = scenario.transport.authorisation_delay,
            .peers_max = peers_max(scenario)});
    }
    return std::make_unique<bots::GameServer>(bots::GameServerSettings{
        .terms = game_terms(scenario),
        .seed = LuckKey::root(seed).with("world").draw(0),
        .authority_secret = authority_secret(seed),
        .authorisation_delay = scenario.transport.authorisation_delay,
        .peers_max = peers_max(scenario),
        .snapshot_budget = server.snapshot_budget,
        .ticket_memory = server.tickets_are_forgotten ? session::TicketMemory::lost
                                                      : session::TicketMemory::survives,
        .activity = {.objects = world.objects,
                     .moving = world.moving,
                     .teleports_per_hour = world.teleports_per_hour,
                     .spawns_per_hour = world.spawns_per_hour},
        .first_epoch = scenario.transport.initial_epoch,
        .interest_cells = world.interest_cells,
        .reliable_snapshots = hooks.reliable_snapshots,
        .fault = hooks.replication});
}

std::unique_ptr<bots::Behaviour> make_bot_behaviour(const Scenario& scenario, std::uint64_t seed,
                                                    const BotGroup& group, const HostName& name,
                                                    const Building& building) {
    const TestHooks& hooks = building.hooks;
    if (scenario.world.game == GameKind::none) {
        return std::make_unique<bots::Bot>(
            bots::BotSettings{.behaviour = group.behaviour,
                              .player = {hash_of(name)},
                              .server = address_of(server_name(), 0),
                              .authority_secret = authority_secret(seed),
                              .frame_rate = group.frame_rate,
                              .input_rate = scenario.server.input_rate});
    }
    return std::make_unique<bots::GameBot>(
        bots::GameBotSettings{.client = {.terms = game_terms(scenario),
                                         .input_repeats = scenario.transport.input_repeats,
                                         .broken_by_mm = hooks.broken_prediction_mm,
                                         .wants_every_snapshot = hooks.clients_want_every_snapshot},
                              .behaviour = group.behaviour,
                              .player = {hash_of(name)},
                              .server = address_of(server_name(), 0),
                              .authority_secret = authority_secret(seed),
                              .tickets = building.tickets(),
                              .mind = luck_of(seed, name).with("mind"),
                              .script = group.script});
}

// The first player that comes: whose ticket thieves have. Not used before it came, of course.
struct Victim {
    transport::PlayerId player{};
    Instant joins{};
};
Victim victim_of(const Scenario& scenario) {
    const BotGroup* first = nullptr;
    for (const BotGroup& group : scenario.groups) {
        if (group.is_hostile()) continue;
        if (first == nullptr || group.join_at < first->join_at) first = &group;
    }
    if (first == nullptr) return {};
    return {{hash_of({first->name, 0})}, first->join_at};
}

std::unique_ptr<bots::Behaviour> make_hostile_behaviour(const Scenario& scenario,
                                                        std::uint64_t seed, const BotGroup& group,
                                                        const HostName& name,
                                                        const bots::TicketBook& tickets) {
    const Victim victim = victim_of(scenario);
    return std::make_unique<bots::HostileBot>(
        bots::HostileBotSettings{.client = {.terms = game_terms(scenario),
                                            .input_repeats = scenario.transport.input_repeats},
                                 .behaviour = group.behaviour,
                                 .player = {hash_of(name)},
                                 .server = address_of(server_name(), 0),
                                 .authority_secret = authority_secret(seed),
                                 .tickets = tickets,
                                 .mind = luck_of(seed, name).with("mind"),
                                 .victim = victim.player,
                                 .victim_joins = victim.joins});
}

// What stands in front of the endpoint of some of the crooks; nothing for all others.
std::unique_ptr<transport::Endpoint> make_hostile_endpoint(transport::Endpoint& inner,
                                                           BehaviourKind kind, LuckKey luck) {
    if (kind == BehaviourKind::flooder) {
        return std::make_unique<bots::FloodingEndpoint>(inner, address_of(server_name(), 0), luck);
    }
    if (kind == BehaviourKind::replayer) return std::make_unique<bots::ReplayingEndpoint>(inner);
    return nullptr;
}

std::unique_ptr<Process> make_server(const Scenario& scenario, std::uint64_t seed,
                                     const Building& building) {
    const ServerSettings& server = scenario.server;
    std::unique_ptr<Process> process = make_process(seed, server_name());
    secure::ServerConfig config;
    config.connection = connection_config(scenario.transport);
    config.peers_max = peers_max(scenario);
    config.pending_max = server.pending_joins;
    config.authorising_max = scenario.transport.authorisations_at_once;
    config.tick_rate = server.tick_rate.per_second;
    config.rebind = scenario.transport.rebind;
    config.buffers = building.buffers;
    process->endpoint =
        make_server_endpoint(scenario, config, building.own, building.entropy_of(*process));
    process->behaviour = make_server_behaviour(scenario, seed, building.hooks);
    return process;
}

void add_server(const Scenario& scenario, std::unique_ptr<Process> process, BuiltWorld& world) {
    const ServerSettings& server = scenario.server;
    HostPlan& host = world.plan.hosts.emplace_back();
    host.name = server_name();
    host.is_server = true;
    host.endpoint = process->endpoint.get();
    host.behaviour = process->behaviour.get();
    host.tick_rate = server.tick_rate;
    host.tick_offset = scenario.transport.initial_tick;
    host.receive_buffer = server.receive_buffer;
    host.cost = {server.cost.datagram, server.cost.handshake, server.cost.object};
    world.names.push_back(host.name);
    world.processes.push_back(std::move(process));
}

// The translator nearest to a bot; one that never forgets where its chain of links has none.
NatConfig nat_of(const Scenario& scenario, const std::string& first) {
    std::string name = first;
    for (std::size_t i = 0; i < scenario.links.size() && !name.empty(); ++i) {
        const auto link = std::find_if(scenario.links.begin(), scenario.links.end(),
                                       [&](const LinkConfig& each) { return each.name == name; });
        if (link == scenario.links.end()) break;
        if (link->nat.has_value()) return *link->nat;
        name = link->via;
    }
    return {};
}

void add_bot(const Scenario& scenario, std::uint64_t seed, const BotGroup& group,
             std::uint32_t number, const Building& building, BuiltWorld& world) {
    const HostName name{group.name, number};
    std::unique_ptr<Process> process = make_process(seed, name);
    process->endpoint = make_client_endpoint(scenario, building, building.entropy_of(*process));
    process->behaviour =
        group.is_hostile() ? make_hostile_behaviour(scenario, seed, group, name, building.tickets())
                           : make_bot_behaviour(scenario, seed, group, name, building);
    process->hostile = make_hostile_endpoint(*process->endpoint, group.behaviour,
                                             luck_of(seed, name).with("hostile"));
    HostPlan& host = world.plan.hosts.emplace_back();
    host.name = name;
    host.endpoint = process->hostile != nullptr ? process->hostile.get() : process->endpoint.get();
    host.is_spoofing = group.behaviour == BehaviourKind::flooder;
    world.is_hostile.push_back(group.is_hostile() ? 1 : 0);
    host.behaviour = process->behaviour.get();
    host.tick_rate = group.frame_rate;
    // Spread evenly in number order: bot i of n comes at i / n of the span.
    host.join_at = group.join_at + group.join_over * number / group.count;
    host.link = group.link;
    host.nat = nat_of(scenario, group.link);
    host.receive_buffer = group.receive_buffer;
    if (group.stall.has_value()) host.stall = StallPlan{group.stall->every, group.stall->length};
    if (group.clock.is_skewed) {
        static_assert(HostClock::zero == clock_offset_max);
        static_assert(HostClock::drift_ppm_max == clock_drift_ppm_max);
        host.clock = {
            .is_skewed = true, .offset = group.clock.offset, .drift_ppm = group.clock.drift_ppm};
        process->skewed = std::make_unique<SkewedEndpoint>(*host.endpoint, host.clock);
        host.endpoint = process->skewed.get();
    }
    if (group.reconnect.has_value()) {
        host.reconnect = ReconnectPlan{.after = group.reconnect->after,
                                       .over = group.reconnect->over,
                                       .tries = group.reconnect->tries};
    }
    world.names.push_back(name);
    world.processes.push_back(std::move(process));
}

void add_others(const Scenario& scenario, std::uint64_t seed, const Building& building,
                BuiltWorld& world) {
    world.game = scenario.world.game;
    world.plan.seed = seed;
    world.plan.end = scenario.end();
    world.plan.grid = {.poll = scenario.transport.poll, .flush = scenario.transport.flush};
    world.plan.links = scenario.links;
    world.plan.server_via = scenario.server.via;
    world.plan.level_rate = scenario.server.tick_rate;
    for (const BotGroup& group : scenario.groups) {
        for (std::uint32_t number = 0; number < group.count; ++number) {
            add_bot(scenario, seed, group, number, building, world);
        }
    }
    const HostIndex index(scenario);
    world.plan.acts = expand_acts(scenario, firings_of(scenario, index, seed));
}

// What protects nothing, or has no cipher at all, never gets a real socket.
void check_is_real(const Scenario& scenario) {
    WT_CHECK(scenario.transport.kind == TransportKind::secure);
    WT_CHECK(scenario.transport.cipher == CipherKind::chacha20_poly1305);
}

}  // namespace

BuiltWorld build_world(const Scenario& scenario, std::uint64_t seed, const TestHooks& hooks,
                       const OwnProtocol* own) {
    BuiltWorld world;
    world.buffers = std::make_unique<SharedBuffers>(scenario.bot_count());
    const Building building{.hooks = hooks, .own = own, .buffers = world.buffers.get()};
    add_server(scenario, make_server(scenario, seed, building), world);
    add_others(scenario, seed, building, world);
    return world;
}

std::unique_ptr<Process> build_server(const Scenario& scenario, std::uint64_t seed,
                                      const RealSockets& real) {
    check_is_real(scenario);
    return make_server(scenario, seed, {.real = &real});
}

BuiltWorld build_bots(const Scenario& scenario, std::uint64_t seed, const RealSockets& real,
                      std::unique_ptr<Process> far_end) {
    check_is_real(scenario);
    BuiltWorld world;
    world.buffers = std::make_unique<SharedBuffers>(scenario.bot_count());
    add_server(scenario, std::move(far_end), world);
    HostPlan& portal = world.plan.hosts.front();
    // Its ticks are when it looks at what has arrived; it keeps nothing and takes no time.
    portal.tick_rate = Frequency{1'000};
    portal.tick_offset = 0;
    portal.receive_buffer = std::uint32_t{1} << 30;
    portal.cost = {};
    add_others(scenario, seed, {.real = &real, .buffers = world.buffers.get()}, world);
    return world;
}

}  // namespace wt::sim
