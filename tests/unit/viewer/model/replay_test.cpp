// SPDX-License-Identifier: MIT
//
// Worlds out of saved messages, held against the run that they are of: what a client knew at an
// instant and at the end, and what the server had. And messages that somebody has altered.
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>

#include "simulator/trace/payload_text.hpp"
#include "tests/support/payload_run.hpp"
#include "viewer/model/saved_world.hpp"

using namespace wt;
using namespace wt::viewer;

namespace {

constexpr Instant middle{2'501'000'000};

const test::PayloadRun& run() {
    static const test::PayloadRun one(middle);
    return one;
}

trace::TraceFile opened(std::vector<std::uint8_t> bytes) {
    auto file = trace::TraceFile::parse(std::move(bytes));
    if (!file) FAIL(file.error());
    return std::move(*file);
}

std::map<std::uint16_t, WorldObject> by_slot(const std::vector<WorldObject>& objects) {
    std::map<std::uint16_t, WorldObject> slots;
    for (const WorldObject& object : objects)
        slots[object.slot] = object;
    return slots;
}

void settle(SavedWorld& world, std::uint16_t peer, Instant at) {
    // A frame looks at 25,000 records; this trace has fewer than a million.
    for (int frame = 0; frame < 400; ++frame) {
        if (world.refresh(peer, at)) return;
    }
    FAIL("the picture is never complete");
}

}  // namespace

TEST_CASE("a client's messages, decoded once more, leave what it knew at the end") {
    const trace::TraceFile file = opened(run().bytes);
    REQUIRE(trace::replay_problem(file).empty());
    trace::PayloadReader payloads(file);
    for (std::uint16_t bot = 0; bot < test::PayloadRun::bots; ++bot) {
        CAPTURE(bot);
        trace::ReplicaReplay replay(payloads, static_cast<std::uint16_t>(bot + 1));
        std::size_t budget = ~std::size_t{0};
        while (replay.next(budget) != nullptr)
            (void)replay.take();
        CHECK(replay.is_at_end());
        CHECK(replay.taken() > 40);
        CHECK(replay.store().checksum() == run().checksums[bot]);
    }
}

TEST_CASE("the view of a saved world is what the client had at that instant") {
    const trace::TraceFile file = opened(run().bytes);
    SavedWorld world(file);
    // There, behind it, and back again.
    for (const Instant at : {middle, Instant{2'900'000'000}, middle}) {
        for (std::uint16_t bot = 0; bot < test::PayloadRun::bots; ++bot) {
            settle(world, static_cast<std::uint16_t>(bot + 1), at);
            if (at != middle) continue;
            CAPTURE(bot);
            const WorldPicture& live = run().pictures[bot];
            REQUIRE(live.view.size() > 100);
            const auto wanted = by_slot(live.view);
            const auto found = by_slot(world.picture().view);
            CHECK(found.size() == wanted.size());
            std::size_t differing = 0;
            for (const auto& [slot, object] : wanted) {
                const auto other = found.find(slot);
                const bool is_same = other != found.end() && other->second.kind == object.kind &&
                                     other->second.x == object.x && other->second.y == object.y;
                differing += is_same ? 0u : 1u;
            }
            CHECK(differing == 0);
        }
    }
    CHECK(world.refused() == 0);
}

TEST_CASE("the truth by snapshots is the server's, but for what moved since the last one") {
    const trace::TraceFile file = opened(run().bytes);
    SavedWorld world(file);
    settle(world, 1, middle);
    CHECK(world.witnesses() == test::PayloadRun::bots);
    const auto truth = by_slot(run().pictures[0].truth);
    const auto told = by_slot(world.picture().truth);
    REQUIRE(truth.size() > 900);
    // Everybody is told of everything within the first second.
    CHECK(told.size() * 100 >= truth.size() * 99);
    // A thing of 12 m/s, sent every third tick, is 600 mm on before the next one tells; a lost one
    // in between makes it twice that, 300 quanta of 4 mm.
    int farthest = 0;
    std::size_t strangers = 0;
    for (const auto& [slot, object] : told) {
        const auto known = truth.find(slot);
        const bool is_known = known != truth.end() && known->second.kind == object.kind;
        strangers += is_known ? 0u : 1u;
        if (!is_known) continue;
        farthest = std::max({farthest, std::abs(int{known->second.x} - int{object.x}),
                             std::abs(int{known->second.y} - int{object.y})});
    }
    CHECK(strangers == 0);
    CHECK(farthest <= 300);
}

TEST_CASE("without messages, or without a game, it is said why there is no world") {
    const trace::TraceFile none = opened([] {
        std::vector<std::uint8_t> bytes;
        trace::Output output(bytes);
        trace::Header header;
        header.tick_rate = 60;
        header.peers = 1;
        trace::About about;
        about.peers = {{"server", 0, true}};
        trace::add_words(about);
        trace::Writer writer(header, about, output);
        REQUIRE(writer.finish({}));
        return bytes;
    }());
    SavedWorld world(none);
    CHECK(world.problem() == "this run had no game");
    CHECK(world.refresh(1, middle));
    CHECK_FALSE(world.picture().has_game);
}

TEST_CASE("a snapshot tells its objects; an altered one is refused, and those after it are not") {
    std::vector<std::uint8_t> bytes = run().bytes;
    std::vector<std::uint64_t> snapshots;
    std::size_t at = 0;
    {
        const trace::TraceFile file = opened(bytes);
        trace::PayloadReader payloads(file);
        trace::ReplicaReplay replay(payloads, 2);
        std::size_t budget = ~std::size_t{0};
        while (const trace::ReplayMessage* const message = replay.next(budget)) {
            if (message->is_snapshot) snapshots.push_back(message->record);
            if (snapshots.size() == 20 && message->is_snapshot) {
                // The number of objects stands behind tick, number, batch and serial: 9 bytes.
                at = static_cast<std::size_t>(message->bytes.data() - file.bytes().data()) + 9;
            }
            (void)replay.take();
        }
        REQUIRE(snapshots.size() > 25);
        trace::PayloadTeller teller(file);
        const trace::Told told = teller.tell(snapshots[19]);
        CHECK(told.text.find("snapshot tick ") != std::string::npos);
        CHECK(told.objects.size() > 0);
        CHECK(trace::objects_text(told.objects, 1).find(" m)") != std::string::npos);
        // Backwards begins anew, with the same words.
        CHECK(teller.tell(snapshots[5]).objects.size() > 0);
        CHECK(teller.tell(snapshots[19]).text == told.text);
    }
    bytes[at] = 0xff;
    bytes[at + 1] = 0xff;
    const trace::TraceFile file = opened(bytes);
    trace::PayloadTeller teller(file);
    CHECK(teller.tell(snapshots[19]).text.find("REFUSED: malformed") != std::string::npos);
    CHECK(teller.tell(snapshots[19]).objects.empty());
    CHECK(teller.tell(snapshots[25]).text.find("REFUSED") == std::string::npos);
}
