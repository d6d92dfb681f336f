// SPDX-License-Identifier: MIT
//
// The wake-up: what a host does at one instant, and when the next one is. host_life.cpp has what
// the timeline and the connections do to it.
#include "simulator/core/host.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::sim {

namespace {
// Keys the hash of delivered contents, so that it is nobody else's hash of the same bytes.
constexpr std::uint64_t content_key = 0xd16e'57ed;

// In records: the translator has forgotten an idle mapping.
constexpr std::uint64_t nat_name = 0x6e61'7469'646c'6531;
}  // namespace

Host::Host(const HostPlan& plan, Place place, const HostServices& services,
           std::vector<HostAct> acts)
    : plan_(plan),
      place_(place),
      services_(services),
      network_(*services.network),
      schedule_(*services.schedule),
      inbox_(schedule_.inbox(place.index)),
      acts_(std::move(acts)),
      nat_(plan.nat),
      observed_(
          *plan.endpoint,
          [](const void* host, transport::ConnectionId connection) {
              const Host& self = *static_cast<const Host*>(host);
              return self.sending_flow(self.bot_of(connection));
          },
          [](void* host, Instant now) { static_cast<Host*>(host)->note_attempt(now); }, this),
      luck_(luck_of(services.seed, plan.name).with("behaviour")),
      reconnect_luck_(luck_of(services.seed, plan.name).with("reconnect")) {
    chronicle_.reserve(services.end);
    sender_ = {.host = place.index,
               .rank = place.rank,
               .sequence = 0,
               .port = address_of(plan.name, 0).port,
               .is_server = plan.is_server,
               .is_spoofing = plan.is_spoofing,
               .bot = place.bot};
    const Topology& topology = network_.topology();
    peers_.resize(plan.is_server ? topology.bots.size() : 1);
    for (std::uint32_t i = 0; i < peers_.size(); ++i) {
        peers_[i].name = network_.name_of_host(plan.is_server ? topology.bots[i] : topology.server);
    }
    if (services.is_observed && services.level_rate.per_second != 0) next_level_ = {};
    plan_next({-1});
}

void Host::run(Instant now, Station& station) {
    station_ = &station;
    now_ = now;
    observed_.set_observer(station.observer);
    observed_.set_time(now);
    const bool is_timed = plan_.is_server && services_.is_observed;
    if (is_timed) station_->observer->on_server_work(true, station_->observer->wall_ns());
    // What arrived since the wake-up was planned may make it earlier.
    const bool is_found = arrivals_seen_at(now) <= now && !mutated<"samples-last">();
    if (wake_at_ == now || is_found) wake(now);
    // Samples come last in their instant.
    if (next_level_ == now) take_levels(now);
    if (next_second_ == now) {
        chronicle_.add({RecordKind::checksum, now, is_up_ ? behaviour().state_checksum() : 0,
                        is_up_ ? 1u : 0u, 0});
        if (pauses_ > 0) settle_socket(now);
        next_second_ += Duration::seconds(1);
        ++events_;
    }
    plan_next(now);
    if (is_timed) station_->observer->on_server_work(false, station_->observer->wall_ns());
}

void Host::wake(Instant now) {
    ++events_;
    while (next_act_ < acts_.size() && acts_[next_act_].at <= now) {
        do_act(now, acts_[next_act_]);
        ++next_act_;
    }
    if (pauses_ > 0 || now < busy_until_) return;
    if (reconnect_at_ <= now) {
        reconnect_at_ = Instant::never();
        connect(now);
    }
    if (owes_flush_) flush_if_due(now);
    if (now < busy_until_) return;
    // A late tick, which only declared work makes, waits for a poll: what a host sees, it sees at
    // instants that everybody knows.
    const bool is_poll = services_.grid.is_poll(now);
    const bool is_tick = is_up_ && (next_tick_ == now || (is_poll && next_tick_ < now));
    if (is_tick || is_poll) receive_arrivals(now);
    if (!is_up_) return;
    if (is_tick) tick(now);
    pay(now);
    owes_flush_ = now < busy_until_;
    if (!owes_flush_) flush_if_due(now);
}

void Host::flush_if_due(Instant now) {
    if (!is_up_ || !services_.grid.is_flush(now)) return;
    owes_flush_ = false;
    if (has_output_ || plan_.endpoint->next_deadline() <= now) flush(now);
    pay(now);
}

void Host::pay(Instant now) {
    if (plan_.cost.is_free()) return;
    const std::uint64_t objects = behaviour().objects_visited();
    const auto times = [](Duration each, std::uint64_t count) {
        return each * static_cast<std::int64_t>(count);
    };
    const Duration work = times(plan_.cost.datagram, datagrams_worked_) +
                          times(plan_.cost.handshake, handshakes_worked_) +
                          times(plan_.cost.object, objects - objects_paid_);
    datagrams_worked_ = 0;
    handshakes_worked_ = 0;
    objects_paid_ = objects;
    busy_until_ = std::max(busy_until_, now) + work;
}

