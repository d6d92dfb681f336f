// SPDX-License-Identifier: MIT
//
// What the stories of why_message and why_others share: whose records are walked through, names of
// places, lists of numbers.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/trace/filter.hpp"
#include "simulator/trace/record_text.hpp"
#include "simulator/trace/why.hpp"

namespace wt::trace {

class Story {
public:
    Story(const TraceFile& trace, const WhyQuestion& question, const LuckOf& luck)
        : trace_(trace), question_(question), luck_(luck) {
        const std::string text = "peer == " + std::to_string(question.peer);
        const Result<Filter, FilterError> filter = Filter::compile(text, trace);
        if (filter) filter_ = *filter;
    }

    // Beyond 500 days: no run, but a damaged record, whose time nobody should reckon with.
    static constexpr std::int64_t time_max_ns = INT64_MAX / 200;

    // The peer's records from a time on: each(number, record) returns false to stop.
    template <class Each>
    void walk(std::int64_t from_ns, Each each) const {
        const RecordRange range = trace_.range_of(from_ns, INT64_MAX);
        for_each_record(trace_, filter_, range,
                        [&](std::uint64_t number, const std::uint8_t* stored) {
                            const Record record = Record::load(stored);
                            const bool is_sane = record.time >= 0 && record.time <= time_max_ns;
                            return !is_sane || each(number, record);
                        });
    }

    [[nodiscard]] const TraceFile& trace() const { return trace_; }
    [[nodiscard]] const WhyQuestion& question() const { return question_; }
    [[nodiscard]] std::string peer() const { return trace_.peer_name(question_.peer); }
    [[nodiscard]] std::string sender(bool is_down) const { return is_down ? "server" : peer(); }
    [[nodiscard]] std::string receiver(bool is_down) const { return is_down ? peer() : "server"; }
    [[nodiscard]] static std::string link(bool is_down) {
        return is_down ? "link, down" : "link, up";
    }
    [[nodiscard]] bool is_wanted_way(const Record& record) const {
        return !question_.is_down || *question_.is_down == is_down(record);
    }
    [[nodiscard]] static bool is_down(const Record& record) {
        return (record.flags & flag::down) != 0;
    }
    [[nodiscard]] static bool is(const Record& record, Type type) {
        return record.type == static_cast<std::uint8_t>(type);
    }
    // When Send accepted what a `send` record carries; to the microsecond.
    [[nodiscard]] static std::int64_t accepted_ns(const Record& send) {
        return send.time - std::int64_t{send.age} * 1'000;
    }

    // "; RTO 412 ms": the timeout in force in the 100 ms around an instant, as the series of the
    // peer has it, whichever end's; nothing where it is not known.
    [[nodiscard]] std::string rto_text(std::int64_t at_ns) const;
    // "; draw 0.0112 < 0.0200": what the first link's luck did to that datagram, where it is known.
    [[nodiscard]] std::string luck_text(const Record& record) const;

private:
    const TraceFile& trace_;
    const WhyQuestion& question_;
    const LuckOf& luck_;
    Filter filter_{};
};

// "0-3, 7": ascending, stretches joined.
[[nodiscard]] std::string number_list(std::vector<std::uint32_t> numbers);
void add_share(WhyAnswer& answer, const char* name, std::int64_t ns);

[[nodiscard]] Result<WhyAnswer, std::string> why_message(const Story& story);
[[nodiscard]] Result<WhyAnswer, std::string> why_snapshot(const Story& story);
[[nodiscard]] Result<WhyAnswer, std::string> why_input(const Story& story);
[[nodiscard]] Result<WhyAnswer, std::string> why_datagram(const Story& story);

}  // namespace wt::trace
