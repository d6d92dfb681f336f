// SPDX-License-Identifier: MIT
//
// The N1 wire contract: golden vector, check order, boundary pairs, and that failures write
// nothing. The mutation corpus compares against a second reading of the contract, field by field.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "engine/session/envelope.hpp"

namespace wt::session::envelope_test {

namespace {

using Bytes = std::vector<std::uint8_t>;

const Bytes golden = {0x4C, 0x4E, 0x45, 0x54, 0x01, 0x02, 0x34, 0x12, 0x08, 0x07, 0x06, 0x05, 0x04,
                      0x03, 0x02, 0x01, 0x44, 0x33, 0x22, 0x11, 0x02, 0x00, 0x00, 0x00, 0x5A, 0xA5};

constexpr std::array<std::uint8_t, 2> golden_payload = {0x5A, 0xA5};

Envelope golden_envelope() {
    return {.channel = Channel::snapshot,
            .kind = 0x1234,
            .epoch = 0x0102'0304'0506'0708,
            .sequence = 0x1122'3344,
            .payload = golden_payload};
}

// Decodes and checks that a refusal left the out-value alone.
EnvelopeStatus refused(const Bytes& bytes) {
    static constexpr std::array<std::uint8_t, 1> mark = {7};
    Envelope out{
        .channel = Channel::bulk, .kind = 77, .epoch = 78, .sequence = 79, .payload = mark};
    const EnvelopeStatus status = decode_envelope(bytes, out);
    if (status != EnvelopeStatus::ok) {
        CHECK(out.channel == Channel::bulk);
        CHECK(out.kind == 77);
        CHECK(out.epoch == 78);
        CHECK(out.sequence == 79);
        CHECK(out.payload.data() == mark.data());
    }
    return status;
}

Bytes with(std::size_t at, std::uint8_t value) {
    Bytes bytes = golden;
    bytes[at] = value;
    return bytes;
}

}  // namespace

TEST_CASE("the golden envelope both ways") {
    std::array<std::uint8_t, 26> room{};
    std::size_t size = 0;
    REQUIRE(encode_envelope(golden_envelope(), room, size) == EnvelopeStatus::ok);
    CHECK(Bytes(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size)) == golden);

