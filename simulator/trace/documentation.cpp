// SPDX-License-Identifier: MIT
#include "simulator/trace/documentation.hpp"

#include <span>

#include "simulator/trace/layout.hpp"

namespace wt::trace {

namespace {

std::string fields(const char* title, std::span<const FieldText> list) {
    std::string text = std::string("### ") + title + "\n\n| offset | bytes | field | meaning |\n" +
                       "|---|---|---|---|\n";
    for (const FieldText& field : list) {
        text += "| " + std::to_string(field.offset) + " | " + std::to_string(field.bytes) + " | " +
                field.name + " | " + field.text + " |\n";
    }
    return text + "\n";
}

std::string words(const char* title, const char* number, std::span<const WordText> list) {
    std::string text = std::string("### ") + title + "\n\n| " + number + " | name | meaning |\n" +
                       "|---|---|---|\n";
    for (const WordText& word : list) {
        text += "| " + std::to_string(word.value) + " | " + word.name + " | " + word.text + " |\n";
    }
    return text + "\n";
}

const char* name_of(Fold fold) {
    switch (fold) {
        case Fold::range:
            return "range";
        case Fold::peak:
            return "peak";
        case Fold::sum:
            return "sum";
    }
    return "?";
}

std::string series() {
    std::string text =
        "### Series\n\n| number | name | unit | fold | meaning |\n|---|---|---|---|---|\n";
    std::uint32_t number = 0;
    for (const SeriesText& each : series_texts) {
        text += "| " + std::to_string(number++) + " | " + each.name + " | " + each.unit + " | " +
                name_of(each.fold) + " | " + each.text + " |\n";
    }
    return text + "\n";
}

}  // namespace

std::string format_tables() {
    return fields("Record", Record::fields) + words("Types", "type", type_texts) +
           words("Flags", "bit", flag_texts) +
           words("Changes of a connection", "kind", change_texts) +
           fields("Header", Header::fields) + fields("Section head", SectionHead::fields) +
           words("Sections", "section", section_texts) + fields("Block", Block::fields) +
           fields("Directory entry", DirectoryEntry::fields) + fields("Trailer", Trailer::fields) +
           fields("Anomaly", Anomaly::fields) + words("Anomalies", "anomaly", anomaly_texts) +
           series();
}

}  // namespace wt::trace
