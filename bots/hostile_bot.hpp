// SPDX-License-Identifier: MIT
//
// A player who wants no game. It knows everything that an honest client knows, and the protocol;
// it knows nobody's keys. What it costs others is measured, how it fares itself is not.
#pragma once

#include <cstdint>

#include "bots/game_client.hpp"
#include "bots/ticket_office.hpp"

namespace wt::bots {

struct HostileBotSettings {
    GameClientSettings client{};
    BehaviourKind behaviour = BehaviourKind::forger;
    transport::PlayerId player{};
    transport::Address server{};
    std::uint64_t authority_secret = 0;
    TicketBook tickets{};
    LuckKey mind{};
    // Whose first ticket a thief has, and when that was sold.
    transport::PlayerId victim{};
    Instant victim_joins{};
};

class HostileBot final : public Behaviour {
public:
    explicit HostileBot(const HostileBotSettings& settings);

    void start(Context& context) override;
    void on_event(Context& context, const transport::Event& event) override;
    void tick(Context& context) override;
    void behave(Context&, std::optional<BehaviourKind>) override {}
    void leave(Context& context) override;
    [[nodiscard]] bool takes_events() const override { return !is_deaf_; }
    [[nodiscard]] std::uint64_t state_checksum() const override;

private:
    void join(Context& context);
    void forge(Context& context);
    void send_forged(Context& context, const session::Envelope& envelope);

    HostileBotSettings settings_;
    TicketOffice office_;
    Mind mind_;
    GameClient client_;
    std::uint64_t visit_ = 0;
    Instant next_join_ = Instant::never();
    std::uint32_t forged_ = 0;
    bool is_deaf_ = false;  // Reads nothing any more.
};

}  // namespace wt::bots
