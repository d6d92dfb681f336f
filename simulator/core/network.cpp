// SPDX-License-Identifier: MIT
#include "simulator/core/network.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::sim {

namespace {

// A parcel's order: 20 bits of rank, 36 of sequence, 8 of copies made by nodes (one bit a stop).
constexpr unsigned copy_bits = 8;
constexpr unsigned sequence_bits = 36;
constexpr std::uint64_t copy_mask = (std::uint64_t{1} << copy_bits) - 1;
constexpr std::uint64_t sequence_mask = (std::uint64_t{1} << sequence_bits) - 1;
constexpr std::size_t hosts_max = std::size_t{1} << 20;

std::uint64_t order_of(const Sender& sender) {
    WT_CHECK(sender.sequence <= sequence_mask);
    return std::uint64_t{sender.rank} << (sequence_bits + copy_bits) | sender.sequence << copy_bits;
}

std::uint64_t sequence_of(const Parcel& parcel) {
    return parcel.order >> copy_bits & sequence_mask;
}

// Addresses that are nobody's: of the range for documentation, with who invented it inside.
constexpr std::array<std::uint8_t, 4> nobody{0x20, 0x01, 0x0d, 0xb8};

transport::Address invented(std::uint32_t bot, std::uint64_t number) {
    transport::Address address;
    std::copy(nobody.begin(), nobody.end(), address.ip.begin());
    store_u32(address.ip.data() + 4, bot);
    store_u64(address.ip.data() + 8, number);
    return address;
}

std::uint32_t inventor_of(const transport::Address& address) {
    const bool is_invented = std::equal(nobody.begin(), nobody.end(), address.ip.begin());
    return is_invented ? load_u32(address.ip.data() + 4) : Network::no_bot;
}

// The last byte of an address is its bot's own, turned by the place that its translator gave it.
constexpr std::size_t place_byte = 15;

std::uint8_t place_of(const transport::Address& seen, const transport::Address& own) {
    return static_cast<std::uint8_t>(seen.ip[place_byte] ^ own.ip[place_byte]);
}

transport::Address at_place(transport::Address own, std::uint8_t place) {
    own.ip[place_byte] = static_cast<std::uint8_t>(own.ip[place_byte] ^ place);
    return own;
}

std::uint64_t key_of(transport::Address address) {
    address.ip[place_byte] = 0;
    return load_u64(address.ip.data()) ^ load_u64(address.ip.data() + 8);
}

}  // namespace

Network::Network(const WorldPlan& plan, Topology topology, Schedule& schedule,
                 std::uint32_t workers)
    : topology_(std::move(topology)),
      schedule_(schedule),
      pools_(workers),
      faults_(plan, topology_) {
    WT_CHECK(plan.hosts.size() < hosts_max);
    const LuckKey root = LuckKey::root(plan.seed).with("direction");
    directions_.reserve(topology_.directions.size());
    for (const DirectionPlan& direction : topology_.directions) {
        directions_.emplace_back(root.with(direction.name), direction.timeline);
    }
    for (const HostPlan& host : plan.hosts) {
        addresses_.push_back(address_of(host.name, 0));
        names_.push_back(hash_of(host.name));
    }
    make_nodes(plan);
    make_paths();
    make_places();
    // Everybody's datagrams meet at the server and may meet at any node.
    const std::size_t crowd = Schedule::inbox_estimate * (1 + topology_.bots.size() / 4);
    schedule_.inbox(topology_.server).reserve(crowd);
    for (std::uint32_t node = 0; node < nodes_.size(); ++node)
        schedule_.inbox(schedule_.host_count() + node).reserve(crowd);
}

void Network::make_nodes(const WorldPlan& plan) {
    for (std::uint32_t i = 0; i < topology_.directions.size(); ++i) {
        if (!topology_.directions[i].is_node) continue;
        Node node;
        node.direction = i;
        node.chronicle.reserve(plan.end);
        node.tallies.resize(topology_.paths.size());
        nodes_.push_back(std::move(node));
    }
}

void Network::make_paths() {
    std::vector<std::uint32_t> entity_of(topology_.directions.size(), 0);
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        entity_of[nodes_[node].direction] = schedule_.host_count() + node;
    }
    for (const PathPlan& from : topology_.paths) {
        Path path;
        path.bot = from.bot;
        path.way = from.way;
        path.first = from.first;
        path.source = from.source;
        path.target = from.target;
        path.name = from.name;
        path.source_name = names_[from.source];
        for (const std::uint32_t node : from.nodes)
            path.nodes[path.node_count++] = entity_of[node];
        paths_.push_back(path);
    }
    at_sender_.resize(paths_.size());
    at_receiver_.resize(paths_.size());
}

