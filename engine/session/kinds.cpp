// SPDX-License-Identifier: MIT
#include "engine/session/kinds.hpp"

namespace wt::session {

KindTable KindTable::standard() {
    constexpr std::uint16_t whole = static_cast<std::uint16_t>(payload_bytes_max);
    constexpr Channel control = Channel::control;
    // Hello and welcome have their own decoder and are checked there; sizes stand here once more so
    // that a session refuses the absurd before it looks inside.
    constexpr KindRule rules[] = {
        {Kind::hello, control, Sender::client, State::negotiating, false, false, 32, 512},
        {Kind::welcome, control, Sender::server, State::negotiating, false, false, 16, 128},
        {Kind::ready, control, Sender::client, State::synchronizing, false, false, 0, 0},
        {Kind::go, control, Sender::server, State::synchronizing, false, false, 4, 4},
        {Kind::refuse, control, Sender::server, State::negotiating, false, false, 9, 9},
        {Kind::bye, control, Sender::both, State::negotiating, false, false, 1, 1},
        {Kind::spawn_batch, control, Sender::server, State::synchronizing, false, false, 1, whole},
        {Kind::despawn_batch, control, Sender::server, State::synchronizing, false, false, 1,
         whole},
        {Kind::owner, control, Sender::server, State::synchronizing, false, false, 1, whole},
        {Kind::keyframe_request, control, Sender::client, State::synchronizing, false, false, 1,
         whole},
        {Kind::game_event, control, Sender::both, State::active, false, false, 1, whole},
        {Kind::desync_checksum, control, Sender::both, State::active, false, false, 1, 64},
        {Kind::input, Channel::input, Sender::client, State::active, true, true, 1, 256},
        {Kind::snapshot, Channel::snapshot, Sender::server, State::synchronizing, false, false, 1,
         whole},
        {Kind::bulk_request, control, Sender::client, State::synchronizing, false, false, 4, 64},
        {Kind::bulk_cancel, control, Sender::both, State::synchronizing, false, false, 4, 4},
    };
    KindTable table;
    for (const KindRule& rule : rules)
        table.set(rule);
    return table;
}

bool KindTable::set(const KindRule& rule) {
    const auto kind = static_cast<std::uint16_t>(rule.kind);
    if (kind == 0 || kind > kind_max) return false;
    if (place_[kind] != 0) {
        rules_[place_[kind] - 1u] = rule;
        return true;
    }
    rules_.push_back(rule);
    place_[kind] = static_cast<std::uint16_t>(rules_.size());
    return true;
}

}  // namespace wt::session
