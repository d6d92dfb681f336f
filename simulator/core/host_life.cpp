// SPDX-License-Identifier: MIT
//
// What the timeline and the connections do to a host: coming up, dying, leaving, pausing, other
// behaviours, reconnects.
#include <algorithm>
#include <variant>

#include "engine/base/check.hpp"
#include "simulator/core/host.hpp"

namespace wt::sim {

namespace {

// What a connection record says; values enter digests.
enum class ConnectionEdge : std::uint8_t { up = 1, down = 2, refused = 3, attempt = 4, moved = 5 };

std::uint64_t pack_pair(unsigned what, unsigned detail) {
    return std::uint64_t{what & 0xff} << 8 | (detail & 0xff);
}

}  // namespace

void Host::do_act(Instant now, const HostAct& act) {
    chronicle_.add({RecordKind::act, now, act.name,
                    pack_pair(static_cast<unsigned>(act.what), act.is_restart ? 1 : 0), 0});
    switch (act.what) {
        case HostAct::What::come_up:
            if (!is_up_) come_up(now);
            break;
        case HostAct::What::pause:
            ++pauses_;
            schedule_.set_hears(place_.index, false);
            break;
        case HostAct::What::resume:
            WT_CHECK(pauses_ > 0);
            --pauses_;
            if (pauses_ > 0) break;
            schedule_.set_hears(place_.index, true);
            // Ticks that fell into the pause never happened.
            tick_number_ =
                plan_.tick_rate.per_second == 0 ? 0 : plan_.tick_rate.first_tick_at_or_after(now);
            if (next_tick_ != Instant::never()) next_tick_ = plan_.tick_rate.tick(tick_number_);
            has_output_ = true;
            break;
        case HostAct::What::die:
            if (is_up_) die(now);
            break;
        case HostAct::What::come_back:
            come_back(now, act);
            break;
        case HostAct::What::leave:
            if (is_up_) leave(now);
            break;
        case HostAct::What::behave:
        case HostAct::What::behave_no_more:
            change_behaviour(now, act);
            break;
        case HostAct::What::rebind:
            nat_.rebind(now, act.gives);
            take_outer_address();
            break;
        case HostAct::What::note:
            break;
    }
}

// What is sent from now on carries it.
void Host::take_outer_address() {
    sender_.port = nat_.outer().port;
    sender_.place = nat_.outer().place;
}

void Host::come_up(Instant now) {
    // What lies unread belongs to the process before, or to nobody. It must be gone before there
    // is a socket again.
    receive_arrivals(now);
    if (was_up_) {
        plan_.endpoint->restart(now);
        ++incarnation_;
        if (!plan_.is_server) nat_.restart(now);
        take_outer_address();
    }
    is_up_ = true;
    was_up_ = true;
    is_leaving_ = false;
    is_trying_ = false;
    plan_.endpoint->observe(services_.is_observed);
    if (plan_.tick_rate.per_second != 0) {
        tick_number_ = plan_.tick_rate.first_tick_at_or_after(now);
        next_tick_ = plan_.tick_rate.tick(tick_number_);
    }
    tries_left_ = plan_.reconnect.has_value() ? plan_.reconnect->tries : 0;
    set_wanted(now, true);
    bots::Context with = context(now);
    behaviour().start(with);
    // An act that holds already holds for the new process too.
    if (!overrides_.empty()) behaviour().behave(with, overrides_.back().as);
    has_output_ = true;
    if (plan_.connect.has_value()) connect(now);
}

void Host::die(Instant now) {
    lose_all_connections(now);
    is_up_ = false;
    is_leaving_ = false;
    has_output_ = false;
    owes_flush_ = false;
    busy_until_ = {};
    next_tick_ = Instant::never();
    reconnect_at_ = Instant::never();
    set_wanted(now, false);
}

void Host::come_back(Instant now, const HostAct& act) {
    const bool may = act.is_restart || plan_.is_server || plan_.reconnect.has_value();
    if (!may) return;
    // A bot that left may still be up, waiting for its goodbye; it starts afresh all the same.
    if (is_up_) {
        if (!is_leaving_) return;
        die(now);
    }
    come_up(now);
}

void Host::leave(Instant now) {
    is_leaving_ = true;
    reconnect_at_ = Instant::never();
    bots::Context with = context(now);
    behaviour().leave(with);
    has_output_ = true;
    // Somebody who was never in has nobody to say goodbye to.
    if (!peer_of(0).is_connected) next_tick_ = Instant::never();
    set_wanted(now, false);
}

void Host::change_behaviour(Instant now, const HostAct& act) {
    if (act.what == HostAct::What::behave) {
        overrides_.push_back(act);
    } else {
        std::erase_if(overrides_, [&](const HostAct& each) { return each.act == act.act; });
    }
    if (!is_up_) return;
    // The latest start wins; acts come in that order.
    std::optional<bots::BehaviourKind> kind;
    if (!overrides_.empty()) kind = overrides_.back().as;
    bots::Context with = context(now);
    behaviour().behave(with, kind);
    has_output_ = true;
}

void Host::connect(Instant now) {
    has_output_ = true;
    if (!plan_.connect.has_value()) {
        bots::Context with = context(now);
        behaviour().start(with);
        return;
    }
    transport::ConnectRequest request = *plan_.connect;
    request.server = network_.server_address();
    // `busy` means that the behaviour was quicker, which is as good.
    (void)observed_.connect(now, request);
}

void Host::note_attempt(Instant now) {
    if (!is_trying_) {
        is_trying_ = true;
        attempts_since_ = now;
    }
    set_wanted(now, true);
    chronicle_.add({RecordKind::connection, now, peer_of(0).name,
                    pack_pair(static_cast<unsigned>(ConnectionEdge::attempt), 0), 0});
    change(now, {.what = ConnectionChange::What::attempt, .bot = place_.bot});
}

void Host::set_wanted(Instant now, bool wanted) {
    if (plan_.is_server || wanted == is_wanted_) return;
    is_wanted_ = wanted;
    const ConnectionChange::What what =
        wanted ? ConnectionChange::What::wanted : ConnectionChange::What::not_wanted;
    change(now, {.what = what, .bot = place_.bot});
}

void Host::reconnect_later(Instant now) {
    if (!plan_.reconnect.has_value() || tries_left_ == 0) {
        set_wanted(now, false);
        return;
    }
    --tries_left_;
    const std::uint64_t spread = static_cast<std::uint64_t>(plan_.reconnect->over.ns);
    const std::uint64_t extra = uniform_below(reconnect_luck_.draw(reconnects_++), spread + 1);
    reconnect_at_ = now + plan_.reconnect->after + Duration{static_cast<std::int64_t>(extra)};
    // Never in the instant that is being worked on.
    reconnect_at_ = std::max(reconnect_at_, now + Duration::nanos(1));
}

void Host::note_event(Instant now, const transport::Event& event) {
    if (const auto* received = std::get_if<transport::Received>(&event)) {
        note_received(now, *received);
    } else if (const auto* connected = std::get_if<transport::Connected>(&event)) {
        note_connected(now, *connected);
    } else if (const auto* closed = std::get_if<transport::Closed>(&event)) {
        note_closed(now, *closed);
    } else if (const auto* moved = std::get_if<transport::Moved>(&event)) {
        note_moved(now, *moved);
    }
}

void Host::note_moved(Instant now, const transport::Moved& event) {
    const std::uint32_t bot = bot_of(event.connection);
    chronicle_.add({RecordKind::connection, now, peer_of(bot).name,
                    pack_pair(static_cast<unsigned>(ConnectionEdge::moved), 0), 0});
    if (services_.is_observed) station_->observer->on_moved({bot, now});
}

void Host::note_connected(Instant now, const transport::Connected& event) {
    const std::uint32_t bot = plan_.is_server ? network_.bot_at(event.address) : place_.bot;
    WT_CHECK(bot != Network::no_bot);
    if (event.connection.index >= bot_of_connection_.size()) {
        bot_of_connection_.resize(event.connection.index + 1, 0);
    }
    bot_of_connection_[event.connection.index] = bot;
    Peer& peer = peer_of(bot);
    if (!plan_.is_server && peer.is_connected) {
        // Its server had forgotten it, and it has joined anew by itself. That the old connection
        // ends is told later; the session over it is lost already.
        change(now, {.what = ConnectionChange::What::down,
                     .bot = bot,
                     .reason = transport::CloseReason::superseded});
    }
    peer.connection = event.connection;
    peer.is_connected = true;
    chronicle_.add({RecordKind::connection, now, peer.name,
                    pack_pair(static_cast<unsigned>(ConnectionEdge::up), 0), 0});
    if (!plan_.is_server) {
        reconnect_at_ = Instant::never();  // Whoever is in has nothing to come back to.
        is_trying_ = false;
        tries_left_ = plan_.reconnect.has_value() ? plan_.reconnect->tries : 0;
    }
    change(now, {.what = ConnectionChange::What::up,
                 .bot = bot,
                 .is_server_side = plan_.is_server,
                 .attempts_since = attempts_since_});
}

void Host::note_closed(Instant now, const transport::Closed& event) {
    const std::uint32_t bot = bot_of(event.connection);
    Peer& peer = peer_of(bot);
    const ConnectionEdge edge =
        event.was_connected ? ConnectionEdge::down : ConnectionEdge::refused;
    // One that was never announced has no peer yet that this host knows by name.
    const std::uint64_t name = event.was_connected || !plan_.is_server ? peer.name : 0;
    chronicle_.add({RecordKind::connection, now, name,
                    pack_pair(static_cast<unsigned>(edge), static_cast<unsigned>(event.reason)),
                    0});
    // A connection that a newer one of the same bot has replaced ends unnoticed: the server finds
    // out by its timeout, long after the bot is back from another port.
    const bool is_current = peer.is_connected && peer.connection == event.connection;
    if (is_current) peer.is_connected = false;
    const bool is_own_wish = event.reason == transport::CloseReason::application;
    if (event.was_connected && is_current) {
        change(now, {.what = ConnectionChange::What::down,
                     .bot = bot,
                     .is_server_side = plan_.is_server,
                     .is_planned = is_leaving_ || is_own_wish,
                     .reason = event.reason});
    }
    // A client that is in by a newer connection has lost nothing with this one.
    if (plan_.is_server || peer.is_connected) return;
    if (is_leaving_) next_tick_ = Instant::never();
    if (is_leaving_) return;
    // Who closes by itself knows when to come back.
    if (is_own_wish) {
        set_wanted(now, false);
    } else {
        reconnect_later(now);
    }
}

void Host::change(Instant now, ConnectionChange change) {
    if (!services_.is_observed) return;
    change.at = now;
    station_->observer->on_connection(change);
}

void Host::lose_all_connections(Instant now) {
    for (std::uint32_t i = 0; i < peers_.size(); ++i) {
        if (!peers_[i].is_connected) continue;
        peers_[i].is_connected = false;
        change(now, {.what = ConnectionChange::What::down,
                     .bot = plan_.is_server ? i : place_.bot,
                     .is_server_side = plan_.is_server,
                     .is_planned = true});
    }
}

std::uint32_t Host::bot_of(transport::ConnectionId connection) const {
    if (!plan_.is_server) return place_.bot;
    if (connection.index >= bot_of_connection_.size()) return 0;
    return bot_of_connection_[connection.index];
}

Flow Host::sending_flow(std::uint32_t bot) const {
    return {bot, plan_.is_server ? Way::down : Way::up};
}

}  // namespace wt::sim
