// SPDX-License-Identifier: MIT
#include "engine/secure/handshake.hpp"

#include <algorithm>
#include <string_view>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"

namespace wt::secure {

using transport::CloseReason;

namespace {

// The first 8 bytes of what a proof covers, so that one can never stand for the other.
constexpr std::string_view join_label = "wt join1";
constexpr std::string_view accept_label = "wt acpt1";
static_assert(join_label.size() == 8);
static_assert(accept_label.size() == 8);

ByteWriter framed(MutableBytes out, WireKind kind) {
    ByteWriter writer(out);
    std::array<std::uint8_t, frame_bytes> frame{};
    write_frame(frame.data(), kind);
    writer.bytes(frame);
    return writer;
}

// A reader behind the frame.
ByteReader unframed(ConstBytes datagram) {
    return ByteReader(datagram.subspan(frame_bytes));
}

bool read_flag(ByteReader& reader, bool& out) {
    std::uint8_t value = 0;
    if (!reader.u8(value) || value > 1) return false;
    out = value == 1;
    return true;
}

bool is_refusal(CloseReason reason) {
    return reason >= CloseReason::refused_version && reason <= CloseReason::refused_full;
}

}  // namespace

void write_request(const Request& request, WireKind kind,
                   std::span<std::uint8_t, request_bytes> out) {
    WT_CHECK(request.token_bytes <= request.token.size());
    ByteWriter writer = framed(out, kind);
    writer.u32(request.protocol_version);
    writer.u32(request.features);
    writer.u64(request.attempt);
    writer.u64(request.previous);
    writer.bytes(request.client_key);
    writer.bytes(request.session);
    writer.bytes(request.cookie);
    writer.u8(request.session_bound ? 1 : 0);
    writer.u16(request.token_bytes);
    writer.bytes(request.token_view());
    writer.zeros(request.token.size() - request.token_bytes);
    writer.bytes(request.join_proof);
    WT_CHECK(writer.left() == 0);
    WT_CHECK(!writer.failed());
}

std::optional<Request> read_request(ConstBytes datagram) {
    if (datagram.size() != request_bytes) return std::nullopt;
    ByteReader reader = unframed(datagram);
    Request request;
    reader.u32(request.protocol_version);
    reader.u32(request.features);
    reader.u64(request.attempt);
    reader.u64(request.previous);
    reader.bytes(request.client_key);
    reader.bytes(request.session);
    reader.bytes(request.cookie);
    if (!read_flag(reader, request.session_bound)) return std::nullopt;
    reader.u16(request.token_bytes);
    reader.bytes(request.token);
    reader.bytes(request.join_proof);
    WT_CHECK(!reader.failed());
    if (request.attempt == 0) return std::nullopt;
    if (request.token_bytes > request.token.size()) return std::nullopt;
    const auto padding = request.token.begin() + request.token_bytes;
    const bool is_clean =
        std::all_of(padding, request.token.end(), [](std::uint8_t b) { return b == 0; });
    if (!is_clean && !mutated<"token-padding">()) return std::nullopt;
    return request;
}

bool is_same_but_cookie(const Request& one, const Request& other) {
    // The transcript is all that a client says of itself, but for the session that it still holds.
    return one.previous == other.previous && one.session_bound == other.session_bound &&
           join_transcript(one) == join_transcript(other) && one.join_proof == other.join_proof;
}

void write_challenge(const Challenge& challenge, std::span<std::uint8_t, challenge_bytes> out) {
    ByteWriter writer = framed(out, WireKind::challenge);
    writer.u64(challenge.attempt);
    writer.bytes(challenge.cookie);
    WT_CHECK(writer.left() == 0);
    WT_CHECK(!writer.failed());
}

std::optional<Challenge> read_challenge(ConstBytes datagram) {
    if (datagram.size() != challenge_bytes) return std::nullopt;
    ByteReader reader = unframed(datagram);
    Challenge challenge;
    reader.u64(challenge.attempt);
    reader.bytes(challenge.cookie);
    return challenge;
}

void write_accept(const Accept& accept, std::span<std::uint8_t, accept_bytes> out) {
    ByteWriter writer = framed(out, WireKind::accept);
    writer.u64(accept.attempt);
    writer.bytes(accept.server_key);
    writer.u64(accept.player.value);
    writer.u32(accept.tick_rate);
    writer.u32(accept.features);
    writer.u32(accept.protocol_version);
    writer.u8(accept.session_bound ? 1 : 0);
    writer.bytes(accept.accept_proof);
    WT_CHECK(writer.written() == accept_tagged_bytes);
    writer.bytes(accept.tag);
    WT_CHECK(writer.left() == 0);
    WT_CHECK(!writer.failed());
}

std::optional<Accept> read_accept(ConstBytes datagram) {
    if (datagram.size() != accept_bytes) return std::nullopt;
    ByteReader reader = unframed(datagram);
    Accept accept;
    reader.u64(accept.attempt);
    reader.bytes(accept.server_key);
    reader.u64(accept.player.value);
    reader.u32(accept.tick_rate);
    reader.u32(accept.features);
    reader.u32(accept.protocol_version);
    if (!read_flag(reader, accept.session_bound)) return std::nullopt;
    reader.bytes(accept.accept_proof);
    reader.bytes(accept.tag);
    return accept;
}

void write_reject(const Reject& reject, std::span<std::uint8_t, reject_bytes> out) {
    WT_CHECK(is_refusal(reject.reason));
    ByteWriter writer = framed(out, WireKind::reject);
    writer.u64(reject.attempt);
    writer.u8(static_cast<std::uint8_t>(reject.reason));
    WT_CHECK(writer.left() == 0);
    WT_CHECK(!writer.failed());
}

std::optional<Reject> read_reject(ConstBytes datagram) {
    if (datagram.size() != reject_bytes) return std::nullopt;
    ByteReader reader = unframed(datagram);
    Reject reject;
    std::uint8_t reason = 0;
    reader.u64(reject.attempt);
    reader.u8(reason);
    reject.reason = static_cast<CloseReason>(reason);
    if (!is_refusal(reject.reason)) return std::nullopt;
    return reject;
}

CookieBytes cookie_bytes_of(const transport::Address& address, std::uint64_t bucket) {
    CookieBytes bytes{};
    ByteWriter writer(bytes);
    writer.bytes(address.ip);
    writer.u16(address.port);
    writer.u64(bucket);
    WT_CHECK(writer.left() == 0);
    return bytes;
}

JoinTranscript join_transcript(const Request& request) {
    JoinTranscript bytes{};
    ByteWriter writer(bytes);
    writer.bytes(bytes_of(join_label));
    writer.u32(request.protocol_version);
    writer.u32(request.features);
    writer.u64(request.attempt);
    writer.bytes(request.client_key);
    writer.bytes(request.session);
    writer.u16(request.token_bytes);
    writer.bytes(request.token_view());
    WT_CHECK(!writer.failed());
    return bytes;
}

AcceptTranscript accept_transcript(const PublicKey& client_key, const Accept& accept) {
    AcceptTranscript bytes{};
    ByteWriter writer(bytes);
    writer.bytes(bytes_of(accept_label));
    writer.bytes(client_key);
    writer.bytes(accept.server_key);
    writer.u64(accept.player.value);
    writer.u32(accept.tick_rate);
    writer.u32(accept.features);
    writer.u32(accept.protocol_version);
    WT_CHECK(writer.left() == 0);
    return bytes;
}

KeyContext key_context(const PublicKey& client_key, const PublicKey& server_key,
                       std::span<const std::uint8_t, accept_bytes> accept) {
    KeyContext bytes{};
    ByteWriter writer(bytes);
    writer.bytes(client_key);
    writer.bytes(server_key);
    writer.bytes(accept.first<accept_tagged_bytes>());
    WT_CHECK(writer.left() == 0);
    return bytes;
}

}  // namespace wt::secure
