// SPDX-License-Identifier: MIT
//
// One player of the game, headless: the client stack, a mind, and the habits of its behaviour.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bots/game_client.hpp"
#include "bots/script.hpp"
#include "bots/ticket_office.hpp"

namespace wt::bots {

struct GameBotSettings {
    GameClientSettings client{};
    BehaviourKind behaviour = BehaviourKind::idle;
    transport::PlayerId player{};
    transport::Address server{};
    std::uint64_t authority_secret = 0;
    TicketBook tickets{};
    LuckKey mind{};
    std::vector<ScriptStep> script{};  // Of a scripted one, in the order of time.
};

class GameBot final : public Behaviour {
public:
    explicit GameBot(const GameBotSettings& settings);

    void start(Context& context) override;
    void on_event(Context& context, const transport::Event& event) override;
    void tick(Context& context) override;
    void behave(Context& context, std::optional<BehaviourKind> as) override;
    void leave(Context& context) override;
    [[nodiscard]] std::uint64_t state_checksum() const override;

    [[nodiscard]] const GameClient& client() const { return client_; }
    [[nodiscard]] transport::PlayerId player() const { return settings_.player; }
    // Chat lines whose content was not what their sender made.
    [[nodiscard]] std::uint64_t broken_contents() const { return broken_; }

private:
    void join(Context& context);
    void do_habits(Context& context);
    void follow_script(Context& context);
    void say(Context& context);
    [[nodiscard]] BehaviourKind own_behaviour() const;
    void report(Context& context);
    void write_latest(Context& context);
    [[nodiscard]] bool is_asleep(const Context& context) const;

    GameBotSettings settings_;
    TicketOffice office_;
    BehaviourKind behaviour_;
    Mind mind_;
    GameClient client_;
    std::uint64_t visit_ = 0;
    Instant started_{};
    std::size_t next_step_ = 0;
    BehaviourKind scripted_as_ = BehaviourKind::idle;
    bool is_told_otherwise_ = false;  // An act of the timeline goes before the script.
    Instant come_back_ = Instant::never();
    Instant next_habit_{};  // Chat line, bulk request or goodbye of the behaviour.
    Instant next_report_{};
    Instant latest_written_{};
    bool was_active_ = false;
    std::uint32_t reports_ = 0;
    std::uint64_t chats_ = 0;
    std::uint64_t broken_ = 0;
};

}  // namespace wt::bots
