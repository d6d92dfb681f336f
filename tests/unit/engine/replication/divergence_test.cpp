// SPDX-License-Identifier: MIT
#include "engine/replication/divergence.hpp"

#include <doctest/doctest.h>

#include "tests/support/replication_schemas.hpp"

namespace wt::replication::divergence_test {

namespace {

// Both ends by hand: nothing arrives before it is let through.
struct Ends {
    Ends() { peer.reset(table, {}); }

    void tick() {
        table.commit(++now);
        peer.update_interest(table, {});
    }
    // Sends what Control has to say; `arrives` is whether the client gets it.
    void tell(bool arrives) {
        ControlMessage message;
        while (peer.next_control(table, room, message)) {
            peer.commit_control(table);
            if (!arrives) continue;
            const ConstBytes bytes = ConstBytes(room).first(message.bytes);
            CHECK(store.on_control(message.kind, bytes) == ControlStatus::ok);
        }
    }
    void confirm() {
        CHECK(peer.on_ack(table, {.control_serial = store.applied_serial()}) == AckStatus::ok);
    }
    [[nodiscard]] Divergence divergence() const { return compare(table, peer, store); }

    SchemaSet schemas = test_schemas();
    ObjectTable table{schemas, {.objects_max = 64}};
    PeerReplication peer;
    ReplicaStore store{schemas};
    std::vector<std::uint8_t> room = std::vector<std::uint8_t>(control_bytes_max);
    std::uint64_t now = 0;
};

}  // namespace

TEST_CASE("divergence: a spawn under way explains what is missing, one never sent does not") {
    Ends ends;
    (void)ends.table.spawn(crate_kind, no_owner, {});
    ends.tick();
    CHECK(ends.divergence().missing == 1);
    CHECK(ends.divergence().unexplained() == 1);
    ends.tell(false);
    CHECK(ends.divergence().missing == 1);
    CHECK(ends.divergence().unexplained() == 0);
}

TEST_CASE("divergence: what was confirmed and is missing has no excuse") {
    Ends ends;
    (void)ends.table.spawn(crate_kind, no_owner, {});
    ends.tick();
    ends.tell(true);
    CHECK(ends.divergence().is_converged());
    ends.confirm();
    CHECK(ends.divergence().unexplained() == 0);
    ends.store.reset();
    CHECK(ends.divergence().missing == 1);
    CHECK(ends.divergence().unexplained() == 1);
}

TEST_CASE("divergence: a despawn under way explains what is too much") {
    Ends ends;
    const ObjectId id = *ends.table.spawn(crate_kind, no_owner, {});
    ends.tick();
    ends.tell(true);
    ends.confirm();
    REQUIRE(ends.table.despawn(id));
    ends.tick();
    CHECK(ends.divergence().extra == 1);
    CHECK(ends.divergence().unexplained() == 1);  // Nobody has told the client.
    ends.tell(false);
    CHECK(ends.divergence().extra == 1);
    CHECK(ends.divergence().resurrected == 0);
    CHECK(ends.divergence().unexplained() == 0);
}

TEST_CASE("divergence: an object that the server counts on being gone has no excuse") {
    Ends ends;
    const ObjectId id = *ends.table.spawn(crate_kind, no_owner, {});
    ends.tick();
    ends.tell(true);
    ends.confirm();
    REQUIRE(ends.table.despawn(id));
    ends.tick();
    ends.tell(false);
    // The client says that it did, and did not.
    CHECK(ends.peer.on_ack(ends.table, {.control_serial = 2}) == AckStatus::ok);
    CHECK(ends.divergence().resurrected == 1);
    CHECK(ends.divergence().unexplained() == 1);
}

}  // namespace wt::replication::divergence_test