void Network::make_places() {
    places_.resize(std::bit_ceil(topology_.bots.size() * 2 + 2));
    for (std::uint32_t bot = 0; bot < topology_.bots.size(); ++bot) {
        const std::uint64_t key = key_of(addresses_[topology_.bots[bot]]);
        std::size_t at = key & (places_.size() - 1);
        while (places_[at].bot != no_bot) {
            WT_CHECK(places_[at].key != key);
            at = (at + 1) & (places_.size() - 1);
        }
        places_[at] = {key, bot};
    }
    server_address_ = addresses_[topology_.server];
}

std::uint32_t Network::bot_at(const transport::Address& address) const {
    const std::uint64_t key = key_of(address);
    std::size_t at = key & (places_.size() - 1);
    while (places_[at].bot != no_bot) {
        const transport::Address& own = addresses_[topology_.bots[places_[at].bot]];
        const bool is_own = std::equal(own.ip.begin(), own.ip.end() - 1, address.ip.begin());
        if (places_[at].key == key && is_own) return places_[at].bot;
        at = (at + 1) & (places_.size() - 1);
    }
    return no_bot;
}

MutableBytes Network::spare_room(Station& station) {
    if (!station.has_spare) {
        station.spare = pools_.of(station.worker).acquire_large();
        station.has_spare = true;
    }
    return pools_.room(station.spare);
}

// The path that leads to an address. What nobody lives at is counted where the address came from:
// on the way back to whoever invented it, else on the sender's own way (the first bot's, of a
// server).
Network::Destination Network::path_to(const Sender& sender, const transport::Address& to) const {
    if (!sender.is_server) return {path_of(sender.bot, Way::up), to.ip == server_address_.ip};
    const std::uint32_t bot = bot_at(to);
    if (bot != no_bot) return {path_of(bot, Way::down), true};
    const std::uint32_t inventor = inventor_of(to);
    const bool is_known = inventor < topology_.bots.size();
    return {path_of(is_known ? inventor : 0, Way::down), false};
}

void Network::hand_over(Instant now, Station& station, Sender& sender, Chronicle& chronicle,
                        const transport::Datagram& datagram) {
    WT_CHECK(station.has_spare);
    WT_CHECK(datagram.size <= transport::datagram_bytes_max);
    const Destination target = path_to(sender, datagram.to);
    Handed handed{.datagram = datagram,
                  .path = target.path,
                  .size = static_cast<std::uint32_t>(datagram.size)};
    if (!target.is_somebody) {
        handed.fate.cause = DropCause::no_socket;
    } else {
        // Counted whatever else happens: ordinals are those of hand-over.
        handed.fault = faults_.judge(handed.path, now, datagram.label);
        if (is_cut(handed.path, now, now)) {
            handed.fault = 0;
            handed.fate.cause = DropCause::partition;
        } else {
            faults_.count_hit(handed.path, handed.fault, datagram.label);
            handed.fate = first_fate(now, handed);
        }
    }
    dispatch(now, station, sender, chronicle, handed);
}

// What the first stop that is asked at hand-over makes of it: the link's direction, or none.
Fate Network::first_fate(Instant now, const Handed& handed) {
    const FaultPlan* const fault = faults_.plan_of(handed.path, handed.fault);
    const Path& path = paths_[handed.path];
    if (path.first != no_direction) {
        return directions_[path.first].send(now, handed.size, handed.datagram.label.weather_tag(),
                                            fault);
    }
    Fate fate;
    fate.copies = 1;
    fate.arrival[0] = now;
    if (fault != nullptr && path.node_count == 0) fate.suffer(*fault);
    return fate;
}

