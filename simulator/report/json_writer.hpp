// SPDX-License-Identifier: MIT
//
// Writes JSON of integers, strings, booleans, arrays and objects, two spaces a level. Keys come in
// the order in which they are said: two reports of one run are equal byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wt::sim {

class JsonWriter {
public:
    void begin_object();
    void end_object();
    void begin_array();
    void end_array();

    void key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(const std::string& text) { value(std::string_view(text)); }
    void value(bool flag);
    void value(std::int64_t number);
    void value(std::uint64_t number);
    void value(std::uint32_t number) { value(std::uint64_t{number}); }
    void value(int number) { value(std::int64_t{number}); }
    void null();

    template <class T>
    void member(std::string_view name, const T& content) {
        key(name);
        value(content);
    }
    void object(std::string_view name) {
        key(name);
        begin_object();
    }
    void array(std::string_view name) {
        key(name);
        begin_array();
    }

    // The document, closed and with a final line feed. All objects and arrays must be closed.
    [[nodiscard]] std::string take();

private:
    void begin(char bracket);
    void end(char bracket);
    void before_value();
    void line();

    std::string text_;
    std::vector<bool> has_members_;
    bool after_key_ = false;
};

// With quotes; control characters are escaped. Texts of scenarios have been checked to be UTF-8.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace wt::sim
