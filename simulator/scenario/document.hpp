// SPDX-License-Identifier: MIT
//
// A TOML document as a tree of our own, each node with its place in its file, so that parents can
// be merged, settings applied and every error still points at what somebody wrote. Only toml.cpp
// knows the TOML library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"
#include "simulator/scenario/problem.hpp"

namespace wt::sim {

struct Node;
struct Member;

struct Node {
    enum class Kind : std::uint8_t { table, array, string, integer, boolean, real, date };
    Kind kind = Kind::table;
    std::string text{};  // string; real and date: as written
    std::int64_t integer = 0;
    bool boolean = false;
    std::vector<Member> members;  // table, in the order of the file
    std::vector<Node> items;      // array
    Place place{};
    // Whether the characters of `text` stand in the file one by one from place.column + 1 on, so
    // that an error may point into them.
    bool verbatim = false;

    [[nodiscard]] bool is_table() const { return kind == Kind::table; }
    [[nodiscard]] bool is_string() const { return kind == Kind::string; }
    [[nodiscard]] const Node* find(std::string_view key) const;
    [[nodiscard]] Node* find(std::string_view key);
    [[nodiscard]] const Member* member(std::string_view key) const;
    void erase(std::string_view key);
    // Replaces the member of that key or appends it.
    void put(Member member);
};

struct Member {
    std::string key{};
    Place key_place{};
    Node value{};
};

// The text of every file (and --set) that a scenario was put together from.
class Sources {
public:
    void add(std::string file, std::string_view text);
    // The line as it stands in the file; empty where the file has none.
    [[nodiscard]] std::string line(const Place& place) const;

private:
    struct Source {
        std::string file{};
        std::vector<std::string> lines{};
    };
    std::vector<Source> sources_;
};

inline constexpr std::size_t scenario_bytes_max = 1'048'576;
inline constexpr unsigned nesting_max = 12;  // Levels of tables and arrays.

// Parses TOML. The problem carries its source line already.
Result<Node, Problem> parse_toml(std::string_view text, const std::string& file);
// One value as it stands behind `=`: TOML where it parses as such, else a string.
[[nodiscard]] Node parse_setting_value(std::string_view text, const Place& place);

// `child` over `parent`: tables merge key by key, everything else is replaced; entries of [[at]]
// are appended, and one with a parent's name replaces it.
[[nodiscard]] Node merge_documents(Node parent, const Node& child);

// The document as TOML that reads back to the same scenario.
[[nodiscard]] std::string print_toml(const Node& document);
// One value as it would stand behind `=`.
[[nodiscard]] std::string print_value(const Node& value);

}  // namespace wt::sim
