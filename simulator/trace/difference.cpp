// SPDX-License-Identifier: MIT
#include "simulator/trace/difference.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/report/format.hpp"

namespace wt::trace {

namespace {

// The scenario without what must not change a record: the cipher.
std::string comparable_text(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        if (!line.starts_with("cipher ")) out += line + "\n";
        at = end + 1;
    }
    return out;
}

bool has_same_peers(const About& a, const About& b) {
    const auto is_same = [](const PeerEntry& x, const PeerEntry& y) {
        return x.name == y.name && x.is_full == y.is_full;
    };
    return std::equal(a.peers.begin(), a.peers.end(), b.peers.begin(), b.peers.end(), is_same);
}

void find_reasons(const TraceFile& a, const TraceFile& b, Difference& out) {
    const auto differs = [&](const char* what, const std::string& x, const std::string& y) {
        if (x != y) out.reasons.push_back(std::string(what) + " " + x + " against " + y);
    };
    differs("seed", std::to_string(a.header().seed), std::to_string(b.header().seed));
    differs("scenario", a.about().scenario, b.about().scenario);
    differs("schema set", sim::format_hex(a.header().schema_hash, 16),
            sim::format_hex(b.header().schema_hash, 16));
    differs("digest version", std::to_string(a.header().digest_version),
            std::to_string(b.header().digest_version));
    if (comparable_text(a.about().text) != comparable_text(b.about().text) &&
        a.about().scenario == b.about().scenario)
        out.reasons.emplace_back("the scenarios' texts are not the same");
    if (!has_same_peers(a.about(), b.about()))
        out.reasons.emplace_back("other peers were captured");
    if (a.about().has_payload != b.about().has_payload)
        out.reasons.emplace_back("one has payloads");
    // The same records come with other numbers.
    if (a.counts().dropped != b.counts().dropped)
        out.reasons.emplace_back("one begins later, or was cut");
    if (a.about().build != b.about().build)
        out.notes.push_back("build " + a.about().build + " against " + b.about().build);
    if (a.about().cipher != b.about().cipher)
        out.notes.push_back("cipher " + a.about().cipher + " against " + b.about().cipher);
}

bool has_same_digest(const Block& a, const Block& b) {
    return a.digest_high == b.digest_high && a.digest_low == b.digest_low && a.count == b.count;
}

}  // namespace

Difference difference_of(const TraceFile& a, const TraceFile& b) {
    Difference out;
    find_reasons(a, b, out);
    if (!out.reasons.empty()) return out;
    // Chains part once and stay apart.
    std::size_t low = 0;
    std::size_t high = std::min(a.block_count(), b.block_count());
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (has_same_digest(a.block(middle), b.block(middle)))
            low = middle + 1;
        else
            high = middle;
    }
    out.equal = std::uint64_t{low} * block_records;
    if (low == std::min(a.block_count(), b.block_count())) {
        out.equal = std::min(a.record_count(), b.record_count());
        if (a.record_count() != b.record_count()) out.first = out.equal;
        return out;
    }
    for (const TraceFile* const file : {&a, &b}) {
        if (file->is_block_sound(low)) continue;
        out.damage = std::string(file == &a ? "A" : "B") + " is damaged at byte " +
                     std::to_string(file->block(low).offset) + ", in records " +
                     std::to_string(out.equal) + " to " +
                     std::to_string(out.equal + file->block(low).count - 1);
        return out;
    }
    const std::uint32_t count = std::min(a.block(low).count, b.block(low).count);
    std::uint32_t place = 0;
    while (place < count &&
           std::memcmp(a.record_bytes(out.equal + place), b.record_bytes(out.equal + place),
                       Record::stored_bytes) == 0)
        ++place;
    out.equal += place;
    out.first = out.equal;
    return out;
}

TraceStatistics statistics_of(const TraceFile& trace) {
    TraceStatistics out;
    out.by_type.resize(256);
    for (std::size_t index = 0; index < trace.block_count(); ++index) {
        const ConstBytes bytes = trace.block_bytes(index);
        for (std::size_t at = 0; at < bytes.size(); at += Record::stored_bytes) {
            const std::uint8_t type = bytes[at + Record::offset_type];
            ++out.by_type[type];
            if (type == static_cast<std::uint8_t>(Type::send))
                out.sent_bytes += load_u16(bytes.data() + at + Record::offset_size);
        }
    }
    return out;
}

}  // namespace wt::trace
