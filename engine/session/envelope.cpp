// SPDX-License-Identifier: MIT
#include "engine/session/envelope.hpp"

#include <array>
#include <cstring>

#include "engine/base/mutated.hpp"

namespace wt::session {

namespace {

// "LNET", read as a little-endian word.
constexpr std::uint32_t magic = 0x54454e4c;

constexpr std::size_t version_offset = 4;
constexpr std::size_t channel_offset = 5;
constexpr std::size_t kind_offset = 6;
constexpr std::size_t epoch_offset = 8;
constexpr std::size_t sequence_offset = 16;
constexpr std::size_t length_offset = 20;
constexpr std::size_t reserved_offset = 22;
static_assert(reserved_offset + 2 == envelope_header_bytes);

}  // namespace

EnvelopeStatus encode_envelope(const Envelope& envelope, MutableBytes target, std::size_t& size) {
    if (envelope.payload.size() > payload_bytes_max) return EnvelopeStatus::invalid_argument;
    if (static_cast<unsigned>(envelope.channel) >= channel_count) {
        return EnvelopeStatus::invalid_argument;
    }
    if (envelope.kind == 0 || envelope.epoch == 0) return EnvelopeStatus::invalid_argument;
    const std::size_t needed = envelope_header_bytes + envelope.payload.size();
    if (mutated<"envelope-transactional">() && !target.empty()) target[0] = 0;
    if (target.size() < needed) return EnvelopeStatus::buffer_too_small;
    std::uint8_t* const at = target.data();
    store_u32(at, magic);
    at[version_offset] = envelope_version;
    at[channel_offset] = static_cast<std::uint8_t>(envelope.channel);
    store_u16(at + kind_offset, envelope.kind);
    store_u64(at + epoch_offset, envelope.epoch);
    store_u32(at + sequence_offset, envelope.sequence);
    store_u16(at + length_offset, static_cast<std::uint16_t>(envelope.payload.size()));
    store_u16(at + reserved_offset, 0);
    if (!envelope.payload.empty()) {
        std::memcpy(at + envelope_header_bytes, envelope.payload.data(), envelope.payload.size());
    }
    size = needed;
    return EnvelopeStatus::ok;
}

EnvelopeStatus decode_envelope(ConstBytes message, Envelope& out) {
    if (message.size() < envelope_header_bytes || message.size() > message_bytes_max) {
        return EnvelopeStatus::malformed_message;
    }
    const std::uint8_t* const at = message.data();
    if (load_u32(at) != magic && !mutated<"envelope-magic">())
        return EnvelopeStatus::malformed_message;
    // Before all that another version may lay out differently.
    if (at[version_offset] != envelope_version && !mutated<"envelope-version">()) {
        return EnvelopeStatus::unsupported_version;
    }
    const std::uint8_t channel = at[channel_offset];
    const std::uint16_t kind = load_u16(at + kind_offset);
    const std::uint64_t epoch = load_u64(at + epoch_offset);
    const std::size_t length = load_u16(at + length_offset);
    if (channel >= channel_count) return EnvelopeStatus::malformed_message;
    if (kind == 0 && !mutated<"envelope-kind">()) return EnvelopeStatus::malformed_message;
    if (epoch == 0 && !mutated<"envelope-epoch">()) return EnvelopeStatus::malformed_message;
    if (load_u16(at + reserved_offset) != 0 && !mutated<"envelope-reserved">()) {
        return EnvelopeStatus::malformed_message;
    }
    if (length != message.size() - envelope_header_bytes && !mutated<"envelope-length">()) {
        return EnvelopeStatus::malformed_message;
    }
    out = {.channel = static_cast<Channel>(channel),
           .kind = kind,
           .epoch = epoch,
           .sequence = load_u32(at + sequence_offset),
           .payload = message.subspan(envelope_header_bytes)};
    return EnvelopeStatus::ok;
}

const char* name_of(Channel channel) {
    static constexpr std::array<const char*, channel_count> names = {"control", "input", "snapshot",
                                                                     "bulk"};
    return names[static_cast<unsigned>(channel)];
}

const char* name_of(EnvelopeStatus status) {
    static constexpr std::array<const char*, 5> names = {
        "ok", "invalid_argument", "buffer_too_small", "malformed_message", "unsupported_version"};
    return names[static_cast<unsigned>(status)];
}

}  // namespace wt::session
