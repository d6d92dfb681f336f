// SPDX-License-Identifier: MIT
//
// A hostile client's input messages: what parses has one form, and whatever it says the server's
// inputs keep their budget and take each tick once.
#include <algorithm>
#include <set>
#include <vector>

#include "engine/prediction/rewind.hpp"
#include "engine/prediction/server_inputs.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::prediction;

void check_form(ConstBytes source, InputMessage& message) {
    const InputMessage before = message;
    if (decode_input(source, message) != InputDecode::ok) {
        WT_CHECK(message == before);
        return;
    }
    std::vector<std::uint8_t> again(source.size());
    WT_CHECK(encode_input(message, again) == source.size());
    WT_CHECK(std::equal(again.begin(), again.end(), source.begin()));
    std::uint32_t tick = 0;
    WT_CHECK(peek_input_tick(source, tick));
    WT_CHECK(tick == message.newest_tick);
}

}  // namespace

// First byte: how near the wrap the server stands. Then messages, each with its length before it;
// length 255 is a server's tick.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::FuzzBytes input(data, size);
    constexpr Frequency rate{60};
    constexpr std::uint32_t clamp = 20;
    Tick next = std::uint64_t{0xffff'ff00} + input.u8() * 2u;
    const Tick start = next;
    const ServerInputsConfig config{.clamp = clamp};
    ServerInputs inputs(config);
    std::set<Tick> arrived;
    PoseHistory poses({.slots = 1});
    while (!input.empty()) {
        const std::uint8_t length = input.u8();
        if (length == 255) {
            const TakenInput taken = inputs.take(next);
            Pose pose;
            if (taken.has_view) (void)poses.rebuild(next - 1, 0, taken.view, pose);
            poses.record(next, 0, {.x = 5}, 0);
            const Feedback feedback = inputs.feedback(rate.tick(next), next);
            if (taken.was_real) {
                WT_CHECK(feedback.input_tick == static_cast<std::uint32_t>(next));
            }
            ++next;
            continue;
        }
        InputMessage message;
        check_form(input.bytes(length), message);
        const InputReport report =
            inputs.on_message(rate.tick(next), message, {.next = next, .at = rate.tick(next)});
        WT_CHECK(report.verdict == inputs.judge(message.newest_tick, next));
        WT_CHECK(report.arrival_count <= message.count);
        for (std::size_t i = 0; i < report.arrival_count; ++i) {
            const Tick tick = report.arrivals[i].tick;
            WT_CHECK(tick <= next + config.future_max);
            WT_CHECK(arrived.insert(tick).second);
        }
        WT_CHECK(inputs.counters().accepted <= next - start + clamp);
        WT_CHECK(inputs.counters().missed <= inputs.counters().ticks);
    }
    return 0;
}