void Host::receive_arrivals(Instant now) {
    unread_bytes_ = 0;
    // A handful at a time, so that the memory of the later ones is on its way while the first are
    // worked on. Nothing that happens meanwhile can arrive before `now`.
    std::array<Arrival, Station::arrivals_at_once>& batch = station_->arrivals;
    const auto is_seen = [&] {
        if (mutated<"strict-visibility">()) return inbox_.next_at() <= now;
        return inbox_.next_at() < now;
    };
    while (is_seen()) {
        std::size_t count = 0;
        while (count < batch.size() && is_seen()) {
            batch[count] = inbox_.pop();
            network_.parcels().prefetch(batch[count].parcel);
            ++count;
        }
        for (std::size_t i = 0; i < count; ++i) {
            ++events_;
            ++datagrams_worked_;
            receive(now, batch[i]);
            network_.parcels().release(station_->worker, batch[i].parcel);
        }
    }
}

// What the socket made of an arrival. Decided when the datagram came, in the order of coming; the
// wake-up only finds it.
DropCause Host::socket_fate(const Parcel& parcel, const Arrival& arrival) {
    if (network_.is_cut(parcel.path, parcel.sent, arrival.at)) return DropCause::partition;
    if (!is_up_) return DropCause::no_socket;
    const DropCause outside = nat_.judge({parcel.to_port, parcel.to_place}, arrival.at);
    if (outside != DropCause::none && !mutated<"closed-port">()) return outside;
    const std::uint32_t bytes = parcel.size + header_bytes;
    if (unread_bytes_ + bytes > plan_.receive_buffer && !mutated<"receive-buffer">()) {
        return DropCause::receive_buffer;
    }
    unread_bytes_ += bytes;
    return DropCause::none;
}

// A paused host reads nothing, but its socket goes on filling: once a second what does not fit is
// let go, so that a long pause holds a receive buffer's worth and no more.
void Host::settle_socket(Instant now) {
    unread_bytes_ = 0;
    kept_.clear();
    while (inbox_.next_at() < now) {
        const Arrival arrival = inbox_.pop();
        const Parcel& parcel = network_.parcels().head(arrival.parcel);
        const DropCause cause = socket_fate(parcel, arrival);
        if (cause == DropCause::none) {
            kept_.push_back(arrival);
            continue;
        }
        lose(parcel, now, arrival.at, cause);
        network_.parcels().release(station_->worker, arrival.parcel);
    }
    for (const Arrival& arrival : kept_)
        inbox_.push(arrival);
}

void Host::receive(Instant now, const Arrival& arrival) {
    const Parcel& parcel = network_.parcels().head(arrival.parcel);
    const DropCause cause = socket_fate(parcel, arrival);
    if (cause != DropCause::none) {
        lose(parcel, now, arrival.at, cause);
        return;
    }
    const std::uint32_t bot = plan_.is_server ? parcel.path / 2 : 0;
    chronicle_.add({RecordKind::received, now, peer_of(bot).name,
                    pack_datagram(parcel.order >> 8, parcel.size, 0, 0),
                    static_cast<std::uint64_t>(arrival.at.ns)});
    network_.count_delivered(*station_, parcel, now);
    const transport::Address from = network_.sender_of(parcel);
    const MutableBytes room = network_.parcels().room(arrival.parcel);
    plan_.endpoint->receive(now, from, room.first(parcel.size), parcel.label);
    has_output_ = true;
    drain_events(now);
}

void Host::lose(const Parcel& parcel, Instant now, Instant decided, DropCause cause) {
    const std::uint32_t bot = plan_.is_server ? parcel.path / 2 : 0;
    chronicle_.add({RecordKind::lost_on_arrival, now, peer_of(bot).name,
                    pack_datagram(parcel.order >> 8, parcel.size, 0, static_cast<unsigned>(cause)),
                    static_cast<std::uint64_t>(decided.ns)});
    network_.count_lost(*station_, parcel, decided, now, cause);
}

void Host::tick(Instant now) {
    // Of ticks that came while the host was busy only the newest is run, as after a pause.
    const std::uint64_t newest = plan_.tick_rate.first_tick_at_or_after(now + Duration::nanos(1));
    tick_number_ = std::max(tick_number_, newest - 1);
    current_tick_ = tick_number_;
    bots::Context with = context(now);
    behaviour().tick(with);
    ++tick_number_;
    next_tick_ = plan_.tick_rate.tick(tick_number_);
    has_output_ = true;
    drain_events(now);
}

void Host::flush(Instant now) {
    transport::Endpoint& endpoint = *plan_.endpoint;
    endpoint.advance(now);
    drain_events(now);
    transport::Datagram datagram;
    while (true) {
        datagram = {};
        datagram.room = network_.spare_room(*station_).first(transport::datagram_bytes_max);
        if (!endpoint.next_datagram(now, datagram)) break;
        if (!plan_.is_server && nat_.touch(now)) {
            chronicle_.add({RecordKind::act, now, nat_name, 0, 0});
            take_outer_address();
        }
        network_.hand_over(now, *station_, sender_, chronicle_, datagram);
        ++datagrams_worked_;
    }
    has_output_ = false;
    // An event of this last moment may make the behaviour send; that leaves at the next flush.
    drain_events(now);
    if (services_.is_observed) take_samples(now);
    WT_CHECK(endpoint.next_deadline() > now || has_output_);
}

