// SPDX-License-Identifier: MIT
//
// One bot: a client's application, headless. Which of its habits are on is a behaviour kind; the
// host calls it, its endpoint is the full client stack.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "bots/behaviour.hpp"
#include "bots/join_authority.hpp"

namespace wt::bots {

struct BotSettings {
    BehaviourKind behaviour = BehaviourKind::idle;
    transport::PlayerId player{};
    transport::Address server{};
    std::uint64_t authority_secret = 0;
    Frequency frame_rate{60};
    Frequency input_rate{60};
};

class Bot final : public Behaviour {
public:
    explicit Bot(const BotSettings& settings);

    void start(Context& context) override;
    void on_event(Context& context, const transport::Event& event) override;
    void tick(Context& context) override;
    void behave(Context& context, std::optional<BehaviourKind> as) override;
    void leave(Context& context) override;
    [[nodiscard]] std::uint64_t state_checksum() const override { return checksum_; }

    // What arrived, for tests and reports.
    [[nodiscard]] std::uint64_t snapshots() const { return snapshots_; }
    [[nodiscard]] std::uint64_t bulk_records() const { return bulk_records_; }
    // Messages whose content was not what their sender made; anything but 0 is a broken stack.
    [[nodiscard]] std::uint64_t broken_contents() const { return broken_; }

private:
    void join(Context& context);
    void on_message(const transport::Received& message);
    void send_input(Context& context);
    void send_report(Context& context);
    void write_latest(Context& context);
    void send(Context& context, const transport::Message& message);

    BotSettings settings_;
    JoinAuthority authority_;
    BehaviourKind behaviour_;
    transport::ConnectionId connection_{};
    std::uint64_t visit_ = 0;
    Instant come_back_ = Instant::never();
    Instant connected_at_{};
    Instant next_habit_{};          // Chat line, bulk request or goodbye of the behaviour.
    std::uint64_t inputs_due_ = 0;  // Input ticks up to now, at input_rate.
    std::uint32_t input_tick_ = 0;
    std::uint32_t newest_snapshot_ = 0;
    std::uint32_t reports_ = 0;
    Instant latest_written_{};
    std::array<std::uint16_t, 3> buttons_{};
    std::uint64_t snapshots_ = 0;
    std::uint64_t bulk_records_ = 0;
    std::uint64_t broken_ = 0;
    std::uint64_t checksum_ = 0;
};

}  // namespace wt::bots
