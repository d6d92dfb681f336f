// SPDX-License-Identifier: MIT
#include "bots/server_application.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <variant>

#include "bots/payloads.hpp"
#include "engine/base/check.hpp"

namespace wt::bots {

using transport::Delivery;
using transport::Kind;
using transport::Lane;

ServerApplication::ServerApplication(const ServerApplicationSettings& settings)
    : settings_(settings),
      authority_(settings.authority_secret),
      peers_(settings.peers_max),
      objects_(std::size_t{settings.objects} * object_bytes),
      join_record_(join_record_bytes),
      content_(content_bytes),
      snapshot_(settings.snapshot_budget) {
    WT_CHECK(settings.snapshot_budget >= snapshot_header_bytes);
    WT_CHECK(settings.tick_rate.per_second % settings.snapshot_rate.per_second == 0);
    questions_.reserve(settings.peers_max);
    fill_content(join_record_, settings.authority_secret ^ 1);
    fill_content(content_, settings.authority_secret ^ 2);
}

void ServerApplication::start(Context&) {
    std::fill(peers_.begin(), peers_.end(), Peer{});
    questions_.clear();
    std::fill(objects_.begin(), objects_.end(), std::uint8_t{0});
    first_peer_ = 0;
    checksum_ = 0;
}

void ServerApplication::on_event(Context& context, const transport::Event& event) {
    if (const auto* received = std::get_if<transport::Received>(&event)) {
        on_message(context, *received);
    } else if (const auto* connected = std::get_if<transport::Connected>(&event)) {
        welcome(context, *connected);
    } else if (const auto* closed = std::get_if<transport::Closed>(&event)) {
        checksum_ = mix(checksum_ ^ static_cast<std::uint64_t>(closed->reason), 13);
        for (Peer& peer : peers_) {
            if (peer.connection == closed->connection) peer = {};
        }
    } else if (const auto* asked = std::get_if<transport::AuthorisationAsked>(&event)) {
        questions_.push_back(
            {context.now + settings_.authorisation_delay, authority_.judge(*asked)});
    } else if (const auto* gone = std::get_if<transport::AuthorisationWithdrawn>(&event)) {
        std::erase_if(questions_, [&](const Question& question) {
            return question.answer.attempt == gone->attempt;
        });
    }
}

void ServerApplication::welcome(Context& context, const transport::Connected& connected) {
    if (connected.connection.index >= peers_.size()) peers_.resize(connected.connection.index + 1);
    peers_[connected.connection.index] = {.connection = connected.connection, .cursor = 0};
    checksum_ = mix(checksum_ ^ connected.player.value, 17);
    (void)context.endpoint.send(
        context.now, connected.connection,
        {.lane = Lane::control, .bytes = content_, .replace_tag = {}, .kind = Kind::content});
    (void)context.endpoint.send(
        context.now, connected.connection,
        {.lane = Lane::bulk, .bytes = join_record_, .replace_tag = {}, .kind = Kind::bulk});
}

void ServerApplication::on_message(Context& context, const transport::Received& message) {
    switch (message.lane) {
        case Lane::gameplay: {
            Input input;
            if (!read_input(message.bytes, input)) ++broken_;
            ++inputs_;
            break;
        }
        case Lane::state:
            if (!content_matches(message.bytes)) ++broken_;
            ++reports_;
            break;
        case Lane::control:
            if (message.bytes.size() == 1 &&
                message.bytes[0] == static_cast<std::uint8_t>(ControlWord::bulk_wanted)) {
                (void)context.endpoint.send(context.now, message.connection,
                                            {.lane = Lane::bulk,
                                             .bytes = join_record_,
                                             .replace_tag = {},
                                             .kind = Kind::bulk});
            } else {
                ++broken_;
            }
            break;
        case Lane::chat:
            relay_chat(context, message);
            break;
        case Lane::bulk:
        case Lane::free_5:
        case Lane::free_6:
        case Lane::free_7:
            ++broken_;
            break;  // Bots send nothing there.
    }
}

void ServerApplication::relay_chat(Context& context, const transport::Received& message) {
    if (message.bytes.size() != chat_bytes || !content_matches(message.bytes)) {
        ++broken_;
        return;
    }
    // The view ends with the next call on the endpoint, and we are about to make many.
    std::array<std::uint8_t, chat_bytes> line{};
    std::memcpy(line.data(), message.bytes.data(), line.size());
    for (const Peer& peer : peers_) {
        if (!peer.connection.is_valid()) continue;
        (void)context.endpoint.send(
            context.now, peer.connection,
            {.lane = Lane::chat, .bytes = line, .replace_tag = {}, .kind = Kind::chat});
    }
}

void ServerApplication::tick(Context& context) {
    answer_authorisations(context);
    move_objects(context);
    const std::uint64_t every = settings_.tick_rate.per_second / settings_.snapshot_rate.per_second;
    // Peers take turns in being first, so that none always waits behind all others.
    const std::uint32_t count = static_cast<std::uint32_t>(peers_.size());
    for (std::uint32_t step = 0; step < count; ++step) {
        const std::uint32_t place = (first_peer_ + step) % count;
        if (!peers_[place].connection.is_valid()) continue;
        // Spread over the ticks between two snapshots: a third of the peers each at 60 and 20 Hz.
        if ((context.tick + place) % every != 0) continue;
        send_snapshot(context, peers_[place]);
    }
    if (count != 0) first_peer_ = (first_peer_ + 1) % count;
}

void ServerApplication::answer_authorisations(Context& context) {
    std::size_t answered = 0;
    while (answered < questions_.size() && questions_[answered].due <= context.now) {
        // Stale is fine: the attempt ended between its withdrawal event and this tick.
        (void)context.endpoint.answer_authorisation(context.now, questions_[answered].answer);
        ++answered;
    }
    questions_.erase(questions_.begin(),
                     questions_.begin() + static_cast<std::ptrdiff_t>(answered));
}

void ServerApplication::move_objects(Context& context) {
    // A run of neighbours moves, another one each tick: which objects is not the transport's
    // business, how many is.
    const std::uint64_t moving = settings_.objects * settings_.moving.threshold / Chance::one;
    for (std::uint64_t i = 0; i < moving; ++i) {
        const std::uint64_t object = (context.tick * moving + i) % settings_.objects;
        std::uint8_t* const at = objects_.data() + object * object_bytes;
        store_u32(at, load_u32(at) + static_cast<std::uint32_t>(context.tick + object));
    }
}

void ServerApplication::send_snapshot(Context& context, Peer& peer) {
    const std::size_t room = (snapshot_.size() - snapshot_header_bytes) / object_bytes;
    const std::uint32_t count =
        static_cast<std::uint32_t>(std::min<std::size_t>(room, settings_.objects));
    write_snapshot_head(snapshot_, {.tick = static_cast<std::uint32_t>(context.tick),
                                    .first = static_cast<std::uint16_t>(peer.cursor),
                                    .count = static_cast<std::uint16_t>(count)});
    const std::uint32_t until_end = std::min(count, settings_.objects - peer.cursor);
    std::uint8_t* const body = snapshot_.data() + snapshot_header_bytes;
    std::memcpy(body, objects_.data() + std::size_t{peer.cursor} * object_bytes,
                std::size_t{until_end} * object_bytes);
    std::memcpy(body + std::size_t{until_end} * object_bytes, objects_.data(),
                std::size_t{count - until_end} * object_bytes);
    if (settings_.objects != 0) peer.cursor = (peer.cursor + count) % settings_.objects;
    (void)context.endpoint.send(
        context.now, peer.connection,
        {.lane = Lane::gameplay,
         .delivery = Delivery::unreliable_sequenced,
         .bytes = {snapshot_.data(), snapshot_header_bytes + std::size_t{count} * object_bytes},
         .replace_tag = {},
         .kind = Kind::snapshot,
         .tick = static_cast<std::uint32_t>(context.tick)});
}

void ServerApplication::leave(Context& context) {
    for (const Peer& peer : peers_) {
        if (!peer.connection.is_valid()) continue;
        context.endpoint.close(context.now, peer.connection,
                               transport::CloseReason::server_shutdown);
    }
}

std::uint64_t ServerApplication::state_checksum() const {
    return mix(checksum_ ^ hash_bytes(objects_, reports_ + 1), inputs_ + 1);
}

}  // namespace wt::bots