void Network::dispatch(Instant now, Station& station, Sender& sender, Chronicle& chronicle,
                       Handed& handed) {
    const Path& path = paths_[handed.path];
    const Fate& fate = handed.fate;
    const FaultPlan* const fault = faults_.plan_of(handed.path, handed.fault);
    const std::uint32_t size = handed.size;
    const std::uint64_t first_sequence = sender.sequence;
    Tally& tally = at_sender_[handed.path];
    ++tally.sent;
    tally.bytes += size + header_bytes;
    if (fate.cause != DropCause::none) tally.dropped.count(fate.cause);
    // Somebody on the way keeps what a replay needs before a link can alter it.
    const bool is_replayed = fault != nullptr && fault->action == FaultAction::replay;
    const ParcelId kept = is_replayed ? packed(station, size) : ParcelId{};
    if (fate.copies > 0) {
        MutableBytes room = pools_.room(station.spare);
        handed.size = static_cast<std::uint32_t>(apply(fate.corruption, room, size));
        if (!waits_for_node(path)) {
            faults_.corrupt(handed.path, handed.fault, first_sequence, room.first(handed.size));
        }
    }
    const unsigned copies = fate.copies + fate.exact_copies;
    // One record a copy; a dropped datagram has one too, with arrival 0.
    if (copies == 0) note_handed(now, sender, chronicle, handed, {});
    for (unsigned copy = 0; copy < copies; ++copy) {
        const Instant arrival = copy < fate.copies
                                    ? fate.arrival[copy]
                                    : fate.arrival[0] + fate.exact_gap * (copy - fate.copies + 1);
        note_handed(now, sender, chronicle, handed, arrival);
        // The last copy of a large one travels where it was sealed.
        const bool is_moved = copy + 1 < copies || handed.size <= ParcelPool::small_bytes;
        const ParcelId id = is_moved ? packed(station, handed.size) : station.spare;
        station.has_spare = is_moved;
        set_out(now, station, sender, handed, {.id = id, .arrival = arrival, .is_copy = copy > 0});
        ++sender.sequence;
    }
    if (copies == 0) ++sender.sequence;
    tally.duplicated += copies > 1 ? copies - 1 : 0;
    // A node that will make copies of it has numbers to give them.
    if (waits_for_node(path) && fault != nullptr && fault->action == FaultAction::duplicate)
        sender.sequence += fault->copies;
    if (is_replayed) {
        ++tally.duplicated;
        replay(now, station, sender, chronicle, handed, kept);
    }
    if (station.observer == nullptr) return;
    station.observer->on_handed({{path.bot, path.way},
                                 now,
                                 first_sequence,
                                 size,
                                 static_cast<std::uint8_t>(copies),
                                 fate.cause,
                                 fate.queue_wait,
                                 fate.service,
                                 handed.datagram.label});
}

// Moves what was sealed into a parcel of its own.
ParcelId Network::packed(Station& station, std::size_t size) {
    const ParcelId id = pools_.of(station.worker).acquire(size);
    if (size > 0) std::memcpy(pools_.room(id).data(), pools_.room(station.spare).data(), size);
    return id;
}

void Network::note_handed(Instant now, const Sender& sender, Chronicle& chronicle,
                          const Handed& handed, Instant arrival) const {
    chronicle.add({RecordKind::handed_over, now, paths_[handed.path].name,
                   pack_datagram(sender.sequence, static_cast<std::uint32_t>(handed.datagram.size),
                                 static_cast<unsigned>(handed.datagram.label.weather_tag()),
                                 static_cast<unsigned>(handed.fate.cause)),
                   static_cast<std::uint64_t>(arrival.ns)});
}

void Network::set_out(Instant now, Station& station, const Sender& sender, const Handed& handed,
                      const Departure& how) {
    const bool waits = waits_for_node(paths_[handed.path]) && !how.is_passing;
    const transport::Address& to = handed.datagram.to;
    const Path& path = paths_[handed.path];
    pools_.head(how.id) = {.sent = now,
                           .arrival = how.arrival,
                           .order = order_of(sender),
                           .label = handed.datagram.label,
                           .path = handed.path,
                           .fault = waits ? handed.fault : std::uint16_t{0},
                           .is_passing = how.is_passing,
                           .is_strange = how.is_strange || sender.is_spoofing,
                           .is_copy = how.is_copy,
                           .stop = 0,
                           .size = static_cast<std::uint16_t>(handed.size),
                           .from_port = sender.port,
                           .to_port = to.port,
                           .from_place = sender.place,
                           .to_place = place_of(to, addresses_[path.target])};
    forward(station, sender.host, how.id, how.arrival);
}

// The same bytes once more, put in by somebody between the ends: links only delay them.
void Network::replay(Instant now, Station& station, Sender& sender, Chronicle& chronicle,
                     const Handed& handed, ParcelId kept) {
    const FaultPlan& fault = *faults_.plan_of(handed.path, handed.fault);
    const std::uint32_t first = paths_[handed.path].first;
    const Instant passed = first == no_direction ? now : directions_[first].pass(now).arrival[0];
    const Instant arrival = passed + fault.after;
    Handed echo{.datagram = handed.datagram,
                .path = handed.path,
                .size = static_cast<std::uint32_t>(handed.datagram.size)};
    note_handed(now, sender, chronicle, echo, arrival);
    set_out(now, station, sender, echo,
            {.id = kept,
             .arrival = arrival,
             .is_copy = true,
             .is_passing = true,
             .is_strange = fault.is_from_stranger});
    ++sender.sequence;
}

