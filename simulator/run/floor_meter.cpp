// SPDX-License-Identifier: MIT
#include "simulator/run/floor_meter.hpp"

#include <algorithm>
#include <cstring>

#include "engine/base/check.hpp"
#include "engine/base/entropy.hpp"
#include "engine/crypto/aead.hpp"
#include "engine/secure/wire.hpp"
#include "simulator/gates/stopwatch.hpp"

namespace wt::sim {

namespace {

// What stands in front of a record, behind which comes the packet's tag. What is too short for a
// record has none.
constexpr std::size_t front_bytes = secure::session_header_bytes + secure::reliable_header_bytes;
constexpr std::size_t counter_bytes = secure::record_counter_bytes;
constexpr std::size_t tag_bytes = secure::tag_bytes;

constexpr std::uint64_t samples_max = 64;
constexpr int turns = 3;

struct Bench {
    crypto::AeadKey record_key{};
    crypto::AeadKey packet_key{};
    std::uint64_t counter = 0;
    std::array<std::uint8_t, transport::datagram_bytes_max> payload{};
    std::array<std::uint8_t, transport::datagram_bytes_max> datagram{};

    // The record's bytes without counter and tag; 0 = no record.
    [[nodiscard]] static std::size_t plain_of(std::size_t bytes) {
        const std::size_t around = front_bytes + secure::record_overhead + tag_bytes;
        return bytes > around ? bytes - around : 0;
    }
    void seal(std::size_t bytes) {
        const crypto::AeadNonce nonce = crypto::nonce_of(++counter);
        const std::size_t plain = plain_of(bytes);
        std::uint8_t* const record = datagram.data() + front_bytes + counter_bytes;
        if (plain != 0) {
            std::memcpy(record, payload.data(), plain);
            crypto::aead_seal(record_key, nonce, {}, {record, plain}, record + plain);
        }
        const std::size_t tagged = bytes - tag_bytes;
        crypto::aead_seal(packet_key, nonce, {datagram.data(), tagged}, {},
                          datagram.data() + tagged);
    }
    void open(std::size_t bytes) {
        const crypto::AeadNonce nonce = crypto::nonce_of(counter);
        const std::size_t plain = plain_of(bytes);
        const std::size_t tagged = bytes - tag_bytes;
        WT_CHECK(crypto::aead_open(packet_key, nonce, {datagram.data(), tagged}, {},
                                   datagram.data() + tagged));
        if (plain == 0) return;
        std::uint8_t* const record = datagram.data() + front_bytes + counter_bytes;
        WT_CHECK(crypto::aead_open(record_key, nonce, {}, {record, plain}, record + plain));
        std::memcpy(payload.data(), record, plain);
    }
};

// Of one datagram of that size: sealed, and opened as well.
struct Price {
    std::int64_t seal_ns = 0;
    std::int64_t open_ns = 0;
};

Price price_of(Bench& bench, std::size_t bytes, std::uint64_t samples) {
    Price least{INT64_MAX, INT64_MAX};
    for (int turn = 0; turn < turns; ++turn) {
        const Stopwatch sealing;
        for (std::uint64_t i = 0; i < samples; ++i)
            bench.seal(bytes);
        least.seal_ns = std::min(least.seal_ns, sealing.cpu_ns());
        // Opened is what was sealed just before: both are done, and the one is taken off.
        const Stopwatch both;
        for (std::uint64_t i = 0; i < samples; ++i) {
            bench.seal(bytes);
            bench.open(bytes);
        }
        least.open_ns = std::min(least.open_ns, both.cpu_ns());
    }
    least.open_ns = std::max<std::int64_t>(least.open_ns - least.seal_ns, 0);
    return least;
}

}  // namespace

std::int64_t FloorMeter::cpu_ns() {
    LuckStream luck(luck_);
    Entropy entropy = Entropy::from_luck(luck);
    Bench bench{.counter = counter_};
    entropy.fill(bench.record_key);
    entropy.fill(bench.packet_key);
    std::int64_t sum = 0;
    for (std::size_t bytes = front_bytes + tag_bytes; bytes < counts_->sealed.size(); ++bytes) {
        const std::uint64_t sealed = counts_->sealed[bytes];
        const std::uint64_t opened = counts_->opened[bytes];
        if (sealed + opened == 0) continue;
        const std::uint64_t samples = std::min(std::max(sealed, opened), samples_max);
        const Price price = price_of(bench, bytes, samples);
        const auto all = [&](std::uint64_t count, std::int64_t ns) {
            return static_cast<std::int64_t>(count) * ns / static_cast<std::int64_t>(samples);
        };
        sum += all(sealed, price.seal_ns) + all(opened, price.open_ns);
    }
    counter_ = bench.counter;
    return sum;
}

}  // namespace wt::sim
