// SPDX-License-Identifier: MIT
#include "bots/game_bot.hpp"

#include <array>
#include <variant>

#include "bots/habits.hpp"
#include "bots/payloads.hpp"
#include "engine/base/hash.hpp"

namespace wt::bots {

using transport::Kind;
using transport::Lane;

namespace {

constexpr Frequency report_rate{60};
// A laggard presents one frame in so many, and nothing at all for the first part of each stretch.
constexpr std::uint64_t laggard_frames = 6;
constexpr Duration laggard_stretch = Duration::seconds(10);
constexpr Duration laggard_sleep = Duration::millis(400);

}  // namespace

GameBot::GameBot(const GameBotSettings& settings)
    : settings_(settings),
      office_(settings.authority_secret, settings.tickets),
      behaviour_(own_behaviour()),
      mind_(settings.mind),
      client_(settings.client) {}

void GameBot::start(Context& context) {
    // A process that comes up knows nothing of its earlier lives but how often it was let in:
    // tickets are for one visit.
    client_.reset();
    come_back_ = Instant::never();
    was_active_ = false;
    reports_ = 0;
    chats_ = 0;
    started_ = context.now;
    next_step_ = 0;
    scripted_as_ = BehaviourKind::idle;
    is_told_otherwise_ = false;
    behaviour_ = own_behaviour();
    join(context);
}

BehaviourKind GameBot::own_behaviour() const {
    const bool is_scripted = settings_.behaviour == BehaviourKind::scripted;
    return is_scripted ? scripted_as_ : settings_.behaviour;
}

void GameBot::follow_script(Context& context) {
    for (; next_step_ < settings_.script.size(); ++next_step_) {
        const ScriptStep& step = settings_.script[next_step_];
        if (started_ + step.at > context.now) return;
        switch (step.what) {
            case ScriptStep::What::behave:
                scripted_as_ = step.as;
                if (!is_told_otherwise_) behave(context, std::nullopt);
                break;
            case ScriptStep::What::say:
                say(context);
                break;
            case ScriptStep::What::ask:
                (void)client_.ask_for_bulk(context);
                break;
            case ScriptStep::What::leave:
                client_.close(context);
                break;
            case ScriptStep::What::join:
                join(context);
                break;
        }
    }
}

void GameBot::say(Context& context) {
    std::array<std::uint8_t, chat_bytes> line{};
    fill_content(line, context.luck.next());
    (void)context.endpoint.send(
        context.now, client_.connection(),
        {.lane = Lane::chat, .bytes = line, .replace_tag = {}, .kind = Kind::chat});
}

void GameBot::join(Context& context) {
    const session::IssuedTicket ticket =
        office_.sell(settings_.player, ++visit_, context.world_now,
                     context.endpoint.capabilities().authentication_ready);
    come_back_ = Instant::never();
    const session::ConnectStatus status = client_.connect(context, {.server = settings_.server,
                                                                    .session = ticket.session,
                                                                    .token = ticket.bytes,
                                                                    .keys = ticket.keys});
    // Busy: an attempt or a goodbye is still under way.
    if (status == session::ConnectStatus::busy) come_back_ = context.now + away_for;
}

void GameBot::on_event(Context& context, const transport::Event& event) {
    if (client_.on_event(context, event)) return;
    const auto* received = std::get_if<transport::Received>(&event);
    if (received == nullptr) return;
    if (received->lane != Lane::chat || !content_matches(received->bytes)) ++broken_;
    ++chats_;
}

// A laggard's machine: nothing happens between its frames.
bool GameBot::is_asleep(const Context& context) const {
    if (behaviour_ != BehaviourKind::laggard) return false;
    if (context.tick % laggard_frames != 0) return true;
    return context.now.ns % laggard_stretch.ns < laggard_sleep.ns;
}

void GameBot::tick(Context& context) {
    if (come_back_ <= context.now) join(context);
    follow_script(context);
    if (is_asleep(context)) return;
    client_.frame(context, mind_, behaviour_);
    const bool is_active = client_.state() == session::State::active;
    if (is_active && !was_active_) {
        next_habit_ = context.now + habit_period(behaviour_);
        next_report_ = context.now;
        latest_written_ = context.now;
    }
    was_active_ = is_active;
    if (is_active) do_habits(context);
}

void GameBot::do_habits(Context& context) {
    if (behaviour_ == BehaviourKind::reporter) {
        report(context);
        write_latest(context);
    }
    const Duration period = habit_period(behaviour_);
    if (period == Duration{} || context.now < next_habit_) return;
    next_habit_ = context.now + period;
    if (behaviour_ == BehaviourKind::chatter) {
        say(context);
    } else if (behaviour_ == BehaviourKind::hoarder) {
        (void)client_.ask_for_bulk(context);
    } else if (behaviour_ == BehaviourKind::joiner) {
        client_.close(context);
        come_back_ = context.now + away_for;
    }
}

void GameBot::report(Context& context) {
    for (; next_report_ <= context.now; next_report_ += report_rate.tick(1) - Instant{}) {
        std::array<std::uint8_t, report_bytes> bytes{};
        fill_content(bytes, ++reports_);
        (void)context.endpoint.send(context.now, client_.connection(),
                                    {.lane = Lane::state,
                                     .bytes = bytes,
                                     .replace_tag = {},
                                     .kind = Kind::report,
                                     .tick = reports_});
    }
}

void GameBot::write_latest(Context& context) {
    for (; latest_written_ < context.now; latest_written_ += latest_every) {
        std::array<std::uint8_t, report_bytes> bytes{};
        const std::uint64_t number = static_cast<std::uint64_t>(latest_written_.ns / 1'000'000);
        fill_content(bytes, number);
        (void)context.endpoint.send(
            context.now, client_.connection(),
            {.lane = Lane::state,
             .bytes = bytes,
             .replace_tag = static_cast<std::uint32_t>(number % latest_tags),
             .kind = Kind::report});
    }
}

void GameBot::behave(Context& context, std::optional<BehaviourKind> as) {
    is_told_otherwise_ = as.has_value();
    behaviour_ = as.value_or(own_behaviour());
    next_habit_ = context.now + habit_period(behaviour_);
    next_report_ = context.now;
    latest_written_ = context.now;
}

void GameBot::leave(Context& context) {
    come_back_ = Instant::never();
    client_.close(context);
}

std::uint64_t GameBot::state_checksum() const {
    return mix(client_.checksum() ^ chats_, reports_ + 1) ^ mix(broken_, visit_);
}

}  // namespace wt::bots
