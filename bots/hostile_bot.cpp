// SPDX-License-Identifier: MIT
#include "bots/hostile_bot.hpp"

#include <array>

#include "engine/base/hash.hpp"
#include "engine/prediction/input_message.hpp"

namespace wt::bots {

using session::Channel;
using session::Envelope;
using transport::Lane;

namespace {

// Thrown out or refused, they try again this much later.
constexpr Duration again_after = Duration::seconds(1);
// Forged messages a frame: 240 a second at 60 Hz.
constexpr std::uint32_t forged_per_frame = 4;
// Ahead of every number that the client itself uses.
constexpr std::uint32_t forged_sequences = 1'000'000;
constexpr std::uint32_t far_future_ticks = 100'000;

}  // namespace

HostileBot::HostileBot(const HostileBotSettings& settings)
    : settings_(settings),
      office_(settings.authority_secret, settings.tickets),
      mind_(settings.mind),
      client_(settings.client) {}

void HostileBot::start(Context& context) {
    client_.reset();
    is_deaf_ = false;
    next_join_ = Instant::never();
    if (settings_.behaviour != BehaviourKind::flooder) join(context);
}

void HostileBot::join(Context& context) {
    // The very ticket that the victim has used: to the byte, keys and all.
    const bool is_thief = settings_.behaviour == BehaviourKind::ticket_thief;
    const session::IssuedTicket ticket =
        is_thief ? office_.sell(settings_.victim, 1, settings_.victim_joins)
                 : office_.sell(settings_.player, ++visit_, context.world_now);
    (void)client_.connect(context, {.server = settings_.server,
                                    .session = ticket.session,
                                    .token = ticket.bytes,
                                    .keys = ticket.keys});
    next_join_ = context.now + again_after;
}

void HostileBot::on_event(Context& context, const transport::Event& event) {
    (void)client_.on_event(context, event);
}

void HostileBot::tick(Context& context) {
    if (settings_.behaviour == BehaviourKind::flooder || is_deaf_) return;
    if (client_.state() == session::State::idle || client_.state() == session::State::closed) {
        if (next_join_ <= context.now) join(context);
    } else {
        next_join_ = context.now + again_after;
    }
    client_.frame(context, mind_, BehaviourKind::idle);
    if (client_.state() != session::State::active) return;
    if (settings_.behaviour == BehaviourKind::never_reads) is_deaf_ = true;
    if (settings_.behaviour != BehaviourKind::forger) return;
    for (std::uint32_t i = 0; i < forged_per_frame; ++i)
        forge(context);
}

// One after the other, everything that no client may send.
void HostileBot::forge(Context& context) {
    std::array<std::uint8_t, 64> junk{};
    for (std::size_t at = 0; at < junk.size(); at += 8)
        store_u64(junk.data() + at, context.luck.next());
    std::array<std::uint8_t, prediction::input_bytes_max> room{};
    Envelope envelope{.channel = Channel::input,
                      .kind = static_cast<std::uint16_t>(session::Kind::input),
                      .epoch = client_.session().link().epoch(),
                      .sequence = forged_sequences + ++forged_,
                      .payload = junk};
    switch (forged_ % 6) {
        case 0:  // A server's kind.
            envelope.kind = static_cast<std::uint16_t>(session::Kind::snapshot);
            break;
        case 1:    // An input of the far future.
        case 2: {  // And one of long ago.
            prediction::InputMessage message;
            const auto now = static_cast<std::uint32_t>(client_.session().welcome().tick);
            message.newest_tick = forged_ % 6 == 1 ? now + far_future_ticks : 1;
            message.count = 1;
            const std::size_t bytes = prediction::encode_input(message, room);
            envelope.payload = ConstBytes(room).first(bytes);
            break;
        }
        case 3:  // Somebody else's session.
            envelope.epoch ^= 1;
            break;
        case 4:  // Objects that are not its own: asks for all the world again.
            envelope.channel = Channel::control;
            envelope.kind = static_cast<std::uint16_t>(session::Kind::keyframe_request);
            break;
        case 5:  // An input that no client of ours makes.
            break;
    }
    send_forged(context, envelope);
}

void HostileBot::send_forged(Context& context, const Envelope& envelope) {
    std::array<std::uint8_t, 256> bytes{};
    std::size_t size = 0;
    if (session::encode_envelope(envelope, bytes, size) != session::EnvelopeStatus::ok) return;
    const bool is_control = envelope.channel == Channel::control;
    (void)context.endpoint.send(context.now, client_.connection(),
                                {.lane = is_control ? Lane::control : Lane::gameplay,
                                 .delivery = is_control ? transport::Delivery::reliable_ordered
                                                        : transport::Delivery::unreliable,
                                 .bytes = ConstBytes(bytes).first(size),
                                 .replace_tag = {}});
}

void HostileBot::leave(Context& context) {
    client_.close(context);
}

std::uint64_t HostileBot::state_checksum() const {
    return mix(client_.checksum() ^ forged_, visit_ + 1);
}

}  // namespace wt::bots
