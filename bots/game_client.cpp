// SPDX-License-Identifier: MIT
//
// What comes in, and the frame. game_client_input.cpp makes the inputs.
#include "bots/game_client.hpp"

#include <algorithm>

#include "bots/payloads.hpp"
#include "engine/arena/direction.hpp"
#include "engine/base/hash.hpp"

namespace wt::bots {

using replication::ControlKind;
using replication::ControlStatus;
using replication::SnapshotStatus;
using session::SessionEvent;

namespace {

session::ClientConfig session_config(const GameClientSettings& settings,
                                     const replication::SchemaSet& schemas) {
    session::ClientConfig config;
    config.kinds = game_kinds();
    config.terms = game_terms(settings.terms, schemas);
    config.allow_unauthenticated = true;  // A test tool: the report says what was secure.
    config.ready_by_application = true;
    return config;
}

// A snapshot full of states of 4 bytes has so many.
replication::StoreConfig store_config(const GameTerms& terms) {
    constexpr std::uint32_t most = static_cast<std::uint32_t>(replication::control_bytes_max / 4);
    const std::uint32_t interval = terms.tick_rate.per_second / terms.snapshot_rate.per_second;
    return {.objects_max = terms.objects_max,
            .snapshots_expected = replication::StateLog::kept_ticks / interval + 1,
            .states_expected = std::min(most, terms.objects_max)};
}

prediction::LeadConfig lead_config(const GameTerms& terms) {
    return {.tick_rate = terms.tick_rate};
}

// A player who was pushed gives way for half a second.
std::uint64_t give_way_ticks(Frequency rate) {
    return rate.per_second / 2;
}

prediction::JitterConfig jitter_config(const GameTerms& terms) {
    return {.tick_rate = terms.tick_rate,
            .snapshot_ticks = terms.tick_rate.per_second / terms.snapshot_rate.per_second};
}

}  // namespace

session::KindTable game_kinds() {
    session::KindTable kinds = session::KindTable::standard();
    (void)kinds.set({.kind = content_kind,
                     .channel = session::Channel::control,
                     .sender = session::Sender::server,
                     .earliest = session::State::synchronizing,
                     .payload_min = 8});
    return kinds;
}

session::Terms game_terms(const GameTerms& terms, const replication::SchemaSet& schemas) {
    const auto hertz = [](Frequency rate) { return static_cast<std::uint16_t>(rate.per_second); };
    return {.protocol = 1,
            .schema_hash = schemas.hash(),
            .rates = {.tick = hertz(terms.tick_rate),
                      .input = hertz(terms.input_rate),
                      .snapshot = hertz(terms.snapshot_rate)}};
}

GameClient::GameClient(const GameClientSettings& settings)
    : settings_(settings),
      schemas_(arena::schemas()),
      session_(session_config(settings, schemas_)),
      store_(schemas_, store_config(settings.terms)),
      clock_(settings.terms.tick_rate),
      lead_(lead_config(settings.terms)),
      jitter_(jitter_config(settings.terms)),
      reconciler_({.rate = settings.terms.tick_rate, .broken_by_mm = settings.broken_by_mm}) {}

void GameClient::reset() {
    session_.forget();
    begin({});
    frames_ = 0;
    checksum_ = 0;
}

// A new epoch: nothing of an earlier one means anything.
void GameClient::begin(const session::Welcome& welcome) {
    store_.reset();
    clock_.reset();
    lead_.reset();
    jitter_.reset();
    applied_ticks_.clear();
    history_.clear();
    reconciler_.stop();
    made_ = {};
    newest_tick_ = welcome.tick;
    acked_input_ = 0;
    applied_ = 0;
    own_slot_ = no_avatar_slot;
    target_slot_ = no_avatar_slot;
    bulk_sum_ = 0;
    shoved_until_ = 0;
}

session::ConnectStatus GameClient::connect(Context& context,
                                           const transport::ConnectRequest& request) {
    return session_.connect(context.now, context.endpoint, request);
}

bool GameClient::on_event(Context& context, const transport::Event& event) {
    const bool is_ours = session_.on_event(context.now, context.endpoint, event);
    drain(context);
    return is_ours;
}

void GameClient::drain(Context& context) {
    for (SessionEvent event; session_.next_event(event);)
        on_session_event(context, event);
}

void GameClient::on_session_event(Context& context, const SessionEvent& event) {
    switch (event.type) {
        case SessionEvent::Type::synchronizing:
            begin(event.welcome);
            break;
        case SessionEvent::Type::active:
            note(context, {.what = Fact::What::session_active, .value = 1});
            break;
        case SessionEvent::Type::message:
            if (on_message(context, event)) {
                session_.accept();
            } else {
                session_.refuse();
            }
            break;
        case SessionEvent::Type::bulk_chunk:
            on_bulk(event.bulk);
            break;
        case SessionEvent::Type::bulk_sent:
        case SessionEvent::Type::bulk_cancelled:
            break;
        case SessionEvent::Type::ticket_refused:  // A server's.
            break;
        case SessionEvent::Type::closed:
            checksum_ = mix(checksum_ ^ static_cast<std::uint64_t>(event.reason), 5);
            begin({});
            break;
    }
}

// False: the content is wrong, whatever it says.
bool GameClient::on_message(Context& context, const SessionEvent& event) {
    if (event.kind == content_kind) {
        if (content_matches(event.payload)) return true;
        ++broken_;
        return false;
    }
    switch (event.kind) {
        case session::Kind::spawn_batch:
            return on_control(context, ControlKind::spawn, event.payload);
        case session::Kind::despawn_batch:
            return on_control(context, ControlKind::despawn, event.payload);
        case session::Kind::owner:
            return on_control(context, ControlKind::owner, event.payload);
        case session::Kind::snapshot:
            return on_snapshot(context, event.payload);
        case session::Kind::game_event:
        case session::Kind::desync_checksum:
            return true;
        case session::Kind::hello:
        case session::Kind::welcome:
        case session::Kind::ready:
        case session::Kind::go:
        case session::Kind::refuse:
        case session::Kind::bye:
        case session::Kind::keyframe_request:
        case session::Kind::input:
        case session::Kind::bulk_request:
        case session::Kind::bulk_cancel:
            break;  // The session's own, or a client's.
    }
    return false;
}

bool GameClient::on_control(Context&, ControlKind kind, ConstBytes bytes) {
    const ControlStatus status = store_.on_control(kind, bytes);
    return status == ControlStatus::ok || status == ControlStatus::duplicate;
}

bool GameClient::on_snapshot(Context& context, ConstBytes payload) {
    const std::uint64_t misses = store_.counters().baseline_misses;
    replication::SnapshotHead head;
    const SnapshotStatus status = store_.on_snapshot(payload, head);
    for (std::uint64_t i = misses; i < store_.counters().baseline_misses; ++i)
        note(context, {.what = Fact::What::baseline_miss, .tick = head.tick});
    if (status == SnapshotStatus::malformed) return false;
    // Late, stale and twice are the network's doing and no fault of the sender.
    if (status != SnapshotStatus::ok) return true;
    Tick tick = 0;
    if (!prediction::widen_tick(newest_tick_, head.tick, tick)) return true;
    if (applied_ > 0 && tick <= newest_tick_) return true;
    const GameTerms& terms = settings_.terms;
    const Tick between = terms.tick_rate.per_second / terms.snapshot_rate.per_second;
    if (settings_.wants_every_snapshot && applied_ > 0 && tick > newest_tick_ + between)
        return true;
    newest_tick_ = tick;
    applied_ticks_.add(tick);
    if (applied_ < 2) ++applied_;
    if (!apply_block(context, tick, head.app_block)) return false;
    // The world is in place once everything that the server had told of by then is here.
    if (state() == session::State::synchronizing &&
        store_.applied_serial() == head.control_serial) {
        session_.ready(context.now);
    }
    return true;
}

bool GameClient::apply_block(Context& context, Tick tick, ConstBytes block) {
    prediction::Feedback feedback;
    if (block.size() != app_block_bytes) return false;
    if (!prediction::decode_feedback(block, feedback)) return false;
    clock_.on_snapshot(context.now, tick, feedback);
    jitter_.on_snapshot(context.now, tick);
    if (!lead_.is_synchronised() && clock_.has_estimate()) lead_.synchronise(context.now, clock_);
    lead_.on_snapshot(context.now, tick, feedback);
    note_response(context, feedback, tick);
    own_slot_ = load_u16(block.data() + prediction::feedback_bytes);
    if (own_slot_ == no_avatar_slot) {
        reconciler_.stop();
        return true;
    }
    arena::PlayerState own;
    if (!arena::decode_own(block.subspan(prediction::feedback_bytes + 2), own)) return false;
    confirm(context, tick, own);
    return true;
}

void GameClient::note_response(Context& context, const prediction::Feedback& feedback,
                               Tick snapshot) {
    Tick used = 0;
    if (!feedback.has_input) return;
    if (!prediction::widen_tick(snapshot, feedback.input_tick, used)) return;
    if (used <= acked_input_) return;
    // Ticks acknowledged together give one value each; a window's worth at most.
    const Tick first = used - acked_input_ > made_.size() ? used - made_.size() : acked_input_;
    for (Tick tick = first + 1; tick <= used; ++tick) {
        const Made& made = made_[tick % made_.size()];
        if (made.tick != tick) continue;
        note(context, {.what = Fact::What::response,
                       .value = (context.now - made.at).ns,
                       .tick = static_cast<std::uint32_t>(tick)});
    }
    acked_input_ = used;
}

void GameClient::confirm(Context& context, Tick tick, const arena::PlayerState& own) {
    if (!lead_.is_synchronised() || !reconciler_.is_started()) {
        reconciler_.start(tick, own);
        return;
    }
    arena::PlayerState predicted;
    switch (reconciler_.confirm(tick, own, predicted)) {
        case prediction::Confirmation::corrected:
            note(context, {.what = Fact::What::correction,
                           .value = arena::distance_mm(predicted, own),
                           .extra = predicted.jumps != own.jumps ? 1 : 0,
                           .tick = static_cast<std::uint32_t>(tick)});
            checksum_ = mix(checksum_ ^ tick, 11);
            if (predicted.jumps != own.jumps) break;
            shove_angle_ = arena::angle_of(std::int64_t{own.x} - predicted.x,
                                           std::int64_t{own.y} - predicted.y);
            shoved_until_ = lead_.newest_made() + give_way_ticks(settings_.terms.tick_rate);
            break;
        case prediction::Confirmation::ahead:
            // The server is past everything that was predicted: begin again from what it says.
            reconciler_.start(tick, own);
            break;
        case prediction::Confirmation::matched:
        case prediction::Confirmation::rebased:
        case prediction::Confirmation::stale:
            break;
    }
}

void GameClient::on_bulk(const session::BulkChunk& chunk) {
    if (chunk.offset == 0) bulk_sum_ = 0;
    bulk_sum_ += static_cast<std::uint32_t>(hash_bytes(chunk.bytes, chunk.offset + 1));
    if (!chunk.is_last()) return;
    ++bulk_records_;
    checksum_ = mix(checksum_ ^ bulk_sum_, 7);
}

void GameClient::frame(Context& context, const Mind& mind, BehaviourKind kind) {
    ++frames_;
    session_.begin_tick(context.now, context.endpoint, newest_tick_);
    drain(context);
    if (state() == session::State::active) {
        if (lead_.is_synchronised()) {
            const Tick newest = lead_.newest_made();
            lead_.advance(context.now, clock_);
            for (Tick tick = 0; lead_.next_tick(tick);)
                make_input(context, mind, kind, tick);
            send_inputs(context, newest);
        } else {
            // Nothing to play by yet: what was received, and a clock to echo.
            prediction::InputMessage message;
            message.newest_tick = static_cast<std::uint32_t>(newest_tick_ + 1);
            send_input(context, message);
        }
    }
    ask_for_keyframes(context);
    session_.pump(context.now, context.endpoint);
    drain(context);
    jitter_.advance(context.now);
    note_frame(context);
}

bool GameClient::ask_for_bulk(Context& context) {
    std::array<std::uint8_t, 4> wish{};
    store_u32(wish.data(), ++bulk_asked_);
    const auto tick = static_cast<std::uint32_t>(newest_tick_);
    return session_.send(context.now, session::Kind::bulk_request, tick, wish) ==
           session::SendStatus::ok;
}

void GameClient::ask_for_keyframes(Context& context) {
    if (!store_.wants_keyframes()) return;
    std::array<std::uint8_t, replication::request_bytes_max> room{};
    if (state() != session::State::active && state() != session::State::synchronizing) return;
    const std::size_t bytes = store_.next_keyframe_request(frames_, room);
    if (bytes == 0) return;
    // One that finds no room is asked for again: the store waits for states, not for this.
    const auto tick = static_cast<std::uint32_t>(newest_tick_);
    const session::SendStatus status = session_.send(context.now, session::Kind::keyframe_request,
                                                     tick, ConstBytes{room.data(), bytes});
    if (status == session::SendStatus::ok) note(context, {.what = Fact::What::keyframe_request});
}

void GameClient::note_frame(Context& context) const {
    if (context.meter == nullptr || state() != session::State::active || applied_ == 0) return;
    Frame frame{.is_shown = applied_ >= 2 && jitter_.has_time(),
                .is_starved = jitter_.is_starving(),
                .newest_tick = newest_tick_,
                .shown = jitter_.shown().q16};
    frame.is_timed = lead_.is_synchronised() && clock_.has_estimate();
    if (frame.is_timed) {
        frame.server_time = clock_.server_now(context.now).q16;
        frame.predicted = lead_.predicted().q16;
    }
    context.meter->on_frame(context.now, frame);
}

void GameClient::note(Context& context, const Fact& fact) const {
    if (context.meter != nullptr) context.meter->on_fact(context.now, connection(), fact);
}

std::uint64_t GameClient::checksum() const {
    std::uint64_t sum = mix(checksum_ ^ store_.checksum(), bulk_records_ + 1);
    if (reconciler_.is_started()) {
        const arena::PlayerState& own = reconciler_.state();
        sum = mix(sum ^ static_cast<std::uint64_t>(own.x), static_cast<std::uint64_t>(own.y) + 3);
    }
    return mix(sum ^ newest_tick_, broken_ + 1);
}

}  // namespace wt::bots
