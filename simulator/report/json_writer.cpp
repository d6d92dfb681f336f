// SPDX-License-Identifier: MIT
//
// Nesting is tracked, not guessed: closing the wrong thing is a bug.
#include "simulator/report/json_writer.hpp"

#include "engine/base/check.hpp"

namespace wt::sim {

void JsonWriter::line() {
    text_ += '\n';
    text_.append(2 * has_members_.size(), ' ');
}

void JsonWriter::before_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (has_members_.empty()) return;
    if (has_members_.back()) text_ += ',';
    has_members_.back() = true;
    line();
}

void JsonWriter::begin(char bracket) {
    before_value();
    text_ += bracket;
    has_members_.push_back(false);
}

void JsonWriter::end(char bracket) {
    WT_CHECK(!has_members_.empty());
    WT_CHECK(!after_key_);
    const bool any = has_members_.back();
    has_members_.pop_back();
    if (any) line();
    text_ += bracket;
}

void JsonWriter::begin_object() {
    begin('{');
}
void JsonWriter::end_object() {
    end('}');
}
void JsonWriter::begin_array() {
    begin('[');
}
void JsonWriter::end_array() {
    end(']');
}

void JsonWriter::key(std::string_view name) {
    before_value();
    text_ += json_string(name) + ": ";
    after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
    before_value();
    text_ += json_string(text);
}

void JsonWriter::value(bool flag) {
    before_value();
    text_ += flag ? "true" : "false";
}

void JsonWriter::value(std::int64_t number) {
    before_value();
    text_ += std::to_string(number);
}

void JsonWriter::value(std::uint64_t number) {
    before_value();
    text_ += std::to_string(number);
}

void JsonWriter::null() {
    before_value();
    text_ += "null";
}

std::string JsonWriter::take() {
    WT_CHECK(has_members_.empty());
    WT_CHECK(!after_key_);
    text_ += '\n';
    return std::move(text_);
}

std::string json_string(std::string_view text) {
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const unsigned byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\u00";
            out += hex[byte >> 4];
            out += hex[byte & 15];
        } else {
            out += c;
        }
    }
    return out + '"';
}

}  // namespace wt::sim
