// SPDX-License-Identifier: MIT
//
// What runs above the server's endpoint while there is no game: it asks the authority, hands every
// newcomer the join record and place content, moves integer objects, sends each peer snapshots cut
// to the budget, relays chat, and answers wishes for bulk.
#pragma once

#include <cstdint>
#include <vector>

#include "bots/behaviour.hpp"
#include "bots/join_authority.hpp"

namespace wt::bots {

struct ServerApplicationSettings {
    std::uint64_t authority_secret = 0;
    Frequency tick_rate{60};
    Frequency snapshot_rate{20};
    std::uint32_t snapshot_budget = 1'076;  // bytes of one snapshot message
    std::uint32_t objects = 1'000;
    Chance moving = Chance::percent(10);
    Duration authorisation_delay = Duration::millis(20);
    std::uint32_t peers_max = 64;
};

class ServerApplication final : public Behaviour {
public:
    explicit ServerApplication(const ServerApplicationSettings& settings);

    void start(Context& context) override;
    void on_event(Context& context, const transport::Event& event) override;
    void tick(Context& context) override;
    void behave(Context&, std::optional<BehaviourKind>) override {}
    void leave(Context& context) override;
    [[nodiscard]] std::uint64_t state_checksum() const override;

    [[nodiscard]] std::uint64_t reports() const { return reports_; }
    [[nodiscard]] std::uint64_t inputs() const { return inputs_; }
    [[nodiscard]] std::uint64_t broken_contents() const { return broken_; }

private:
    struct Peer {
        transport::ConnectionId connection{};
        std::uint32_t cursor = 0;  // First object of its next snapshot.
    };
    struct Question {
        Instant due{};
        transport::AuthorisationAnswer answer{};
    };

    void welcome(Context& context, const transport::Connected& connected);
    void on_message(Context& context, const transport::Received& message);
    void relay_chat(Context& context, const transport::Received& message);
    void answer_authorisations(Context& context);
    void move_objects(Context& context);
    void send_snapshot(Context& context, Peer& peer);

    ServerApplicationSettings settings_;
    JoinAuthority authority_;
    std::vector<Peer> peers_;            // By connection index; invalid ids are gaps.
    std::vector<Question> questions_;    // In order of asking, which is the order of being due.
    std::vector<std::uint8_t> objects_;  // Little endian, object_bytes each.
    std::vector<std::uint8_t> join_record_;
    std::vector<std::uint8_t> content_;
    std::vector<std::uint8_t> snapshot_;
    std::uint32_t first_peer_ = 0;  // Whom this tick serves first; rotates.
    std::uint64_t reports_ = 0;
    std::uint64_t inputs_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t checksum_ = 0;
};

}  // namespace wt::bots