    Envelope out;
    REQUIRE(decode_envelope(golden, out) == EnvelopeStatus::ok);
    CHECK(out.channel == Channel::snapshot);
    CHECK(out.kind == 0x1234);
    CHECK(out.epoch == 0x0102'0304'0506'0708);
    CHECK(out.sequence == 0x1122'3344);
    CHECK(out.payload.data() == golden.data() + 24);
    CHECK(out.payload.size() == 2);
}

TEST_CASE("no payload, and sequence 0, are legal") {
    std::array<std::uint8_t, 24> room{};
    std::size_t size = 0;
    REQUIRE(encode_envelope({.epoch = 9}, room, size) == EnvelopeStatus::ok);
    Envelope out;
    REQUIRE(decode_envelope(room, out) == EnvelopeStatus::ok);
    CHECK(out.payload.empty());
    CHECK(out.sequence == 0);
    CHECK(out.kind == 1);
}

TEST_CASE("the largest payload fits, one more byte does not") {
    const Bytes payload(1'177, 3);
    Bytes room(1'300, 0xee);
    std::size_t size = 5;
    Envelope envelope{.kind = 2, .epoch = 1, .payload = ConstBytes(payload).first(1'176)};
    CHECK(encode_envelope(envelope, room, size) == EnvelopeStatus::ok);
    CHECK(size == 1'200);
    Envelope out;
    CHECK(decode_envelope(ConstBytes(room).first(1'200), out) == EnvelopeStatus::ok);

    envelope.payload = payload;
    room.assign(room.size(), 0xee);
    size = 5;
    CHECK(encode_envelope(envelope, room, size) == EnvelopeStatus::invalid_argument);
    CHECK(size == 5);
    CHECK(room == Bytes(1'300, 0xee));

    // 1,201 bytes with a length field that says so are malformed all the same.
    Bytes longer(1'201, 0);
    std::copy(golden.begin(), golden.end(), longer.begin());
    store_u16(longer.data() + 20, 1'177);
    CHECK(refused(longer) == EnvelopeStatus::malformed_message);
}

TEST_CASE("encode refuses what decode would, and writes nothing") {
    const auto status_of = [](const Envelope& envelope, std::size_t room_bytes) {
        Bytes room(room_bytes, 0xee);
        std::size_t size = 123;
        const EnvelopeStatus status = encode_envelope(envelope, room, size);
        if (status != EnvelopeStatus::ok) {
            CHECK(size == 123);
            CHECK(room == Bytes(room_bytes, 0xee));
        }
        return status;
    };
    Envelope envelope = golden_envelope();
    CHECK(status_of(envelope, 26) == EnvelopeStatus::ok);
    CHECK(status_of(envelope, 25) == EnvelopeStatus::buffer_too_small);
    CHECK(status_of(envelope, 0) == EnvelopeStatus::buffer_too_small);
    envelope.channel = static_cast<Channel>(4);
    CHECK(status_of(envelope, 26) == EnvelopeStatus::invalid_argument);
    // Wrong arguments come before a short target.
    CHECK(status_of(envelope, 0) == EnvelopeStatus::invalid_argument);
    envelope = golden_envelope();
    envelope.kind = 0;
    CHECK(status_of(envelope, 26) == EnvelopeStatus::invalid_argument);
    envelope = golden_envelope();
    envelope.epoch = 0;
    CHECK(status_of(envelope, 26) == EnvelopeStatus::invalid_argument);
}

TEST_CASE("every truncation and every trailing byte is malformed") {
    for (std::size_t size = 0; size < golden.size(); ++size) {
        const Bytes cut(golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(refused(cut) == EnvelopeStatus::malformed_message);
    }
    Bytes longer = golden;
    longer.push_back(0);
    CHECK(refused(longer) == EnvelopeStatus::malformed_message);
}

TEST_CASE("each malformed field is found, and the version has a status of its own") {
    for (std::size_t at = 0; at < 4; ++at)
        CHECK(refused(with(at, 0)) == EnvelopeStatus::malformed_message);
    CHECK(refused(with(4, 0)) == EnvelopeStatus::unsupported_version);
    CHECK(refused(with(4, 2)) == EnvelopeStatus::unsupported_version);
    CHECK(refused(with(5, 3)) == EnvelopeStatus::ok);
    CHECK(refused(with(5, 4)) == EnvelopeStatus::malformed_message);
    CHECK(refused(with(20, 1)) == EnvelopeStatus::malformed_message);
    CHECK(refused(with(20, 3)) == EnvelopeStatus::malformed_message);
    CHECK(refused(with(21, 1)) == EnvelopeStatus::malformed_message);
    CHECK(refused(with(22, 1)) == EnvelopeStatus::malformed_message);
    CHECK(refused(with(23, 1)) == EnvelopeStatus::malformed_message);
    Bytes no_kind = with(6, 0);
    no_kind[7] = 0;
    CHECK(refused(no_kind) == EnvelopeStatus::malformed_message);
    Bytes no_epoch = golden;
    for (std::size_t at = 8; at < 16; ++at)
        no_epoch[at] = 0;
    CHECK(refused(no_epoch) == EnvelopeStatus::malformed_message);
    no_epoch[15] = 1;
    CHECK(refused(no_epoch) == EnvelopeStatus::ok);
}

TEST_CASE("magic comes before the version, and the version before all other fields") {
    Bytes bytes = with(4, 9);
    bytes[5] = 200;
    bytes[22] = 1;
    CHECK(refused(bytes) == EnvelopeStatus::unsupported_version);
    bytes[0] = 0;
    CHECK(refused(bytes) == EnvelopeStatus::malformed_message);
    // A length outside of the bounds says nothing about versions.
    CHECK(refused(Bytes(bytes.begin(), bytes.begin() + 23)) == EnvelopeStatus::malformed_message);
}

TEST_CASE("2,048 mutated messages are judged as the contract says") {
    std::uint32_t lcg = 0x1234'5678;
    const auto draw = [&lcg] { return lcg = lcg * 1'664'525u + 1'013'904'223u; };
    const auto judge = [](const Bytes& b) {
        if (b.size() < 24 || b.size() > 1'200) return EnvelopeStatus::malformed_message;
        if (b[0] != 'L' || b[1] != 'N' || b[2] != 'E' || b[3] != 'T') {
            return EnvelopeStatus::malformed_message;
        }
        if (b[4] != 1) return EnvelopeStatus::unsupported_version;
        bool epoch = false;
        for (std::size_t i = 8; i < 16; ++i)
            epoch = epoch || b[i] != 0;
        const bool fits = b[20] + b[21] * 256u + 24u == b.size();
        const bool fine = b[5] < 4 && (b[6] | b[7]) != 0 && epoch && (b[22] | b[23]) == 0 && fits;
        return fine ? EnvelopeStatus::ok : EnvelopeStatus::malformed_message;
    };
    std::array<unsigned, 5> seen{};
    for (int round = 0; round < 2'048; ++round) {
        Bytes bytes = golden;
        bytes.resize(24 + draw() % 16);
        store_u16(bytes.data() + 20, static_cast<std::uint16_t>(bytes.size() - 24));
        const unsigned changes = (draw() >> 16) % 4;
        for (unsigned i = 0; i < changes; ++i) {
            const std::size_t at = (draw() >> 8) % bytes.size();
            bytes[at] = static_cast<std::uint8_t>(draw() >> 24);
        }
        if ((draw() >> 24) % 8 == 0) bytes.resize((draw() >> 8) % (bytes.size() + 4));
        const EnvelopeStatus status = refused(bytes);
        CHECK(status == judge(bytes));
        ++seen[static_cast<unsigned>(status)];
        Envelope out;
        if (decode_envelope(bytes, out) != EnvelopeStatus::ok) continue;
        Bytes again(bytes.size());
        std::size_t size = 0;
        REQUIRE(encode_envelope(out, again, size) == EnvelopeStatus::ok);
        CHECK(size == bytes.size());
        CHECK(again == bytes);
    }
    // All three outcomes were really met.
    CHECK(seen[static_cast<unsigned>(EnvelopeStatus::ok)] > 100);
    CHECK(seen[static_cast<unsigned>(EnvelopeStatus::malformed_message)] > 100);
    CHECK(seen[static_cast<unsigned>(EnvelopeStatus::unsupported_version)] > 10);
}

TEST_CASE("names of channels and statuses are words") {
    CHECK(std::string(name_of(Channel::bulk)) == "bulk");
    CHECK(std::string(name_of(EnvelopeStatus::unsupported_version)) == "unsupported_version");
}

}  // namespace wt::session::envelope_test
