// SPDX-License-Identifier: MIT
//
// Behind the authentication: the other end of an established connection is hostile and holds the
// keys. The fuzzer's bytes become authentic datagrams (lanes, counts, indexes, sequences, masks,
// sizes), sends of the application and steps of time. Budgets, limits and the seam's promises hold.
#include <algorithm>
#include <array>
#include <vector>

#include "engine/secure/connection.inl"
#include "simulator/cipher/null_suite.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::secure;
using sim::NullSuite;

// What one connection may hold at most: reassembly (4 MiB) and backlog (8 MiB) are accounts of
// bytes; a buffer's size class may be up to 4 times what is in it, and small ones 128 bytes a
// piece.
constexpr std::uint64_t pool_bytes_max = 64 * 1'024 * 1'024;

SessionKeys keys_of_victim() {
    SessionKeys keys;
    keys.record_out.fill(1);
    keys.record_in.fill(2);
    keys.packet_out.fill(3);
    keys.packet_in.fill(4);
    return keys;
}

class Siege {
public:
    explicit Siege(fuzz::FuzzBytes input) : input_(input) {
        const unsigned mode = input_.u8();
        ConnectionConfig config;
        if (mode % 3 == 1) config.reliability = Reliability::profile_literal();
        if (mode % 3 == 2) config.reliability = Reliability::profile_tuned();
        if ((mode & 8u) != 0) {
            config.initial = {.transmission_sequence = 65'500,
                              .message_id = 65'500,
                              .packet_number = 1'000,
                              .record_counter = 5'000};
        }
        // The hostile end may start its counters where it likes.
        number_ = (mode & 16u) != 0 ? input_.u64() : 0;
        counter_ = (mode & 32u) != 0 ? input_.u64() : 0;
        id_ = config.initial.message_id;
        victim_.open(now_, keys_, config, {1, 1}, {}, (mode & 64u) != 0);
        victim_.observe((mode & 128u) != 0);
    }

    void run() {
        for (unsigned steps = 0; !input_.empty() && steps < 4'096; ++steps) {
            act();
            settle();
        }
        victim_.forget();
        WT_CHECK(pool_.taken_bytes() == 0);
    }

private:
    void act() {
        switch (input_.u8() % 10) {
            case 0:
                return send_fragment();
            case 1:
                return send_message();
            case 2:
                return send_single(WireKind::sequenced);
            case 3:
                return send_single(WireKind::unreliable);
            case 4:
                return send_ack(input_.u16(), input_.u32());
            case 5:  // Of what the victim sent last, as an honest end would.
                return send_ack(static_cast<std::uint16_t>(seen_sequence_ - input_.u8() % 64u),
                                input_.u32());
            case 6:
                return send_raw();
            case 7:
                return application_sends();
            case 8:
                now_ += Duration::millis(input_.u8() * 8);
                return;
            default:
                return send_forged();
        }
    }

    // One fragment with every field the fuzzer's own.
    void send_fragment() {
        const std::uint16_t sequence = input_.u16();
        const std::uint8_t lane = input_.u8() % 9;
        const auto id = static_cast<std::uint16_t>(id_ + input_.u16() % 1'100u - 2);
        const std::uint8_t index = input_.u8();
        const std::uint8_t count = input_.u8();
        const std::uint16_t bytes = input_.u16() % 1'110;
        std::uint8_t* const at = body();
        store_u16(at, sequence);
        at[2] = lane;
        store_u16(at + 3, id);
        at[5] = index;
        at[6] = count;
        fill(at + reliable_header_bytes, bytes);
        deliver(WireKind::reliable, reliable_header_bytes + bytes);
    }

    // A whole message of one fragment, rightly sealed: what moves the lane on.
    void send_message() {
        const std::uint8_t lane = input_.u8() % 8;
        const std::uint16_t plain = input_.u16() % 1'077;
        std::uint8_t* const at = body();
        store_u16(at, sequence_++);
        at[2] = lane;
        store_u16(at + 3, static_cast<std::uint16_t>(id_ + sent_[lane]++));
        at[5] = 0;
        at[6] = 1;
        seal_record(at + reliable_header_bytes, plain);
        deliver(WireKind::reliable, reliable_header_bytes + plain + record_overhead);
    }

    void send_single(WireKind kind) {
        std::uint8_t* at = body();
        *at++ = input_.u8() % 9;
        if (kind == WireKind::sequenced) {
            store_u16(at, input_.u16());
            at += 2;
        }
        const std::uint16_t bytes = input_.u16() % 1'120;
        const bool sealed = input_.u8() % 4 != 0;
        if (sealed && bytes >= record_overhead) {
            seal_record(at, bytes - record_overhead);
        } else {
            fill(at, bytes);
        }
        deliver(kind, static_cast<std::size_t>(at - body()) + bytes);
    }

    void send_ack(std::uint16_t sequence, std::uint32_t mask) {
        store_u16(body(), sequence);
        store_u32(body() + 2, mask);
        deliver(WireKind::ack, ack_header_bytes);
    }

    void send_raw() {
        const auto kind = static_cast<WireKind>(16 + input_.u8() % 6);
        const std::uint8_t bytes = input_.u8();
        fill(body(), bytes);
        deliver(kind, bytes);
    }

    // A datagram whose tag does not fit, or that was there before: nothing moves.
    void send_forged() {
        if (last_.empty()) return;
        std::vector<std::uint8_t> forged = last_;
        if (const std::uint8_t turn = input_.u8(); turn != 0) {
            forged[input_.u16() % forged.size()] ^= turn;
        }
        const transport::Counters before = victim_.counters();
        const bool authentic = victim_.receive(now_, forged, {});
        WT_CHECK(!authentic);
        WT_CHECK(victim_.counters().opened == before.opened);
        WT_CHECK(victim_.counters().datagrams_received == before.datagrams_received);
        WT_CHECK(victim_.counters().violations == before.violations);
    }

    void application_sends() {
        const std::uint8_t how = input_.u8();
        const std::size_t bytes = (how & 64u) != 0 ? std::size_t{input_.u16()} * 5 : input_.u8();
        if (filler_.size() < bytes) filler_.resize(bytes, 0x5a);
        transport::Message message{.lane = static_cast<transport::Lane>(how & 7u),
                                   .delivery = static_cast<transport::Delivery>((how >> 3) % 3),
                                   .bytes = ConstBytes(filler_).first(bytes)};
        if ((how & 128u) != 0) message.replace_tag = input_.u8();
        static_cast<void>(victim_.send(now_, message));
    }

    void fill(std::uint8_t* at, std::size_t count) {
        const ConstBytes some = input_.bytes(std::min<std::size_t>(count, 24));
        std::fill_n(at, count, std::uint8_t{0});
        std::copy(some.begin(), some.end(), at);
    }

    void seal_record(std::uint8_t* at, std::size_t plain) {
        store_u64(at, ++counter_);
        fill(at + record_counter_bytes, plain);
        NullSuite::seal_record(keys_.record_in, counter_, {at + record_counter_bytes, plain},
                               at + record_counter_bytes + plain);
    }

    std::uint8_t* body() { return room_.data() + session_header_bytes; }

    void deliver(WireKind kind, std::size_t body_bytes) {
        const std::size_t size = session_header_bytes + body_bytes;
        write_frame(room_.data(), kind);
        store_u64(room_.data() + packet_number_offset, ++number_);
        NullSuite::seal_packet(keys_.packet_in, number_, ConstBytes(room_).first(size),
                               room_.data() + size);
        last_.assign(room_.begin(), room_.begin() + static_cast<std::ptrdiff_t>(size + tag_bytes));
        const std::uint64_t violations = victim_.counters().violations;
        const bool was_open = victim_.is_open();
        static_cast<void>(victim_.receive(now_, last_, {}));
        if (violations != victim_.counters().violations) WT_CHECK(was_open);
    }

    void settle() {
        drain_messages();
        victim_.advance(now_);
        drain_datagrams();
        transport::Sample sample;
        while (victim_.next_sample(sample))
            WT_CHECK(sample.value >= 0);
        WT_CHECK(victim_.next_deadline() > now_);
        WT_CHECK(victim_.counters().violations <= 64);
        WT_CHECK(victim_.is_open() <= (victim_.counters().violations < 64));
        WT_CHECK(victim_.counters().acked <= victim_.counters().fragments_sent);
        WT_CHECK(pool_.taken_bytes() <= pool_bytes_max);
        transport::ConnectionLevels levels;
        victim_.levels(now_, levels);
        WT_CHECK(levels.reassembly_bytes <= Reassembly::budget_bytes);
        WT_CHECK(levels.backlog_bytes <= ReliableSender::backlog_bytes_max + 2 * record_bytes_max +
                                             512 * unreliable_plaintext_max +
                                             256 * record_plaintext_max);
        WT_CHECK(levels.rto >= RtoEstimator::rto_min);
        WT_CHECK(levels.rto <= RtoEstimator::rto_max);
    }

    void drain_messages() {
        transport::Received message;
        while (victim_.next_message(message)) {
            WT_CHECK(static_cast<unsigned>(message.lane) < transport::lane_count);
            WT_CHECK(message.bytes.size() <= record_plaintext_max);
            // Read whole, so that the sanitizers see a view that does not hold.
            std::uint8_t sum = 0;
            for (const std::uint8_t byte : message.bytes)
                sum = static_cast<std::uint8_t>(sum + byte);
            read_ = static_cast<std::uint8_t>(read_ + sum);
        }
    }

    void drain_datagrams() {
        transport::Datagram out;
        out.room = out_room_;
        while (victim_.next_datagram(now_, out)) {
            WT_CHECK(out.size >= packet_overhead);
            WT_CHECK(out.size <= session_datagram_bytes_max);
            const std::uint64_t number = load_u64(out_room_.data() + packet_number_offset);
            WT_CHECK(number > last_number_out_);
            last_number_out_ = number;
            const ConstBytes tagged = ConstBytes(out_room_).first(out.size - tag_bytes);
            WT_CHECK(NullSuite::open_packet(keys_.packet_out, number, tagged,
                                            out_room_.data() + tagged.size()));
            const auto kind = static_cast<WireKind>(out_room_[kind_offset]);
            if (kind == WireKind::close) WT_CHECK(!victim_.is_open());
            if (kind != WireKind::reliable) continue;
            seen_sequence_ = load_u16(out_room_.data() + session_header_bytes);
        }
    }

    fuzz::FuzzBytes input_;
    BufferPool pool_;
    Connection<NullSuite> victim_{pool_};
    SessionKeys keys_ = keys_of_victim();
    Instant now_ = Instant{} + Duration::seconds(1);
    std::uint64_t number_ = 0;   // Packet number last used by the hostile end.
    std::uint64_t counter_ = 0;  // Its record counter.
    std::uint16_t sequence_ = 0;
    std::uint16_t id_ = 0;
    std::array<std::uint16_t, transport::lane_count> sent_{};
    std::uint16_t seen_sequence_ = 0;
    std::uint64_t last_number_out_ = 0;
    std::uint8_t read_ = 0;
    std::array<std::uint8_t, 2'048> room_{};
    std::array<std::uint8_t, transport::datagram_bytes_max> out_room_{};
    std::vector<std::uint8_t> last_{};
    std::vector<std::uint8_t> filler_{};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Siege(fuzz::FuzzBytes(data, size)).run();
    return 0;
}
