// SPDX-License-Identifier: MIT
#include "simulator/realtime/server_run.hpp"

#include <algorithm>
#include <variant>

#include "engine/base/check.hpp"
#include "engine/crypto/entropy.hpp"
#include "engine/udp/address_text.hpp"
#include "simulator/realtime/fitness.hpp"
#include "simulator/realtime/real_time_result.hpp"
#include "simulator/run/collect_results.hpp"

namespace wt::sim {

namespace {

// Where the scenario says "at once", a process in real time still sleeps in between.
constexpr Duration shortest_step = Duration::millis(1);

Duration step_of(Duration asked) {
    return std::max(asked, shortest_step);
}

// A server that starts again must not look like the one before: epochs are drawn.
Scenario with_own_epochs(Scenario scenario) {
    if (scenario.transport.initial_epoch != 0) return scenario;
    std::array<std::uint8_t, 4> drawn{};
    crypto::system_entropy().fill(drawn);
    // The lower half counts sessions, and 0 is none.
    scenario.transport.initial_epoch = std::uint64_t{load_u32(drawn.data())} << 32 | 1;
    return scenario;
}

Instant first_join(const Scenario& scenario) {
    Instant first = Instant::never();
    for (const BotGroup& group : scenario.groups) {
        if (!group.is_hostile()) first = std::min(first, group.join_at);
    }
    return first == Instant::never() ? Instant{} : first;
}

}  // namespace

ServerRun::ServerRun(const Scenario& scenario, const std::vector<Gate>& gates,
                     const RealTimeOptions& options)
    : scenario_(with_own_epochs(scenario)),
      gates_(split_gates(Side::server, gates, scenario.world.game)),
      options_(options),
      watches_(watches_of(gates_.seen)),
      collector_(make_collector(scenario_, watches_)),
      figures_(scenario_, collector_, &stopwatch_),
      observer_(Side::server, figures_),
      process_(build_server(scenario_, options.seed, {.entropy = crypto::system_entropy()})),
      luck_(luck_of(options.seed, server_name()).with("behaviour")),
      first_join_(first_join(scenario)) {
    std::uint32_t bot = 0;
    for (const BotGroup& group : scenario.groups) {
        for (std::uint32_t number = 0; number < group.count; ++number)
            bot_of_player_.emplace(hash_of({group.name, number}), bot++);
    }
}

Result<transport::Address, udp::OpenError> ServerRun::open() {
    auto opened = udp::Socket::open({.bind = options_.address});
    if (!opened) return unexpected(opened.error());
    socket_.emplace(std::move(*opened));
    driver_.emplace(*process_->endpoint, *socket_);
    return socket_->local();
}

bots::Context ServerRun::context(Instant now) {
    return {.now = now,
            .world_now = now,
            .tick = tick_base_ + current_tick_,
            .endpoint = *process_->endpoint,
            .luck = luck_,
            .meter = this};
}

Instant ServerRun::next_wake(Instant now) const {
    const Instant tick = started_ + (scenario_.server.tick_rate.tick(next_tick_) - Instant{});
    const Instant poll = udp::next_quantum(now, step_of(scenario_.transport.poll));
    return std::min({tick, poll, next_flush_});
}

RunResult ServerRun::run(udp::Waiter& waiter) {
    WT_CHECK(driver_.has_value());
    constexpr std::int64_t second = 1'000'000'000;
    const Frequency rate = scenario_.server.tick_rate;
    Instant now = clock_.now();
    started_ = {now.ns / second * second};
    // Ticks are numbered by the wall clock, modulo what the wire carries, so that the other process
    // knows where each of them lies.
    tick_base_ = real_time_tick(started_, scenario_);
    next_tick_ = rate.first_tick_at_or_after(Instant{} + (now - started_));
    next_flush_ = udp::next_quantum(now, step_of(scenario_.transport.flush));
    process_->endpoint->observe(true);
    bots::Context with = context(now);
    process_->behaviour->start(with);
    Instant grid = Instant{} + Duration::millis(100);
    while (!waiter.is_stopped()) {
        const Instant wake = next_wake(now);
        waiter.wait(clock_, wake);
        now = clock_.now();
        if (zero_.has_value() && scenario_time(now) >= scenario_.end()) break;
        step(now);
        const Duration late = clock_.now() - wake;
        late_max_ = std::max(late_max_, late);
        if (late > late_step) ++late_steps_;
        if (!zero_.has_value() || scenario_time(now) < grid || !options_.on_grid) continue;
        grid = scenario_time(now) + Duration::millis(100);
        options_.on_grid({.now = scenario_time(now),
                          .end = scenario_.end(),
                          .active = collector_.active_now(),
                          .bots = scenario_.player_count(),
                          .failing = failed_for_good(gates_.seen, collector_)});
    }
    const bool was_stopped = waiter.is_stopped();
    say_goodbye(waiter);
    return finish(now, was_stopped);
}

// Arrivals, tick, flush: the order of a host's instant.
void ServerRun::step(Instant now) {
    observer_.on_server_work(true, observer_.wall_ns());
    driver_->receive(now, [&] { drain(now); });
    const Instant due = started_ + (scenario_.server.tick_rate.tick(next_tick_) - Instant{});
    const bool is_tick = due <= now;
    if (is_tick) tick(now);
    if (next_flush_ <= now) {
        next_flush_ = udp::next_quantum(now, step_of(scenario_.transport.flush));
        driver_->flush(now, [&](const transport::Datagram& sent) {
            const std::optional<std::uint32_t> bot = bot_of(sent.connection);
            const bool is_repeat = sent.label.on_lane && sent.label.transmission > 1;
            if (!bot.has_value() || !is_repeat || !is_measuring(now)) return;
            collector_.add_count(MetricId::peers_retransmits,
                                 Spot::of(*bot, Way::down, sent.label.lane), scenario_time(now));
        });
        drain(now);
        transport::Sample sample;
        while (process_->endpoint->next_sample(sample)) {
            const std::optional<std::uint32_t> bot = bot_of(sample.connection);
            if (bot.has_value() && is_measuring(now))
                observer_.on_sample({{*bot, Way::down}, scenario_time(now), sample});
        }
    }
    observer_.on_server_work(false, observer_.wall_ns());
    if (!is_measuring(now)) return;
    if (is_tick) take_levels(now);
    count_bytes(now);
    observer_.on_window_end(scenario_time(now) + Duration::nanos(1));
}

void ServerRun::tick(Instant now) {
    // Of ticks that were missed only the newest is run.
    const Frequency rate = scenario_.server.tick_rate;
    next_tick_ = rate.first_tick_at_or_after(Instant{} + (now - started_) + Duration::nanos(1));
    current_tick_ = next_tick_ - 1;
    bots::Context with = context(now);
    process_->behaviour->tick(with);
    drain(now);
}

void ServerRun::drain(Instant now) {
    transport::Event event;
    while (process_->endpoint->next_event(event)) {
        note(now, event);
        bots::Context with = context(now);
        process_->behaviour->on_event(with, event);
    }
}

void ServerRun::note(Instant now, const transport::Event& event) {
    if (std::holds_alternative<transport::AuthorisationAsked>(event)) {
        if (!zero_.has_value()) zero_ = now - (first_join_ - Instant{});
        return;
    }
    if (const auto* up = std::get_if<transport::Connected>(&event)) {
        const auto found = bot_of_player_.find(up->player.value);
        if (found == bot_of_player_.end()) return;
        if (up->connection.index >= seats_.size()) seats_.resize(up->connection.index + 1);
        seats_[up->connection.index] = {up->connection, found->second, true};
        if (!is_measuring(now)) return;
        const Instant at = scenario_time(now);
        observer_.on_connection(
            {.what = ConnectionChange::What::wanted, .bot = found->second, .at = at});
        observer_.on_connection({.what = ConnectionChange::What::up,
                                 .bot = found->second,
                                 .is_server_side = true,
                                 .at = at});
    } else if (const auto* down = std::get_if<transport::Closed>(&event)) {
        const std::optional<std::uint32_t> bot = bot_of(down->connection);
        if (!bot.has_value()) return;
        seats_[down->connection.index].is_taken = false;
        // Somebody who came anew before this one was given up is still there.
        const bool is_elsewhere = std::any_of(seats_.begin(), seats_.end(), [&](const Seat& seat) {
            return seat.is_taken && seat.bot == *bot;
        });
        if (is_elsewhere || !is_measuring(now)) return;
        observer_.on_connection({.what = ConnectionChange::What::down,
                                 .bot = *bot,
                                 .is_server_side = true,
                                 .at = scenario_time(now),
                                 .reason = down->reason});
    }
}

void ServerRun::take_levels(Instant now) {
    const Instant at = scenario_time(now);
    const transport::Endpoint& endpoint = *process_->endpoint;
    for (const Seat& seat : seats_) {
        if (!seat.is_taken) continue;
        transport::ConnectionLevels levels;
        if (!endpoint.levels_of(now, seat.connection, levels)) continue;
        observer_.on_levels({{seat.bot, Way::down}, at, levels});
    }
    LevelPoint point{.at = at, .is_server = true, .pending = endpoint.pending_count()};
    const transport::Counters& counters = endpoint.counters();
    for (const std::uint64_t count : counters.refused)
        point.refused += count;
    observer_.on_level_point(point);
}

void ServerRun::count_bytes(Instant now) {
    const udp::SocketCounters& counters = socket_->counters();
    const auto count = [&](Way way, std::uint64_t bytes, std::uint64_t datagrams) {
        collector_.add_count(MetricId::server_bytes, Spot::of(no_bot, way), scenario_time(now),
                             bytes + header_bytes * datagrams);
    };
    count(Way::up, counters.bytes_received - counted_.bytes_received,
          counters.datagrams_received - counted_.datagrams_received);
    count(Way::down, counters.bytes_sent - counted_.bytes_sent,
          counters.datagrams_sent - counted_.datagrams_sent);
    counted_ = counters;
}

std::optional<std::uint32_t> ServerRun::bot_of(transport::ConnectionId connection) const {
    if (!connection.is_valid() || connection.index >= seats_.size()) return std::nullopt;
    const Seat& seat = seats_[connection.index];
    if (!seat.is_taken || seat.connection != connection) return std::nullopt;
    return seat.bot;
}

bool ServerRun::is_measuring(Instant now) const {
    return zero_.has_value() && scenario_time(now) < scenario_.end();
}

void ServerRun::on_fact(Instant now, transport::ConnectionId connection, const bots::Fact& fact) {
    if (!is_measuring(now)) return;
    const std::optional<std::uint32_t> bot = bot_of(connection);
    if (connection.is_valid() && !bot.has_value()) return;
    observer_.on_fact({{bot.value_or(0), Way::down}, scenario_time(now), fact});
}

// Its bot's address is the other process's, and the same for many of them: nobody is named.
void ServerRun::on_ticket_refused(Instant now, const transport::Address&) {
    if (!is_measuring(now)) return;
    observer_.on_fact(
        {{0, Way::down}, scenario_time(now), {.what = bots::Fact::What::ticket_refused}, false});
}

void ServerRun::say_goodbye(udp::Waiter&) {
    // The waiter may be stopped already; three quanta are what a repeated goodbye needs.
    udp::Waiter patience;
    Instant now = clock_.now();
    bots::Context with = context(now);
    process_->behaviour->leave(with);
    for (int quantum = 0; quantum < 3; ++quantum) {
        driver_->receive(now, [&] { drain(now); });
        driver_->flush(now);
        drain(now);
        patience.wait(clock_, udp::next_quantum(now, udp::Driver::quantum));
        now = clock_.now();
    }
}

RunResult ServerRun::finish(Instant now, bool was_stopped) {
    RunResult result;
    result.seed = options_.seed;
    result.stopped = was_stopped ? Stopped::interrupted : Stopped::at_end;
    // A server that nobody came to has run for no time; figures need an instant to lie in.
    const Instant ran = zero_.has_value() ? scenario_time(now) : Instant{};
    result.ran_until = std::clamp(ran, Instant{} + Duration::millis(1), scenario_.end());
    figures_.finish(result.ran_until);
    result.cost.wall_ns = stopwatch_.wall_ns();
    result.cost.cpu_ns = stopwatch_.cpu_ns();
    result.cost.memory_bytes = peak_memory_bytes();
    collect_peers(scenario_, figures_, result);
    fill_figures(result, scenario_, gates_.seen, collector_, options_.count_cost);
    keep_what_was_seen(Side::server, scenario_.world.game, result);
    RealTimeResult real{.side = name_of(Side::server),
                        .command = "serve",
                        .address = udp::text_of(socket_->local()),
                        .unseen_gates = gates_.unseen,
                        .left_out = real_time_omissions(scenario_),
                        .late_max = late_max_,
                        .late_steps = late_steps_};
    add_socket_counts(socket_->counters(), real.counts);
    const transport::Counters& counters = process_->endpoint->counters();
    for (unsigned refusal = 0; refusal < transport::refusal_count; ++refusal) {
        if (counters.refused[refusal] == 0) continue;
        const auto name = static_cast<transport::Refusal>(refusal);
        real.refusals.push_back({transport::name_of(name), counters.refused[refusal]});
    }
    result.real_time = std::move(real);
    return result;
}

}  // namespace wt::sim
