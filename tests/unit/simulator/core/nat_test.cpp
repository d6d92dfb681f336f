// SPDX-License-Identifier: MIT
//
// A translator by itself, then in a world: what is sent to a mapping that was given up is lost with
// the cause `nat`, others see a new address, and held datagrams come in order at the hold's end.
#include "simulator/core/nat.hpp"

#include <doctest/doctest.h>

#include "simulator/core/host_name.hpp"
#include "tests/unit/simulator/core/world_fixture.hpp"

namespace wt::sim::nat_test {
namespace {

constexpr Instant ms(std::int64_t count) {
    return Instant{} + Duration::millis(count);
}

std::uint64_t dropped(const World& world, std::uint32_t bot, Way way, DropCause cause) {
    return world.path_counters(bot, way).dropped.of(cause);
}

// Addresses that a server saw datagrams from, in order and without repetitions.
class Witness final : public transport::Endpoint {
public:
    explicit Witness(transport::Endpoint& inner) : inner_(inner) {}

    void receive(Instant now, const transport::Address& from, ConstBytes datagram,
                 const transport::Label& label) override {
        if (seen.empty() || !(seen.back() == from)) seen.push_back(from);
        inner_.receive(now, from, datagram, label);
    }
    void advance(Instant now) override { inner_.advance(now); }
    transport::ConnectStatus connect(Instant now,
                                     const transport::ConnectRequest& request) override {
        return inner_.connect(now, request);
    }
    transport::SendStatus send(Instant now, transport::ConnectionId to,
                               const transport::Message& message) override {
        return inner_.send(now, to, message);
    }
    bool close(Instant now, transport::ConnectionId connection,
               transport::CloseReason reason) override {
        return inner_.close(now, connection, reason);
    }
    transport::AnswerStatus answer_authorisation(
        Instant now, const transport::AuthorisationAnswer& answer) override {
        return inner_.answer_authorisation(now, answer);
    }
    void restart(Instant now) override { inner_.restart(now); }
    bool next_datagram(Instant now, transport::Datagram& out) override {
        return inner_.next_datagram(now, out);
    }
    bool next_event(transport::Event& out) override { return inner_.next_event(out); }
    bool next_sample(transport::Sample& out) override { return inner_.next_sample(out); }
    [[nodiscard]] Instant next_deadline() const override { return inner_.next_deadline(); }
    [[nodiscard]] const transport::Capabilities& capabilities() const override {
        return inner_.capabilities();
    }
    [[nodiscard]] const transport::Counters& counters() const override { return inner_.counters(); }
    [[nodiscard]] const transport::Counters* counters_of(
        transport::ConnectionId connection) const override {
        return inner_.counters_of(connection);
    }
    bool levels_of(Instant now, transport::ConnectionId connection,
                   transport::ConnectionLevels& out) const override {
        return inner_.levels_of(now, connection, out);
    }
    [[nodiscard]] std::uint32_t connection_count() const override {
        return inner_.connection_count();
    }
    [[nodiscard]] std::uint32_t pending_count() const override { return inner_.pending_count(); }
    void observe(bool on) override { inner_.observe(on); }

