// SPDX-License-Identifier: MIT
#include "engine/replication/divergence.hpp"

namespace wt::replication {

namespace {

void compare_one(const ObjectTable& table, const ReplicaView& view, Divergence& out) {
    const std::uint32_t slot = view.id.slot;
    if (view.kind != table.schemas().at(table.schema_of(slot)).kind) {
        ++out.differing;
        return;
    }
    if (view.owner != table.owner_of(slot)) ++out.owners;
    if (*view.state != table.state_of(slot)) ++out.behind;
    // The table's tick is the newest there is: what lies half a turn ahead lies behind.
    const std::uint32_t age = static_cast<std::uint32_t>(table.tick()) - view.tick;
    State then;
    if (!table.state_at(slot, table.tick() - age, then)) {
        ++out.unknown;
    } else if (then != *view.state) {
        ++out.differing;
    }
}

}  // namespace

Divergence compare(const ObjectTable& table, const PeerReplication& peer,
                   const ReplicaStore& store) {
    Divergence out;
    store.visit([&](const ReplicaView& view) {
        const std::uint32_t slot = view.id.slot;
        const bool known = slot < table.capacity();
        if (known && peer.relevant().has(slot) && table.is_alive(view.id)) {
            compare_one(table, view, out);
            return;
        }
        ++out.extra;
        const bool told = known && peer.is_held(slot) && table.id_of(slot) == view.id;
        if (!told) ++out.resurrected;
        if (told && peer.is_under_way(slot)) ++out.under_way;
    });
    peer.relevant().visit([&](std::uint32_t slot) {
        ReplicaView view;
        if (store.find(table.id_of(slot), view)) return;
        ++out.missing;
        if (peer.is_under_way(slot)) ++out.under_way;
    });
    return out;
}

std::uint64_t expected_checksum(const ObjectTable& table, const PeerReplication& peer) {
    std::uint64_t sum = 1;
    peer.relevant().visit([&](std::uint32_t slot) {
        sum = chain_object(sum, table.id_of(slot), table.schemas().at(table.schema_of(slot)).kind,
                           table.owner_of(slot), table.state_of(slot));
    });
    return sum;
}

}  // namespace wt::replication
