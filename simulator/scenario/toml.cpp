// SPDX-License-Identifier: MIT
//
// The only file that sees toml++ (header-only, without exceptions). It copies the parsed document
// into our own tree, in the order of the file: the library sorts tables by key.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>

#include "simulator/scenario/document.hpp"

namespace wt::sim {

namespace {

Place place_of(const toml::source_region& region, const std::string& file) {
    Place place{file, region.begin.line, region.begin.column, 1};
    if (region.end.line == region.begin.line && region.end.column > region.begin.column)
        place.length = region.end.column - region.begin.column;
    return place;
}

class Copier {
public:
    Copier(const std::string& file, const Sources& sources) : file_(file), sources_(sources) {}

    // Depth is bounded by nesting_max, so the recursion is too.
    Node copy(const toml::node& from, unsigned depth) {
        Node node;
        node.place = place_of(from.source(), file_);
        if (const toml::table* table = from.as_table()) {
            node.kind = Node::Kind::table;
            if (depth < nesting_max) {
                copy_members(*table, node, depth);
            } else {
                note_depth(node.place);
            }
        } else if (const toml::array* array = from.as_array()) {
            node.kind = Node::Kind::array;
            if (depth < nesting_max) {
                for (const toml::node& item : *array)
                    node.items.push_back(copy(item, depth + 1));
            } else {
                note_depth(node.place);
            }
        } else {
            copy_value(from, node);
        }
        return node;
    }

    [[nodiscard]] const Place* too_deep() const { return deep_.line > 0 ? &deep_ : nullptr; }

private:
    void copy_members(const toml::table& table, Node& node, unsigned depth) {
        for (auto&& [key, value] : table) {
            Member member{.key = std::string(key.str()),
                          .key_place = place_of(key.source(), file_),
                          .value = copy(value, depth + 1)};
            node.members.push_back(std::move(member));
        }
        std::stable_sort(node.members.begin(), node.members.end(),
                         [](const Member& a, const Member& b) {
                             if (a.key_place.line != b.key_place.line)
                                 return a.key_place.line < b.key_place.line;
                             return a.key_place.column < b.key_place.column;
                         });
    }

    void copy_value(const toml::node& from, Node& node) {
        if (const auto* text = from.as_string()) {
            node.kind = Node::Kind::string;
            node.text = text->get();
            node.verbatim = stands_verbatim(node);
        } else if (const auto* number = from.as_integer()) {
            node.kind = Node::Kind::integer;
            node.integer = number->get();
        } else if (const auto* flag = from.as_boolean()) {
            node.kind = Node::Kind::boolean;
            node.boolean = flag->get();
        } else {
            node.kind = from.is_floating_point() ? Node::Kind::real : Node::Kind::date;
            const std::string line = sources_.line(node.place);
            const std::size_t start = std::min<std::size_t>(node.place.column - 1, line.size());
            node.text = line.substr(start, node.place.length);
        }
    }

    // Columns count characters, so only lines of plain ASCII can be compared by byte.
    bool stands_verbatim(const Node& node) const {
        const std::string line = sources_.line(node.place);
        const bool plain = std::all_of(line.begin(), line.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        return plain && line.size() > node.place.column &&
               line.compare(node.place.column, node.text.size(), node.text) == 0;
    }

    void note_depth(const Place& place) {
        if (deep_.line == 0) deep_ = place;
    }

    const std::string& file_;
    const Sources& sources_;
    Place deep_{};
};

}  // namespace

Result<Node, Problem> parse_toml(std::string_view text, const std::string& file) {
    Sources sources;
    sources.add(file, text);
    const toml::parse_result parsed = toml::parse(text, file);
    if (!parsed) {
        Problem problem;
        problem.place = place_of(parsed.error().source(), file);
        problem.message = "this is not TOML: " + std::string(parsed.error().description());
        problem.source_line = sources.line(problem.place);
        return unexpected(problem);
    }
    Copier copier(file, sources);
    Node root = copier.copy(parsed.table(), 0);
    if (const Place* place = copier.too_deep()) {
        Problem problem;
        problem.place = *place;
        problem.message = "tables and arrays are nested too deep";
        problem.source_line = sources.line(*place);
        problem.hint = "at most 12 levels";
        return unexpected(problem);
    }
    return root;
}

Node parse_setting_value(std::string_view text, const Place& place) {
    const std::string line = "value = " + std::string(text);
    const toml::parse_result parsed = toml::parse(line, place.file);
    Node node;
    node.kind = Node::Kind::string;
    node.text = std::string(text);
    if (parsed && parsed.table().size() == 1 && text.find('\n') == std::string_view::npos) {
        Sources sources;
        sources.add(place.file, line);
        Copier copier(place.file, sources);
        const Node copied = copier.copy(*parsed.table().get("value"), 1);
        if (copier.too_deep() == nullptr) node = copied;
    }
    // Inner places would point into a text that nobody wrote: everything stands at the value.
    std::vector<Node*> open{&node};
    while (!open.empty()) {
        Node* next = open.back();
        open.pop_back();
        next->place = place;
        next->verbatim = false;
        for (Node& item : next->items)
            open.push_back(&item);
        for (Member& member : next->members) {
            member.key_place = place;
            open.push_back(&member.value);
        }
    }
    return node;
}

}  // namespace wt::sim
