// SPDX-License-Identifier: MIT
#include "simulator/run/common_causes.hpp"

#include <algorithm>

#include "simulator/run/link_replay.hpp"
#include "simulator/trace/record_text.hpp"

namespace wt::sim {

namespace {

using trace::Record;
using trace::TraceFile;

// As many as one takes in at a glance, and how far back they are looked for.
constexpr std::size_t causes_shown = 5;
constexpr std::uint64_t looked_through = 200'000;

std::string words(const trace::About& about, const Record& record) {
    std::string text = trace::type_text(about, record);
    const std::string kind = trace::kind_text(about, record);
    if (!kind.empty()) text += " " + kind;
    if (record.sequence != 0) text += " #" + std::to_string(record.sequence);
    return text;
}

// The peer's last records before the first difference, oldest first.
std::string before_it(const TraceFile& a, const Record& parted, std::uint64_t first) {
    std::vector<std::string> found;
    const std::uint64_t end = first > looked_through ? first - looked_through : 0;
    for (std::uint64_t number = first; number > end && found.size() < causes_shown; --number) {
        const Record record = a.record(number - 1);
        if (record.peer == parted.peer) found.push_back(words(a.about(), record));
    }
    std::string text;
    for (auto each = found.rbegin(); each != found.rend(); ++each)
        text += (text.empty() ? "" : ", ") + *each;
    return text;
}

// The luck of the datagram that a record is about; empty where it is about none.
std::string luck_at(const TraceFile& file, const Record& record) {
    using trace::Type;
    const Type type = static_cast<Type>(record.type);
    if (type != Type::send && type != Type::drop && type != Type::receive) return {};
    LinkReplay replay(file);
    return luck_of(replay)(record);
}

}  // namespace

std::vector<std::string> common_causes(const trace::TraceFile& a, const trace::TraceFile& b,
                                       const trace::Difference& difference) {
    std::vector<std::string> lines;
    if (!difference.reasons.empty() || !difference.first) return lines;
    const std::uint64_t first = *difference.first;
    const bool has_a = first < a.record_count();
    const bool has_b = first < b.record_count();
    if (!has_a && !has_b) return lines;
    const trace::Record parted = has_a ? a.record(first) : b.record(first);
    const std::string common = before_it(a, parted, first);
    if (!common.empty())
        lines.push_back("before it, in both, of " + a.peer_name(parted.peer) + ": " + common);
    lines.emplace_back("seed, scenario and settings are the same in both");
    if (!has_a || !has_b) return lines;
    const std::string luck_a = luck_at(a, parted);
    const std::string luck_b = luck_at(b, b.record(first));
    if (luck_a.empty() || luck_b.empty()) return lines;
    if (luck_a == luck_b)
        lines.push_back("the link did the same to it: the code parted first (" + luck_a + ")");
    else
        lines.push_back("the link did not do the same: A " + luck_a + ", B " + luck_b);
    return lines;
}

}  // namespace wt::sim