void Host::drain_events(Instant now) {
    transport::Event event;
    while (behaviour().takes_events() && plan_.endpoint->next_event(event)) {
        if (std::holds_alternative<transport::AuthorisationAsked>(event)) ++handshakes_worked_;
        note_event(now, event);
        bots::Context with = context(now);
        behaviour().on_event(with, event);
        has_output_ = true;
    }
}

void Host::take_samples(Instant now) {
    transport::Sample sample;
    while (plan_.endpoint->next_sample(sample)) {
        station_->observer->on_sample({sending_flow(bot_of(sample.connection)), now, sample});
    }
}

void Host::take_levels(Instant now) {
    ++level_number_;
    next_level_ = services_.level_rate.tick(level_number_);
    if (is_up_) {
        for (std::uint32_t i = 0; i < peers_.size(); ++i) {
            if (!peers_[i].is_connected) continue;
            transport::ConnectionLevels levels;
            if (!plan_.endpoint->levels_of(now, peers_[i].connection, levels)) continue;
            station_->observer->on_levels(
                {sending_flow(plan_.is_server ? i : place_.bot), now, levels});
        }
    }
    LevelPoint point{.at = now, .is_server = plan_.is_server};
    if (plan_.is_server) {
        const transport::Counters& counters = plan_.endpoint->counters();
        point.pending = plan_.endpoint->pending_count();
        point.bad_cookies = counters.of(transport::Refusal::bad_cookie);
        for (const std::uint64_t count : counters.refused)
            point.refused += count;
    }
    station_->observer->on_level_point(point);
}

// The poll, `now` or later, that finds the first of what lies in the inbox.
Instant Host::arrivals_seen_at(Instant now) const {
    if (pauses_ > 0 || inbox_.is_empty()) return Instant::never();
    // What came during a pause that ended between two polls waits for the next one.
    const Instant free = services_.grid.poll_at_or_after(std::max(now, busy_until_));
    return std::max(services_.grid.poll_after(inbox_.next_at()), free);
}

void Host::plan_next(Instant now) {
    Instant next = next_act_ < acts_.size() ? acts_[next_act_].at : Instant::never();
    if (pauses_ == 0) {
        next = std::min({next, reconnect_at_, arrivals_seen_at(now)});
        if (is_up_) {
            const bool is_late = next_tick_ < busy_until_;
            const Instant due = is_late ? services_.grid.poll_at_or_after(busy_until_) : next_tick_;
            next = std::min(next, due);
            // At the next flush instant: what waits now, or what the endpoint's deadline says.
            const Instant deadline = has_output_ ? now : plan_.endpoint->next_deadline();
            const Instant earliest = std::max({deadline, now + Duration::nanos(1), busy_until_});
            next = std::min(next, services_.grid.flush_at_or_after(earliest));
        }
    }
    wake_at_ = next;
    schedule_.set_next(place_.index, std::min({next, next_level_, next_second_}));
}

void Host::finish() {
    chronicle_.finish(services_.end);
}

bots::Context Host::context(Instant now) {
    return {.now = plan_.clock.local(now),
            .world_now = now,
            .tick = current_tick_ + plan_.tick_offset,
            .endpoint = observed_,
            .luck = luck_,
            .meter = services_.is_observed ? this : nullptr};
}

void Host::on_fact(Instant, transport::ConnectionId connection, const bots::Fact& fact) {
    const Flow flow = sending_flow(connection.is_valid() ? bot_of(connection) : place_.bot);
    station_->observer->on_fact({flow, now_, fact});
}

void Host::on_ticket_refused(Instant, const transport::Address& from) {
    const std::uint32_t bot = network_.bot_at(from);
    const bool is_known = bot != Network::no_bot;
    station_->observer->on_fact({sending_flow(is_known ? bot : place_.bot),
                                 now_,
                                 {.what = bots::Fact::What::ticket_refused},
                                 is_known});
}

void Host::on_frame(Instant, const bots::Frame& frame) {
    station_->observer->on_frame({place_.bot, now_, frame});
}

void Host::note_received(Instant now, const transport::Received& event) {
    const std::uint32_t bot = bot_of(event.connection);
    chronicle_.add({RecordKind::message, now, hash_bytes(event.bytes, content_key),
                    pack_message(static_cast<std::uint32_t>(event.bytes.size()), event.id,
                                 static_cast<std::uint8_t>(event.lane),
                                 static_cast<std::uint8_t>(event.delivery)),
                    peer_of(bot).name});
    if (!services_.is_observed) return;
    // The other end sent it.
    const Way way = plan_.is_server ? Way::up : Way::down;
    const std::uint32_t bytes = static_cast<std::uint32_t>(event.bytes.size());
    station_->observer->on_message({{bot, way}, now, bytes, event});
}

}  // namespace wt::sim