    std::vector<transport::Address> seen{};

private:
    transport::Endpoint& inner_;
};

bool is_same_host(const transport::Address& a, const transport::Address& b) {
    return std::equal(a.ip.begin(), a.ip.end() - 1, b.ip.begin());
}

// One bot on a line of 40 ms each way, and what its server saw.
struct Watched {
    Watched() : witness(*party.endpoints[0]) {
        party.up().delay = party.down().delay = Duration::millis(40);
        party.plan.hosts[party.at[0]].endpoint = &witness;
    }
    Party party{1};
    Witness witness;
};

}  // namespace

TEST_CASE("a mapping lives from its instant to the next one, whenever that is asked") {
    Nat nat({});
    const OuterAddress first = nat.outer();
    CHECK(nat.judge(first, ms(0)) == DropCause::none);
    nat.rebind(ms(100), RebindKind::port);
    const OuterAddress second = nat.outer();
    CHECK(second.port == first.port + 1);
    CHECK(second.place == first.place);
    CHECK(nat.judge(first, {ms(100).ns - 1}) == DropCause::none);
    CHECK(nat.judge(first, ms(100)) == DropCause::nat);
    CHECK(nat.judge(second, ms(100)) == DropCause::none);
    CHECK(nat.judge(second, {ms(100).ns - 1}) == DropCause::no_socket);
    nat.rebind(ms(200), RebindKind::address);
    CHECK(nat.outer() == OuterAddress{second.port, 1});
    nat.rebind(ms(300), RebindKind::both);
    CHECK(nat.outer() == OuterAddress{port_number(2), 2});
    CHECK(nat.judge({second.port, 1}, ms(250)) == DropCause::none);
    CHECK(nat.judge({second.port, 1}, ms(300)) == DropCause::nat);
    nat.restart(ms(400));
    CHECK(nat.outer() == OuterAddress{port_number(3), 2});
    CHECK(nat.judge({port_number(2), 2}, ms(400)) == DropCause::no_socket);
    CHECK(nat.judge({1'234, 0}, ms(400)) == DropCause::no_socket);
}

TEST_CASE("sixteen mappings are remembered; who was sent to an older one finds nobody") {
    Nat nat({});
    const OuterAddress first = nat.outer();
    for (int i = 1; i < 16; ++i)
        nat.rebind(ms(i), RebindKind::port);
    CHECK(nat.judge(first, ms(20)) == DropCause::nat);
    CHECK(nat.judge(nat.outer(), ms(20)) == DropCause::none);
    nat.rebind(ms(16), RebindKind::port);
    CHECK(nat.judge(first, ms(20)) == DropCause::no_socket);
    CHECK(nat.judge(nat.outer(), ms(20)) == DropCause::none);
}

TEST_CASE("an idle mapping is forgotten after its time and not before") {
    Nat nat({.idle = Duration::millis(50), .every = {}, .gives = RebindKind::port});
    // The first datagram opens a mapping, however late it comes.
    CHECK(!nat.touch(ms(1'000)));
    const OuterAddress first = nat.outer();
    CHECK(!nat.touch(ms(1'050)));
    CHECK(nat.judge(first, ms(1'100)) == DropCause::none);
    CHECK(nat.judge(first, {ms(1'100).ns + 1}) == DropCause::nat);
    // What arrives does not keep it open: only what leaves.
    CHECK(nat.touch({ms(1'100).ns + 1}));
    CHECK(nat.outer().port == first.port + 1);
    CHECK(nat.judge(first, ms(1'110)) == DropCause::nat);
    CHECK(nat.judge(nat.outer(), ms(1'110)) == DropCause::none);
}

TEST_CASE("rebinding by port: what is under way to the old one is lost") {
    Watched watched;
    Party& party = watched.party;
    party.act(ActPlan::Do::rebind, 1'000, 1'000, {party.host_of_bot(0)});
    party.plan.end = ms(1'400);
    World& world = party.run();
    REQUIRE(watched.witness.seen.size() == 2);
    CHECK(watched.witness.seen[1].ip == watched.witness.seen[0].ip);
    CHECK(watched.witness.seen[1].port == watched.witness.seen[0].port + 1);
    // The server does not know the new address and goes on to the old one: what it sent from 960 ms
    // on (60 Hz), as far as it arrives by 1.4 s: (1,360 - 960) / 16.7 = 24, and keepalives.
    CHECK(dropped(world, 0, Way::down, DropCause::nat) >= 23);
    CHECK(dropped(world, 0, Way::down, DropCause::nat) <= 30);
    CHECK(dropped(world, 0, Way::up, DropCause::nat) == 0);
    CHECK(dropped(world, 0, Way::down, DropCause::no_socket) == 0);
}

TEST_CASE("rebinding by address: still this bot, and answers find it") {
    Watched watched;
    Party& party = watched.party;
    party.act(ActPlan::Do::rebind, 1'000, 1'000, {party.host_of_bot(0)}).gives =
        RebindKind::address;
    party.plan.end = Instant{} + Duration::seconds(3);
    World& world = party.run();
    REQUIRE(watched.witness.seen.size() >= 2);
    CHECK(watched.witness.seen[1].ip != watched.witness.seen[0].ip);
    CHECK(is_same_host(watched.witness.seen[1], watched.witness.seen[0]));
    CHECK(watched.witness.seen[1].port == watched.witness.seen[0].port);
    // This protocol finds out by its timeout of 500 ms and joins again from the new address.
    CHECK(party.bot(0).connects == 2);
    CHECK(party.bot(0).received > 60);
    CHECK(dropped(world, 0, Way::down, DropCause::nat) > 0);
}

TEST_CASE("a translator that forgets by itself: each so often, or when nothing leaves") {
    Watched often;
    often.party.plan.hosts[often.party.host_of_bot(0)].nat = {
        .idle = {}, .every = Duration::millis(700), .gives = RebindKind::port};
    often.party.run();
    // 3 s hold four or five instants that are 700 ms apart, whatever the first one is.
    CHECK(often.witness.seen.size() >= 5);
    CHECK(often.witness.seen.size() <= 6);
    // Nothing is ever silent for longer than the protocol's timeout of 500 ms.
    Watched idle;
    idle.party.bot(0).is_quiet = true;
    NatConfig& nat = idle.party.plan.hosts[idle.party.host_of_bot(0)].nat;
    nat.idle = Duration::millis(450);
    idle.party.run();
    CHECK(idle.witness.seen.size() == 1);
    Watched shorter;
    shorter.party.bot(0).is_quiet = true;
    shorter.party.plan.hosts[shorter.party.host_of_bot(0)].nat.idle = Duration::millis(90);
    shorter.party.run();
    CHECK(shorter.witness.seen.size() > 10);
}

TEST_CASE("suspend: what would arrive meanwhile arrives at the end, in order; nothing is lost") {
    Party party(1);
    party.up().delay = party.down().delay = Duration::millis(40);
    party.bot(0).is_quiet = true;
    party.act(ActPlan::Do::suspend, 1'000, 1'300, {party.host_of_bot(0)}).way = Way::down;
    World& world = party.run();
    const PathCounters down = world.path_counters(0, Way::down);
    CHECK(down.dropped.total() == 0);
    CHECK(down.reordered == 0);
    // Messages of one tick each, 16.7 ms apart: all that arrive in [1,000, 1,300) are 18, and each
    // is older than the line's 40 ms by what was left of the hold.
    const std::vector<Duration>& delays = party.bot(0).delays;
    const auto held = std::count_if(delays.begin(), delays.end(), [](Duration delay) {
        return delay > Duration::millis(40 + 5 + 5);
    });
    // The last of them waits less than the 10 ms that flush and poll may add anyway.
    CHECK(held >= 17);
    CHECK(held <= 18);
    // The oldest was due at 1,000 ms: it left at most a tick later than 960 ms.
    const Duration longest = *std::max_element(delays.begin(), delays.end());
    CHECK(longest >= Duration::millis(340 - 17));
    CHECK(longest <= Duration::millis(340 + 10));
}

TEST_CASE("suspended and then cut: what is held is still under way") {
    Party party(1);
    party.up().delay = Duration::millis(40);
    party.bot(0).is_quiet = true;
    party.server().is_quiet = true;
    party.act(ActPlan::Do::suspend, 1'000, 1'300, {party.host_of_bot(0)}).way = Way::up;
    party.act(ActPlan::Do::partition, 1'290, 1'310, {party.host_of_bot(0)}).way = Way::up;
    World& world = party.run();
    // Keepalives leave each 100 ms; those of [960, 1,260) were held, three of them.
    CHECK(dropped(world, 0, Way::up, DropCause::partition) == 3);
}

}  // namespace wt::sim::nat_test
