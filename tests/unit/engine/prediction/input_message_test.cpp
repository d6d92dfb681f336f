// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "engine/prediction/feedback.hpp"
#include "engine/prediction/input_history.hpp"
#include "engine/prediction/input_message.hpp"

namespace wt::prediction {
namespace {

InputMessage sample() {
    InputMessage message{.newest_tick = 0x1122'3344, .count = 2, .view_mask = 0b10};
    message.ack = {.newest = 0x5566, .mask = 0x7788'99aa, .control_serial = 7};
    message.client_clock_us = 0x0102'0304;
    message.commands = {0xa0a1'a2a3, 0xb0b1'b2b3};
    message.views[1] = {.tick = 0x0506'0708, .fraction = 0x090a, .back = 2, .span = 3};
    return message;
}

TEST_CASE("an input message has the bytes that its header promises") {
    std::vector<std::uint8_t> bytes(input_bytes_max, 0xee);
    const std::size_t size = encode_input(sample(), bytes);
    bytes.resize(size);
    const std::vector<std::uint8_t> golden = {0x44, 0x33, 0x22, 0x11, 0x02, 0x02, 0x00, 0x66, 0x55,
                                              0xaa, 0x99, 0x88, 0x77, 0x07, 0x00, 0x04, 0x03, 0x02,
                                              0x01, 0xa3, 0xa2, 0xa1, 0xa0, 0xb3, 0xb2, 0xb1, 0xb0,
                                              0x08, 0x07, 0x06, 0x05, 0x0a, 0x09, 0x02, 0x03};
    CHECK(bytes == golden);
    InputMessage back;
    REQUIRE(decode_input(bytes, back) == InputDecode::ok);
    CHECK(back == sample());
    std::uint32_t tick = 0;
    CHECK(peek_input_tick(bytes, tick));
    CHECK(tick == 0x1122'3344);
}

TEST_CASE("every truncation and one byte more are malformed and leave the target alone") {
    std::vector<std::uint8_t> bytes(input_bytes_max);
    const std::size_t size = encode_input(sample(), bytes);
    bytes.resize(size + 1);
    const InputMessage untouched{.newest_tick = 99};
    for (std::size_t length = 0; length <= size + 1; ++length) {
        if (length == size) continue;
        InputMessage out = untouched;
        CHECK(decode_input(ConstBytes(bytes).first(length), out) == InputDecode::malformed);
        CHECK(out == untouched);
    }
}

TEST_CASE("counts, masks and flags have one form only") {
    std::vector<std::uint8_t> bytes(input_bytes_max);
    bytes.resize(encode_input(sample(), bytes));
    const auto broken = [&](std::size_t at, std::uint8_t value) {
        std::vector<std::uint8_t> copy = bytes;
        copy[at] = value;
        InputMessage out;
        return decode_input(copy, out) == InputDecode::malformed;
    };
    CHECK(broken(4, 1));  // Another count than there are commands.
    CHECK(broken(4, 3));
    CHECK(broken(4, 16));
    CHECK(broken(4, 0xf2));
    CHECK(broken(5, 0x04));  // A view of a command that is not there.
    CHECK_FALSE(broken(5, 0x01));
}

TEST_CASE("what does not fit or is no message is not written") {
    std::vector<std::uint8_t> bytes(input_bytes_max, 0xee);
    const std::vector<std::uint8_t> untouched = bytes;
    CHECK(encode_input(sample(), MutableBytes(bytes).first(34)) == 0);
    CHECK(encode_input(sample(), MutableBytes(bytes).first(35)) == 35);
    bytes = untouched;
    InputMessage bad = sample();
    bad.count = commands_max + 1;
    CHECK(encode_input(bad, bytes) == 0);
    bad = sample();
    bad.view_mask = 0b100;
    CHECK(encode_input(bad, bytes) == 0);
    CHECK(bytes == untouched);
    const InputMessage full{.count = commands_max, .view_mask = 0x7fff};
    CHECK(encode_input(full, bytes) == input_bytes_max);
    const InputMessage clock_only{.newest_tick = 5, .client_clock_us = 6};
    REQUIRE(encode_input(clock_only, bytes) == input_head_bytes);
    InputMessage back;
    REQUIRE(decode_input(ConstBytes(bytes).first(input_head_bytes), back) == InputDecode::ok);
    CHECK(back == clock_only);
}

TEST_CASE("a message has what is new and repeats of what was") {
    InputHistory history;
    InputMessage out;
    CHECK_FALSE(history.next_message(2, out));
    const View seen{.at = TickTime::at(5) + TickTime{77}, .from = 3, .span = 3};
    history.record(10, 100, nullptr);
    history.record(11, 110, &seen);
    REQUIRE(history.next_message(2, out));
    CHECK(out.count == 2);
    CHECK_FALSE(history.next_message(2, out));
    history.record(12, 120, nullptr);
    REQUIRE(history.next_message(1, out));
    CHECK(out.newest_tick == 12);
    CHECK(out.count == 2);
    CHECK(out.commands[1] == 110);
    CHECK(out.view_mask == 0b10);
    CHECK(out.views[1] == WireView{.tick = 5, .fraction = 77, .back = 2, .span = 3});
    // A jump forgets: only consecutive ticks have a name.
    history.record(14, 140, nullptr);
    REQUIRE(history.next_message(7, out));
    CHECK(out.count == 1);
    CHECK(out.view_mask == 0);
    history.record(9, 90, nullptr);
    REQUIRE(history.next_message(7, out));
    CHECK(out.newest_tick == 9);
    CHECK(out.count == 1);
}

TEST_CASE("a slow frame's ticks are all sent, in as many messages as it takes") {
    InputHistory history;
    InputMessage out;
    for (std::uint32_t tick = 1; tick <= 20; ++tick)
        history.record(tick, tick * 10, nullptr);
    REQUIRE(history.next_message(2, out));
    CHECK(out.newest_tick == 13);  // 15 commands, two of them kept for repeats.
    CHECK(out.count == 13);
    CHECK(out.commands[12] == 10);
    REQUIRE(history.next_message(2, out));
    CHECK(out.newest_tick == 20);
    CHECK(out.count == 9);
    CHECK(out.commands[8] == 120);
    CHECK_FALSE(history.next_message(2, out));
    history.record(21, 210, nullptr);
    REQUIRE(history.next_message(100, out));
    CHECK(out.count == commands_max);
    CHECK(out.commands[14] == 70);
}

TEST_CASE("ticks widen to the nearest, across the wrap and not below 0") {
    Tick out = 1;
    CHECK_FALSE(widen_tick(10, 0xffff'ffff, out));
    CHECK(out == 1);
    CHECK_FALSE(widen_tick(10, 10 + 0x8000'0000u, out));
    REQUIRE(widen_tick(0xffff'fffe, 3, out));
    CHECK(out == 0x1'0000'0003);
    REQUIRE(widen_tick(0x1'0000'0003, 0xffff'fffe, out));
    CHECK(out == 0xffff'fffe);
    REQUIRE(widen_tick(10, 10 + 0x7fff'ffffu, out));
    CHECK(out == 10 + 0x7fff'ffffull);
    View view;
    CHECK_FALSE(from_wire({.tick = 3, .back = 4}, 5, view));
    REQUIRE(from_wire({.tick = 3, .fraction = 1, .back = 3, .span = 9}, 0x1'0000'0000, view));
    CHECK(view.from == 0x1'0000'0000);
    CHECK(to_wire(view) == WireView{.tick = 3, .fraction = 1, .back = 3, .span = 9});
}

TEST_CASE("feedback keeps unset fields zero and refuses any other form") {
    std::vector<std::uint8_t> bytes(feedback_bytes, 0xee);
    const Feedback feedback{.has_input = true,
                            .input_tick = 0x0102'0304,
                            .has_margin = true,
                            .margin = -2,
                            .margin_tick = -128,
                            .has_echo = true,
                            .echo_us = 0x0a0b'0c0d,
                            .hold_16us = 0xffff};
    CHECK_FALSE(encode_feedback(feedback, MutableBytes(bytes).first(feedback_bytes - 1)));
    CHECK(bytes[0] == 0xee);
    REQUIRE(encode_feedback(feedback, bytes));
    const std::vector<std::uint8_t> golden = {7,    4,    3,    2,    1,    0xfe, 0xff,
                                              0x80, 0x0d, 0x0c, 0x0b, 0x0a, 0xff, 0xff};
    CHECK(bytes == golden);
    Feedback back;
    REQUIRE(decode_feedback(bytes, back));
    CHECK(back == feedback);
    for (const unsigned flags : {6u, 5u, 3u, 15u}) {
        bytes[0] = static_cast<std::uint8_t>(flags);
        Feedback untouched{.input_tick = 5};
        CHECK_FALSE(decode_feedback(bytes, untouched));
        CHECK(untouched.input_tick == 5);
    }
    CHECK_FALSE(decode_feedback(ConstBytes(golden).first(feedback_bytes - 1), back));
}

}  // namespace
}  // namespace wt::prediction
