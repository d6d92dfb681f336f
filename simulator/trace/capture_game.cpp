// SPDX-License-Identifier: MIT
//
// Connections, levels, samples, and what the game's parts say of themselves.
#include <algorithm>

#include "simulator/trace/capture.hpp"

namespace wt::trace {

namespace {

using What = bots::Fact::What;

Record noted(Type type, Instant at, const sim::Flow& flow) {
    Record record;
    record.time = at.ns;
    record.peer = static_cast<std::uint16_t>(flow.bot + 1);
    record.lane = no_lane;
    record.type = static_cast<std::uint8_t>(type);
    if (flow.way == sim::Way::down) record.flags = flag::server_side;
    return record;
}

Change change_of(sim::ConnectionChange::What what) {
    switch (what) {
        case sim::ConnectionChange::What::wanted:
            return Change::wanted;
        case sim::ConnectionChange::What::not_wanted:
            return Change::not_wanted;
        case sim::ConnectionChange::What::attempt:
            return Change::attempt;
        case sim::ConnectionChange::What::up:
            return Change::up;
        case sim::ConnectionChange::What::down:
            return Change::down;
    }
    return Change::down;
}

}  // namespace

void Capture::on_connection(const sim::ConnectionChange& what) {
    const sim::Flow flow{what.bot, what.is_server_side ? sim::Way::down : sim::Way::up};
    const std::uint16_t peer = peer_of(flow);
    Peer& state = peers_[peer];
    const bool is_up = what.what == sim::ConnectionChange::What::up;
    const bool is_down = what.what == sim::ConnectionChange::What::down;
    if (is_up && !what.is_server_side) ++state.epoch;
    if (is_up && what.is_server_side) ++work_.joins;
    if (is_up || is_down) {
        bool& end = what.is_server_side ? state.is_server_up : state.is_bot_up;
        if (what.is_server_side && end != is_up)
            peers_up_ = static_cast<std::uint16_t>(peers_up_ + (is_up ? 1 : 0xffff));
        end = is_up;
        if (!what.is_server_side) {
            state.newest_snapshot = ~std::uint64_t{0};
            state.least_age_ns = INT64_MAX;
        }
    }
    if (!is_full(peer)) return;
    Record record = noted(Type::connection, what.at, flow);
    record.kind = static_cast<std::uint16_t>(change_of(what.what));
    record.detail = static_cast<std::uint16_t>(what.reason);
    // The server's end learns of an epoch in the same window, so only the bot's end counts.
    if (!what.is_server_side) record.sequence = state.epoch;
    if (what.is_planned) record.flags |= flag::planned;
    push(record, actor_of(flow, true));
}

void Capture::add_levels(std::uint16_t peer, bool is_server,
                         const transport::ConnectionLevels& levels) {
    static constexpr Series lanes[] = {Series::queue_age_control, Series::queue_age_gameplay,
                                       Series::queue_age_state, Series::queue_age_chat,
                                       Series::queue_age_bulk};
    Duration oldest{};
    for (unsigned lane = 0; lane < transport::lane_count; ++lane)
        oldest = std::max(oldest, levels.queue_age[lane]);
    add(is_server ? Series::queue_age_down : Series::queue_age_up, peer, oldest.ns / 1'000);
    for (unsigned lane = 0; lane < std::size(lanes); ++lane)
        add(lanes[lane], peer, levels.queue_age[lane].ns / 1'000);
    add(Series::unacked_age, peer, levels.unacked_age.ns / 1'000);
    add(Series::backlog, peer, static_cast<std::int64_t>(levels.backlog_bytes));
    if (!levels.has_rtt_sample) return;
    if (is_server) add(Series::srtt, peer, levels.srtt.ns / 1'000);
    add(Series::rto, peer, levels.rto.ns / 1'000);
}

void Capture::on_levels(const sim::LevelsTaken& what) {
    add_levels(peer_of(what.flow), what.flow.way == sim::Way::down, what.levels);
}

void Capture::on_sample(const sim::SampleTaken& what) {
    const std::uint16_t peer = peer_of(what.flow);
    const bool is_rtt = what.sample.what == transport::Sample::What::rtt;
    if (is_rtt) add(Series::rtt, peer, what.sample.value / 1'000);
    if (!is_full(peer)) return;
    Record record = noted(is_rtt ? Type::rtt : Type::acked, what.at, what.flow);
    // Of what this end had sent.
    if (what.flow.way == sim::Way::down) record.flags |= flag::down;
    record.lane = static_cast<std::uint8_t>(what.sample.lane);
    record.detail = what.sample.message;
    if (is_rtt) {
        record.age = age_of({what.sample.value});
    } else {
        record.age = std::uint32_t{what.sample.fragment} |
                     static_cast<std::uint32_t>(std::min<std::int64_t>(what.sample.value, 255))
                         << 8;
    }
    push(record, actor_of(what.flow, true));
}

void Capture::add_correction(std::uint16_t peer, const bots::Fact& fact, Record& record) {
    record.flags |= flag::down;
    record.detail = size_of(static_cast<std::uint64_t>(std::max<std::int64_t>(fact.value, 0)));
    if (fact.extra != 0) {
        record.flags |= flag::teleport;
        return;
    }
    add(Series::corrections, peer, 1);
    add(Series::correction_size, peer, fact.value);
}

void Capture::on_fact(const sim::GameFact& what) {
    const bots::Fact& fact = what.fact;
    const std::uint16_t peer = peer_of(what.flow);
    Record record = noted(Type::input, what.at, what.flow);
    record.tick = fact.tick;
    const auto keep = [&](Type type) {
        record.type = static_cast<std::uint8_t>(type);
        if (is_full(record.peer)) push(record, actor_of(what.flow, true));
    };
    switch (fact.what) {
        case What::session_active:
            record.kind = static_cast<std::uint16_t>(Change::active);
            keep(Type::connection);
            break;
        case What::input_used:
            if (fact.value != 0) break;
            add(Series::inputs_missing, peer, 1);
            keep(Type::input_missing);
            break;
        case What::input_margin:
            add(Series::input_margin, peer, fact.value / 1'000);
            record.age = age_of({fact.value < 0 ? -fact.value : fact.value});
            if (fact.value < 0) record.flags |= flag::late;
            ++work_.inputs;
            keep(Type::input);
            break;
        case What::staleness:
            add(Series::staleness, peer, fact.value / 1'000);
            break;
        case What::snapshot_built:
            add(Series::updates, peer, fact.value);
            work_.updates += fact.value;
            break;
        case What::changed_objects:
        case What::near_avatars:
            break;
        case What::ticket_refused:
            if (!what.has_peer) record.peer = 0;
            keep(Type::ticket_refused);
            break;
        case What::objects_visited:
            add(Series::objects_visited, 0, fact.value);
            work_.objects += fact.value;
            break;
        case What::response:
            add(Series::response, peer, fact.value / 1'000);
            record.age = age_of({fact.value});
            keep(Type::response);
            break;
        case What::correction:
            add_correction(peer, fact, record);
            keep(Type::correction);
            break;
        case What::baseline_miss:
            record.flags |= flag::down;
            add(Series::baseline_misses, peer, 1);
            keep(Type::baseline_miss);
            break;
        case What::keyframe_request:
            keep(Type::keyframe_request);
            break;
        case What::desync:
            keep(Type::desync);
            break;
    }
}

// Above the quickest snapshot of this connection: what the path and the server's turns add.
void Capture::add_lateness(std::uint16_t peer, Duration age) {
    std::int64_t& least = peers_[peer].least_age_ns;
    least = std::min(least, age.ns);
    add(Series::lateness, peer, (age.ns - least) / 1'000);
}

void Capture::on_frame(const sim::FrameShown& what) {
    const bots::Frame& frame = what.frame;
    const std::uint16_t peer = static_cast<std::uint16_t>(what.bot + 1);
    const Instant newest = clock_.instant_of_tick(frame.newest_tick);
    const auto us = [&](Series series, Duration duration) {
        add(series, peer, duration.ns / 1'000);
    };
    us(Series::snapshot_age, what.at - newest);
    if (frame.is_timed)
        us(Series::lead, clock_.instant_of(frame.predicted) - clock_.newest_tick(what.at));
    if (frame.is_shown) {
        const Instant shown = clock_.instant_of(frame.shown);
        us(Series::view_age, what.at - shown);
        us(Series::jitter_buffer, std::max(newest - shown, Duration{}));
        add(Series::starved, peer, frame.is_starved ? 1 : 0);
    }
    Peer& state = peers_[peer];
    const bool is_new = state.newest_snapshot != frame.newest_tick;
    if (is_new) add_lateness(peer, what.at - newest);
    // A snapshot is wanted when the one before it is shown: one that comes `lateness` later than
    // the quickest is there in time if lateness + quickest <= view age - time between two of them.
    if (frame.is_shown && snapshot_ns_ > 0 && state.least_age_ns != INT64_MAX) {
        const Duration view = what.at - clock_.instant_of(frame.shown);
        add(Series::buffer, peer, (view.ns - state.least_age_ns - snapshot_ns_) / 1'000);
    }
    if (!is_new) return;
    state.newest_snapshot = frame.newest_tick;
    if (!state.is_full) return;
    Record record = noted(Type::apply, what.at, {what.bot, sim::Way::up});
    record.flags |= flag::down;  // What is applied came down.
    record.tick = static_cast<std::uint32_t>(frame.newest_tick);
    record.age = age_of(what.at - newest);
    push(record, bot_actor(what.bot));
}

void Capture::on_server_work(bool begins, std::int64_t wall_ns) {
    if (begins)
        work_began_ = wall_ns;
    else
        worked_ns_ += wall_ns - work_began_;
}

void Capture::add_tick_work(const sim::LevelPoint& point, Record& record) {
    add(Series::tick_opened, 0, work_.opened);
    add(Series::tick_inputs, 0, work_.inputs);
    add(Series::tick_updates, 0, work_.updates);
    add(Series::tick_sealed, 0, work_.sealed);
    record.age = age_of(costs_.datagram * (work_.opened + work_.sealed) +
                        costs_.join * work_.joins + costs_.object * work_.objects);
    record.size = size_of(point.refused > refused_ ? point.refused - refused_ : 0);
    refused_ = point.refused;
    work_ = {};
}

void Capture::on_level_point(const sim::LevelPoint& point) {
    if (!point.is_server) return;
    Record record;
    record.time = point.at.ns;
    record.lane = no_lane;
    record.type = static_cast<std::uint8_t>(Type::tick);
    record.flags = flag::server_side;
    record.tick = clock_.initial_tick +
                  static_cast<std::uint32_t>(clock_.rate.first_tick_at_or_after(point.at));
    record.detail = peers_up_;
    add_tick_work(point, record);
    push(record, server_actor());
    if (worked_ns_ == 0) return;
    const std::size_t cell = static_cast<std::size_t>(point.at.ns / cell_ns);
    wall_.tick_max_us.resize(cell + 1, 0);
    wall_.tick_sum_us.resize(cell + 1, 0);
    const std::uint32_t us = age_of({worked_ns_});
    wall_.tick_max_us[cell] = std::max(wall_.tick_max_us[cell], us);
    wall_.tick_sum_us[cell] += us;
    worked_ns_ = 0;
}

}  // namespace wt::trace