void Network::forward(Station& station, std::uint32_t from, ParcelId id, Instant arrival) {
    Parcel& parcel = pools_.head(id);
    const Path& path = paths_[parcel.path];
    const bool is_last = parcel.stop >= path.node_count;
    if (is_last) parcel.arrival = arrival = released(parcel.path, arrival);
    const std::uint32_t to = is_last ? path.target : path.nodes[parcel.stop];
    schedule_.post(station, from, to, {arrival, parcel.order, id});
}

ParcelId Network::copy_of(const Station& station, ParcelId id) {
    const std::size_t size = pools_.head(id).size;
    const ParcelId copy = pools_.of(station.worker).acquire(size);
    pools_.head(copy) = pools_.head(id);
    if (size > 0) std::memcpy(pools_.room(copy).data(), pools_.room(id).data(), size);
    return copy;
}

void Network::run_node(Station& station, std::uint32_t entity, Instant now) {
    Node& node = nodes_[entity - schedule_.host_count()];
    LinkDirection& direction = directions_[node.direction];
    ArrivalQueue& inbox = schedule_.inbox(entity);
    while (inbox.next_at() == now) {
        const ParcelId id = inbox.pop().parcel;
        ++node.events;
        const Parcel& parcel = pools_.head(id);
        const Fate fate =
            parcel.is_passing
                ? direction.pass(now)
                : direction.send(now, parcel.size, parcel.label.weather_tag(),
                                 faults_.plan_of(parcel.path, parcel.fault),
                                 {.flow = paths_[parcel.path].name, .number = id.value});
        settle_at_node(station, entity, now, id, {now, now, fate});
    }
    Instant next = inbox.next_at();
    if (direction.has_turns()) {
        Settled settled;
        while (direction.settle(now, settled)) {
            ++node.events;
            settle_at_node(station, entity, now, ParcelId{settled.number},
                           {settled.came, settled.decided, settled.fate});
        }
        next = std::min(next, direction.next_turn());
    }
    schedule_.set_next(entity, next);
}

// One record when a parcel comes to wait, with arrival 0, and one when its fate is known.
void Network::settle_at_node(Station& station, std::uint32_t entity, Instant now, ParcelId id,
                             const NodeFate& what) {
    Node& node = nodes_[entity - schedule_.host_count()];
    const Parcel& parcel = pools_.head(id);
    const Path& path = paths_[parcel.path];
    const Fate& fate = what.fate;
    node.chronicle.add({RecordKind::handed_over, now, path.source_name,
                        pack_datagram(sequence_of(parcel), parcel.size,
                                      static_cast<unsigned>(parcel.label.weather_tag()),
                                      static_cast<unsigned>(fate.cause)),
                        static_cast<std::uint64_t>(fate.arrival[0].ns)});
    if (fate.is_waiting) return;
    if (fate.cause != DropCause::none) {
        node.tallies[parcel.path].dropped.count(fate.cause);
        if (station.observer != nullptr) {
            station.observer->on_lost({{path.bot, path.way},
                                       what.decided,
                                       now,
                                       sequence_of(parcel),
                                       parcel.size,
                                       fate.cause,
                                       parcel.is_copy,
                                       true,
                                       parcel.label});
        }
        pools_.release(station.worker, id);
        return;
    }
    if (station.observer != nullptr)
        station.observer->on_waited({{path.bot, path.way}, what.came, fate.queue_wait});
    leave_node(station, entity, id, fate);
}

std::vector<ParcelId> Network::waiting_at_nodes() const {
    std::vector<ParcelId> waiting;
    for (const Node& node : nodes_) {
        for (const std::uint32_t number : directions_[node.direction].waiting())
            waiting.push_back({number});
    }
    return waiting;
}

