// SPDX-License-Identifier: MIT
#include "simulator/core/chronicle.hpp"

#include "engine/base/check.hpp"

namespace wt::sim {

namespace {

using Words = std::array<std::uint64_t, 4>;

constexpr RecordField handed_over_fields[] = {
    {"time", 0, 0, 56}, {"link", 1, 0, 64}, {"sequence", 2, 32, 32}, {"size", 2, 16, 16},
    {"tag", 2, 8, 8},   {"cause", 2, 0, 8}, {"arrival", 3, 0, 64},   {}};
constexpr RecordField received_fields[] = {{"time", 0, 0, 56},      {"source", 1, 0, 64},
                                           {"sequence", 2, 32, 32}, {"size", 2, 16, 16},
                                           {"arrival", 3, 0, 64},   {}};
constexpr RecordField lost_fields[] = {{"time", 0, 0, 56},
                                       {"source", 1, 0, 64},
                                       {"sequence", 2, 32, 32},
                                       {"size", 2, 16, 16},
                                       {"cause", 2, 0, 8},
                                       {"arrival", 3, 0, 64},
                                       {}};
constexpr RecordField message_fields[] = {
    {"time", 0, 0, 56}, {"content", 1, 0, 64}, {"size", 2, 32, 32}, {"id", 2, 16, 16},
    {"lane", 2, 8, 8},  {"delivery", 2, 0, 8}, {"peer", 3, 0, 64},  {}};
constexpr RecordField connection_fields[] = {
    {"time", 0, 0, 56}, {"peer", 1, 0, 64}, {"what", 2, 8, 8}, {"reason", 2, 0, 8}, {}};
constexpr RecordField act_fields[] = {
    {"time", 0, 0, 56}, {"act", 1, 0, 64}, {"what", 2, 8, 8}, {"edge", 2, 0, 8}, {}};
constexpr RecordField checksum_fields[] = {
    {"time", 0, 0, 56}, {"state", 1, 0, 64}, {"alive", 2, 0, 8}, {}};

Words words_of(const Record& record) {
    return {std::uint64_t{static_cast<unsigned>(record.kind)} << 56 |
                static_cast<std::uint64_t>(record.at.ns),
            record.name, record.packed, record.more};
}

const char* name_of(RecordKind kind) {
    switch (kind) {
        case RecordKind::handed_over:
            return "handed_over";
        case RecordKind::received:
            return "received";
        case RecordKind::lost_on_arrival:
            return "lost_on_arrival";
        case RecordKind::message:
            return "message";
        case RecordKind::connection:
            return "connection";
        case RecordKind::act:
            return "act";
        case RecordKind::checksum:
            return "checksum";
    }
    return "?";
}

std::string text_of(RecordKind kind, const Words& words) {
    std::string line = name_of(kind);
    for (const RecordField* field = fields_of(kind); field->width != 0; ++field) {
        const std::uint64_t shifted = words[field->word] >> field->shift;
        const std::uint64_t value =
            field->width == 64 ? shifted : shifted & ((std::uint64_t{1} << field->width) - 1);
        line += ' ';
        line += field->name;
        line += '=';
        line += std::to_string(value);
    }
    return line;
}

}  // namespace

const RecordField* fields_of(RecordKind kind) {
    switch (kind) {
        case RecordKind::handed_over:
            return handed_over_fields;
        case RecordKind::received:
            return received_fields;
        case RecordKind::lost_on_arrival:
            return lost_fields;
        case RecordKind::message:
            return message_fields;
        case RecordKind::connection:
            return connection_fields;
        case RecordKind::act:
            return act_fields;
        case RecordKind::checksum:
            return checksum_fields;
    }
    return act_fields;
}

void Chronicle::reserve(Instant end) {
    // One value a second and one for the rest.
    seconds_.reserve(static_cast<std::size_t>(end.ns / 1'000'000'000) + 2);
}

void Chronicle::close_seconds(Instant at) {
    while (second_end_ <= at) {
        seconds_.push_back(digest_.value());
        second_end_ += Duration::seconds(1);
    }
}

void Chronicle::finish(Instant end) {
    close_seconds(end);
    // The last block, if the run does not end on a whole second.
    if (second_end_ - Duration::seconds(1) < end) seconds_.push_back(digest_.value());
}

void Chronicle::watch(std::uint64_t second) {
    watched_ = true;
    watched_second_ = second;
}

void Chronicle::add_watched(const Record& record) {
    Words words = words_of(record);
    if (is_tampered_ && digest_.records() == tampering_.ordinal) {
        const RecordField* field = fields_of(record.kind);
        for (unsigned i = 0; i < tampering_.field && field->width != 0; ++i)
            ++field;
        WT_CHECK(field->width != 0);
        words[field->word] ^= std::uint64_t{1} << field->shift;
    }
    if (watched_ && static_cast<std::uint64_t>(record.at.ns) / 1'000'000'000 == watched_second_) {
        lines_.push_back(text_of(record.kind, words));
    }
    digest_.add(words[0], words[1], words[2], words[3]);
}

}  // namespace wt::sim
