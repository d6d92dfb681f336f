// SPDX-License-Identifier: MIT
#include "simulator/trace/why.hpp"

#include "simulator/report/format.hpp"
#include "simulator/scenario/exact_text.hpp"
#include "simulator/trace/why_story.hpp"

namespace wt::trace {

std::string number_list(std::vector<std::uint32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] <= numbers[last] + 1)
            ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
        // Two in a row read better apart.
        if (numbers[last] > numbers[i] + 1)
            text += "-" + std::to_string(numbers[last]);
        else if (numbers[last] > numbers[i])
            text += ", " + std::to_string(numbers[last]);
        i = last + 1;
    }
    return text;
}

std::string Story::luck_text(const Record& record) const {
    if (!luck_) return {};
    const std::string text = luck_(record);
    return text.empty() ? text : "; " + text;
}

std::string Story::rto_text(std::int64_t at_ns) const {
    const std::vector<SeriesEntry>& series = trace_.about().series;
    const auto found = std::find_if(series.begin(), series.end(),
                                    [](const SeriesEntry& one) { return one.name == "rto"; });
    if (found == series.end() || at_ns <= 0) return {};
    SeriesCell cell;
    // Just before: the sending itself doubles it.
    trace_.series().read(static_cast<std::uint32_t>(found - series.begin()), question_.peer, 0,
                         static_cast<std::uint64_t>((at_ns - 1) / cell_ns), {&cell, 1});
    if (cell.is_empty() || cell.min < 0) return {};
    std::string text = "; RTO " + sim::format_time(std::int64_t{cell.min} * 1'000);
    if (cell.max > cell.min) text += " to " + sim::format_time(std::int64_t{cell.max} * 1'000);
    return text;
}

void add_share(WhyAnswer& answer, const char* name, std::int64_t ns) {
    if (ns > 0) answer.shares.push_back({name, ns});
}

Result<WhyAnswer, std::string> why(const TraceFile& trace, const WhyQuestion& question,
                                   const LuckOf& luck) {
    if (question.peer >= trace.peer_count()) return unexpected(std::string("no such peer"));
    if (!trace.about().peers[question.peer].is_full)
        return unexpected("the records of " + trace.peer_name(question.peer) +
                          " were not kept (--trace-peers)");
    const Story story(trace, question, luck);
    Result<WhyAnswer, std::string> answer = [&] {
        switch (question.what) {
            case WhyQuestion::What::message:
                return why_message(story);
            case WhyQuestion::What::snapshot:
                return why_snapshot(story);
            case WhyQuestion::What::input:
                return why_input(story);
            case WhyQuestion::What::datagram:
                break;
        }
        return why_datagram(story);
    }();
    if (answer) {
        std::stable_sort(answer->rows.begin(), answer->rows.end(),
                         [](const WhyRow& a, const WhyRow& b) { return a.time_ns < b.time_ns; });
    }
    return answer;
}

namespace {

constexpr std::size_t columns = 100;
constexpr std::size_t text_columns = 60;

std::string row_text(const WhyAnswer& answer, const WhyRow& row) {
    const std::int64_t since = row.time_ns - answer.start_ns;
    const std::string offset = since == 0 ? "0" : (since < 0 ? "" : "+") + sim::format_time(since);
    std::string line =
        sim::pad_left(clock_text(row.time_ns), 12) + sim::pad_left(offset, 11) + "   ";
    const std::size_t indent = line.size();
    // A long list goes on below itself.
    std::string text;
    const std::vector<std::string> pieces = sim::wrapped(row.text, text_columns);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        text += line + pieces[i] + "\n";
        line = std::string(indent, ' ');
    }
    return text + line + sim::pad_right(pieces.back(), text_columns) + " " + row.where + "\n";
}

}  // namespace

std::string why_text(const WhyAnswer& answer, std::size_t rows_max) {
    std::string text = answer.title;
    const std::size_t used = answer.title.size() + answer.verdict.size();
    text += used + 3 <= columns ? std::string(columns - used, ' ') : std::string("\n  ");
    text += answer.verdict + "\n";
    // Of a long story the beginning and the end.
    const std::size_t count = answer.rows.size();
    const std::size_t hidden = count > rows_max ? count - rows_max : 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (hidden > 0 && i == rows_max / 2) {
            text += std::string(26, ' ') + "... " + std::to_string(hidden) + " more rows (--all)\n";
            i += hidden;
        }
        text += row_text(answer, answer.rows[i]);
    }
    if (!answer.shares.empty()) {
        std::int64_t total = 0;
        for (const WhyShare& share : answer.shares)
            total += share.ns;
        std::string line = "where the time went   ";
        for (const WhyShare& share : answer.shares) {
            std::string part = "  " + share.name + " " + sim::format_time(share.ns);
            const std::int64_t percent = share.ns * 100 / total;
            if (answer.shares.size() > 1 && percent >= 50)
                part += " (" + std::to_string(percent) + " %)";
            if (line.size() + part.size() > columns) {
                text += line + "\n";
                line = std::string(22, ' ');
            }
            line += part;
        }
        text += line;
        text += "\n";
    }
    for (const std::string& fact : answer.helped)
        text += "would have helped       " + fact + "\n";
    return text;
}

}  // namespace wt::trace
