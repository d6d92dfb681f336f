// SPDX-License-Identifier: MIT
#include "viewer/model/world_picture.hpp"

namespace wt::viewer {

WorldPicture picture_of(const sim::BuiltWorld& built, std::uint32_t bot, Instant at) {
    WorldPicture picture;
    picture.at = at;
    picture.bot = bot;
    if (built.game != sim::GameKind::arena || bot + 1 >= built.processes.size()) return picture;
    const bots::GameServer& server = built.game_server();
    const replication::ObjectTable* const table = server.table();
    if (table == nullptr) return picture;
    picture.has_game = true;
    const bots::GameBot& player = built.game_bot(bot);
    const replication::PeerReplication* const told = server.view_of(player.player());
    table->alive().visit([&](std::uint32_t slot) {
        if (!table->has_place(slot)) return;
        picture.truth.push_back({.slot = static_cast<std::uint16_t>(slot),
                                 .kind = table->schemas().at(table->schema_of(slot)).kind,
                                 .x = table->x_of(slot),
                                 .y = table->y_of(slot),
                                 .is_relevant = told != nullptr && told->relevant().has(slot)});
    });
    if (player.client().state() != session::State::active) return picture;
    player.client().replicas().visit([&](const replication::ReplicaView& view) {
        const replication::State& state = *view.state;
        picture.view.push_back({.slot = view.id.slot,
                                .kind = view.kind,
                                .x = static_cast<std::uint16_t>(state.fields[0]),
                                .y = static_cast<std::uint16_t>(state.fields[1])});
    });
    return picture;
}

}  // namespace wt::viewer
