// SPDX-License-Identifier: MIT
#include "bots/bot.hpp"

#include <algorithm>
#include <variant>

#include "bots/habits.hpp"
#include "bots/payloads.hpp"
#include "engine/base/check.hpp"

namespace wt::bots {

using transport::CloseReason;
using transport::Delivery;
using transport::Kind;
using transport::Lane;

Bot::Bot(const BotSettings& settings)
    : settings_(settings), authority_(settings.authority_secret), behaviour_(settings.behaviour) {}

void Bot::start(Context& context) {
    // A process that comes up knows nothing of its earlier lives but how often it was let in:
    // tickets are for one visit.
    const std::uint64_t visit = visit_;
    const BotSettings settings = settings_;
    const std::uint64_t broken = broken_;
    const BehaviourKind behaviour = behaviour_;
    *this = Bot(settings);
    behaviour_ = behaviour;
    visit_ = visit;
    broken_ = broken;
    join(context);
}

void Bot::join(Context& context) {
    const JoinAuthority::Ticket ticket = authority_.ticket_for(settings_.player, ++visit_);
    come_back_ = Instant::never();
    const transport::ConnectStatus status =
        context.endpoint.connect(context.now, {.server = settings_.server,
                                               .session = ticket.session,
                                               .token = ticket.token,
                                               .keys = ticket.keys});
    // Busy: an attempt or a goodbye is still under way; its end brings us back here.
    if (status == transport::ConnectStatus::busy) come_back_ = context.now + away_for;
}

void Bot::on_event(Context& context, const transport::Event& event) {
    if (const auto* received = std::get_if<transport::Received>(&event)) {
        on_message(*received);
    } else if (const auto* connected = std::get_if<transport::Connected>(&event)) {
        connection_ = connected->connection;
        connected_at_ = context.now;
        next_habit_ = context.now + habit_period(behaviour_);
        inputs_due_ = settings_.input_rate.first_tick_at_or_after(context.now);
        latest_written_ = context.now;
        checksum_ = mix(checksum_ ^ connected->tick_rate, visit_ + 3);
    } else if (const auto* closed = std::get_if<transport::Closed>(&event)) {
        checksum_ = mix(checksum_ ^ static_cast<std::uint64_t>(closed->reason), visit_ + 5);
        // A session that a newer one of ours took the place of ends without consequence.
        if (closed->reason == CloseReason::superseded) return;
        if (closed->connection != connection_ && connection_.is_valid()) return;
        connection_ = {};
    }
}

void Bot::on_message(const transport::Received& message) {
    switch (message.lane) {
        case Lane::gameplay: {
            SnapshotHead head;
            if (!read_snapshot_head(message.bytes, head)) {
                ++broken_;
                return;
            }
            newest_snapshot_ = std::max(newest_snapshot_, head.tick);
            ++snapshots_;
            break;
        }
        case Lane::bulk:
            if (!content_matches(message.bytes)) ++broken_;
            ++bulk_records_;
            break;
        case Lane::control:
            if (message.bytes.size() != content_bytes || !content_matches(message.bytes)) {
                ++broken_;
            }
            break;
        case Lane::chat:
            if (!content_matches(message.bytes)) ++broken_;
            break;
        case Lane::state:
        case Lane::free_5:
        case Lane::free_6:
        case Lane::free_7:
            ++broken_;
            break;  // The server sends nothing there.
    }
    checksum_ = mix(checksum_ ^ message.bytes.size(), static_cast<std::uint64_t>(message.lane) + 7);
}

void Bot::tick(Context& context) {
    if (come_back_ <= context.now) join(context);
    if (!connection_.is_valid()) return;
    if (behaviour_ == BehaviourKind::idle) return;
    // Inputs have a rate of their own: a slow frame catches up, a fast one may have none.
    for (; settings_.input_rate.tick(inputs_due_) <= context.now; ++inputs_due_) {
        send_input(context);
        send_report(context);
    }
    if (behaviour_ == BehaviourKind::reporter) write_latest(context);
    const Duration period = habit_period(behaviour_);
    if (period == Duration{} || context.now < next_habit_) return;
    next_habit_ = context.now + period;
    if (behaviour_ == BehaviourKind::chatter) {
        std::array<std::uint8_t, chat_bytes> line{};
        fill_content(line, context.luck.next());
        send(context, {.lane = Lane::chat, .bytes = line, .replace_tag = {}, .kind = Kind::chat});
    } else if (behaviour_ == BehaviourKind::hoarder) {
        const std::array<std::uint8_t, 1> wish{static_cast<std::uint8_t>(ControlWord::bulk_wanted)};
        send(context,
             {.lane = Lane::control, .bytes = wish, .replace_tag = {}, .kind = Kind::data});
    } else if (behaviour_ == BehaviourKind::joiner) {
        context.endpoint.close(context.now, connection_, CloseReason::application);
        come_back_ = context.now + away_for;
    }
}

void Bot::send_input(Context& context) {
    buttons_ = {static_cast<std::uint16_t>(context.luck.next()), buttons_[0], buttons_[1]};
    std::array<std::uint8_t, input_bytes> bytes{};
    write_input(bytes,
                {.tick = ++input_tick_, .snapshot_tick = newest_snapshot_, .buttons = buttons_});
    send(context, {.lane = Lane::gameplay,
                   .delivery = Delivery::unreliable,
                   .bytes = bytes,
                   .replace_tag = {},
                   .kind = Kind::input,
                   .tick = input_tick_});
}

void Bot::send_report(Context& context) {
    std::array<std::uint8_t, report_bytes> bytes{};
    fill_content(bytes, mix(settings_.player.value + 1, ++reports_));
    send(context, {.lane = Lane::state,
                   .bytes = bytes,
                   .replace_tag = {},
                   .kind = Kind::report,
                   .tick = input_tick_});
}

void Bot::write_latest(Context& context) {
    std::array<std::uint8_t, report_bytes> bytes{};
    std::uint32_t written = 0;
    for (; latest_written_ + latest_every <= context.now; latest_written_ += latest_every) {
        fill_content(
            bytes, mix(settings_.player.value + 2, static_cast<std::uint64_t>(latest_written_.ns)));
        send(context, {.lane = Lane::state,
                       .bytes = bytes,
                       .replace_tag = written++ % latest_tags,
                       .kind = Kind::report,
                       .tick = input_tick_});
    }
}

void Bot::send(Context& context, const transport::Message& message) {
    // A refusal is counted by the endpoint's own counters and shows in the metrics; a bot does
    // what a game would: go on with the next frame.
    const transport::SendStatus status = context.endpoint.send(context.now, connection_, message);
    checksum_ = mix(checksum_ ^ static_cast<std::uint64_t>(status), message.bytes.size() + 11);
}

void Bot::behave(Context& context, std::optional<BehaviourKind> as) {
    behaviour_ = as.value_or(settings_.behaviour);
    next_habit_ = context.now + habit_period(behaviour_);
    latest_written_ = context.now;
    inputs_due_ = settings_.input_rate.first_tick_at_or_after(context.now);
}

void Bot::leave(Context& context) {
    come_back_ = Instant::never();
    if (connection_.is_valid()) {
        context.endpoint.close(context.now, connection_, CloseReason::application);
    }
}

}  // namespace wt::bots
