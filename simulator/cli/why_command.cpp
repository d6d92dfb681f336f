// SPDX-License-Identifier: MIT
//
// `wavetank why`: the question's words, and the answer as text.
#include "simulator/trace/why.hpp"

#include "simulator/cli/commands.hpp"
#include "simulator/cli/terminal.hpp"
#include "simulator/cli/trace_input.hpp"
#include "simulator/run/link_replay.hpp"
#include "simulator/scenario/problem.hpp"
#include "simulator/scenario/quantity.hpp"

namespace wt::sim {

namespace {

int refuse(const std::string& text) {
    print_error("wavetank: error: " + text + "\n");
    return exit_bad_input;
}

// A whole number of at most 32 bits.
bool read_number(const std::string& text, std::uint32_t& into) {
    const auto parsed = parse_quantity(text, {Dimension::count});
    if (!parsed || parsed->base < 0 || parsed->base > UINT32_MAX) return false;
    into = static_cast<std::uint32_t>(parsed->base);
    return true;
}

// "bulk:31"; empty where it is one, else what is wrong.
std::string read_message(const trace::TraceFile& file, const std::string& text,
                         trace::WhyQuestion& question) {
    const std::size_t colon = text.find(':');
    const std::string lane = text.substr(0, colon);
    if (colon == std::string::npos || !read_number(text.substr(colon + 1), question.id) ||
        question.id > UINT16_MAX)
        return "--message " + text + ": LANE:ID, e.g. bulk:31";
    std::vector<std::string> known;
    for (const trace::Word& word : file.about().lanes) {
        if (word.name == lane) {
            question.lane = static_cast<std::uint8_t>(word.value);
            return {};
        }
        known.push_back(word.name);
    }
    const std::string near = nearest_name(lane, known);
    return "--message " + text + ": no lane \"" + lane + "\"" +
           (near.empty() ? "" : ", did you mean " + near + "?");
}

// Fills in what is asked; empty where it is clear.
std::string read_question(const trace::TraceFile& file, const TraceQuery& query,
                          trace::WhyQuestion& question) {
    using What = trace::WhyQuestion::What;
    const std::optional<std::uint16_t> peer = file.find_peer(query.peer);
    if (!peer || *peer == 0) {
        std::vector<std::string> known;
        for (std::size_t i = 1; i < file.about().peers.size(); ++i)
            known.push_back(file.about().peers[i].name);
        const std::string near = nearest_name(query.peer, known);
        return "no bot \"" + query.peer + "\" in this trace" +
               (near.empty() ? "" : ", did you mean " + near + "?");
    }
    question.peer = *peer;
    question.from_ns = query.from.value_or(Duration{}).ns;
    if (query.way == "up" || query.way == "down") question.is_down = query.way == "down";
    if (!query.way.empty() && !question.is_down) return "--way " + query.way + ": up or down";
    const int asked = (query.message.empty() ? 0 : 1) + (query.snapshot.empty() ? 0 : 1) +
                      (query.input.empty() ? 0 : 1) + (query.datagram.empty() ? 0 : 1);
    if (asked != 1) return "one of --message LANE:ID, --snapshot, --input, --datagram";
    if (!query.message.empty()) return read_message(file, query.message, question);
    const bool is_snapshot = !query.snapshot.empty();
    const bool is_input = !query.input.empty();
    question.what = is_snapshot ? What::snapshot : is_input ? What::input : What::datagram;
    const std::string& text = is_snapshot ? query.snapshot
                              : is_input  ? query.input
                                          : query.datagram;
    if (!read_number(text, question.id))
        return "\"" + text + "\" is no " + (question.what == What::datagram ? "sequence" : "tick");
    return {};
}

}  // namespace

int why_command(const Options& options) {
    const std::optional<trace::TraceFile> file = open_trace(options.files.front());
    if (!file) return exit_bad_input;
    trace::WhyQuestion question;
    const std::string wrong = read_question(*file, options.query, question);
    if (!wrong.empty()) return refuse(wrong);
    LinkReplay replay(*file);
    const Result<trace::WhyAnswer, std::string> answer =
        trace::why(*file, question, luck_of(replay));
    if (!answer) return refuse(answer.error());
    constexpr std::size_t rows_max = 40;
    print(trace::why_text(*answer, options.all ? SIZE_MAX : rows_max));
    return exit_passed;
}

}  // namespace wt::sim