// On to the next stop, with everybody that the node made of it.
void Network::leave_node(Station& station, std::uint32_t entity, ParcelId id, const Fate& fate) {
    Tally& tally = nodes_[entity - schedule_.host_count()].tallies[pools_.head(id).path];
    Parcel& parcel = pools_.head(id);
    const std::uint8_t stop = parcel.stop++;
    MutableBytes room = pools_.room(id);
    parcel.size = static_cast<std::uint16_t>(apply(fate.corruption, room, parcel.size));
    faults_.corrupt(parcel.path, parcel.fault, sequence_of(parcel), room.first(parcel.size));
    parcel.fault = 0;
    parcel.arrival = fate.arrival[0];
    const auto send_copy = [&](std::uint64_t order, Instant arrival) {
        ++tally.duplicated;
        const ParcelId copy = copy_of(station, id);
        Parcel& twin = pools_.head(copy);
        twin.order = order;
        twin.arrival = arrival;
        twin.is_copy = true;
        forward(station, entity, copy, arrival);
    };
    if (fate.copies == 2) send_copy(parcel.order | std::uint64_t{1} << stop, fate.arrival[1]);
    for (std::uint32_t copy = 1; copy <= fate.exact_copies; ++copy) {
        send_copy(parcel.order + (std::uint64_t{copy} << copy_bits),
                  fate.arrival[0] + fate.exact_gap * copy);
    }
    forward(station, entity, id, fate.arrival[0]);
}

transport::Address Network::sender_of(const Parcel& parcel) const {
    const Path& path = paths_[parcel.path];
    // A replay comes from one stranger; who spoofs is somebody else each time.
    transport::Address from =
        !parcel.is_strange ? at_place(addresses_[path.source], parcel.from_place)
                           : invented(path.bot, parcel.is_passing ? 0 : sequence_of(parcel) + 1);
    from.port = parcel.from_port;
    return from;
}

// When something that would arrive at `arrival` does: at the end of the suspension that it falls
// into. What arrives at one instant keeps the order of its source.
Instant Network::released(std::uint32_t index, Instant arrival) const {
    const std::vector<PathSpan>& spans = topology_.paths[index].suspensions;
    const auto span =
        std::upper_bound(spans.begin(), spans.end(), arrival,
                         [](Instant at, const PathSpan& each) { return at < each.end; });
    const bool is_held = span != spans.end() && span->start <= arrival;
    return is_held && !mutated<"suspend-holds">() ? span->end : arrival;
}

bool Network::is_cut(std::uint32_t index, Instant sent, Instant arrival) const {
    const std::vector<PathSpan>& spans = topology_.paths[index].partitions;
    // Spans are apart and sorted: the first one that is not over when the flight begins decides.
    const auto span =
        std::upper_bound(spans.begin(), spans.end(), sent,
                         [](Instant at, const PathSpan& each) { return at < each.end; });
    if (span == spans.end()) return false;
    return span->start <= (mutated<"partition-in-flight">() ? sent : arrival);
}

void Network::count_delivered(const Station& station, const Parcel& parcel, Instant now) {
    Path& path = paths_[parcel.path];
    ++at_receiver_[parcel.path].delivered;
    const std::uint64_t original = parcel.order & ~copy_mask;
    const bool is_reordered = !parcel.is_copy && original < path.newest;
    if (!parcel.is_copy) path.newest = std::max(path.newest, original);
    if (is_reordered) ++at_receiver_[parcel.path].reordered;
    if (station.observer == nullptr) return;
    station.observer->on_delivered({{path.bot, path.way},
                                    now,
                                    parcel.arrival - parcel.sent,
                                    sequence_of(parcel),
                                    parcel.size,
                                    parcel.is_copy,
                                    is_reordered,
                                    parcel.label});
}

void Network::count_lost(const Station& station, const Parcel& parcel, Instant decided,
                         Instant noted, DropCause cause) {
    const Path& path = paths_[parcel.path];
    at_receiver_[parcel.path].dropped.count(cause);
    if (station.observer == nullptr) return;
    station.observer->on_lost({{path.bot, path.way},
                               decided,
                               noted,
                               sequence_of(parcel),
                               parcel.size,
                               cause,
                               parcel.is_copy,
                               false,
                               parcel.label});
}

PathCounters Network::counters_of(std::uint32_t index) const {
    const Tally& sender = at_sender_[index];
    const Tally& receiver = at_receiver_[index];
    PathCounters sum;
    sum.sent = sender.sent;
    sum.bytes = sender.bytes;
    sum.duplicated = sender.duplicated;
    sum.delivered = receiver.delivered;
    sum.reordered = receiver.reordered;
    sum.dropped = sender.dropped;
    sum.dropped.add(receiver.dropped);
    for (const Node& node : nodes_) {
        sum.duplicated += node.tallies[index].duplicated;
        sum.dropped.add(node.tallies[index].dropped);
    }
    return sum;
}

}  // namespace wt::sim
