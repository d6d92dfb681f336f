// SPDX-License-Identifier: MIT
//
// The tree of a document: lookup, merging of parents, and printing. The printed form is what the
// report's sha256 covers, so it depends on nothing but the merged content.
#include "simulator/scenario/document.hpp"

#include <algorithm>

namespace wt::sim {

const Member* Node::member(std::string_view key) const {
    for (const Member& candidate : members) {
        if (candidate.key == key) return &candidate;
    }
    return nullptr;
}

const Node* Node::find(std::string_view key) const {
    const Member* found = member(key);
    return found == nullptr ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) {
    for (Member& candidate : members) {
        if (candidate.key == key) return &candidate.value;
    }
    return nullptr;
}

void Node::erase(std::string_view key) {
    std::erase_if(members, [&](const Member& candidate) { return candidate.key == key; });
}

void Node::put(Member member) {
    for (Member& candidate : members) {
        if (candidate.key != member.key) continue;
        candidate = std::move(member);
        return;
    }
    members.push_back(std::move(member));
}

void Sources::add(std::string file, std::string_view text) {
    Source source{.file = std::move(file)};
    std::string line;
    for (const char c : text) {
        if (c == '\n') {
            source.lines.push_back(std::move(line));
            line.clear();
        } else if (c != '\r') {
            line += c;
        }
    }
    source.lines.push_back(std::move(line));
    sources_.push_back(std::move(source));
}

std::string Sources::line(const Place& place) const {
    for (const Source& source : sources_) {
        if (source.file != place.file) continue;
        if (place.line == 0 || place.line > source.lines.size()) return "";
        return source.lines[place.line - 1];
    }
    return "";
}

namespace {

std::string name_in(const Node& entry) {
    const Node* name = entry.find("name");
    return name != nullptr && name->is_string() ? name->text : "";
}

void merge_acts(Node& parent, const Node& child) {
    std::vector<std::string> renewed;
    for (const Node& entry : child.items) {
        if (!name_in(entry).empty()) renewed.push_back(name_in(entry));
    }
    std::erase_if(parent.items, [&](const Node& entry) {
        return std::find(renewed.begin(), renewed.end(), name_in(entry)) != renewed.end();
    });
    parent.items.insert(parent.items.end(), child.items.begin(), child.items.end());
    parent.place = child.place;
}

// Depth is bounded by nesting_max: both documents came through parse_toml.
void merge_tables(Node& parent, const Node& child) {
    for (const Member& member : child.members) {
        Node* old = parent.find(member.key);
        if (old != nullptr && old->is_table() && member.value.is_table()) {
            merge_tables(*old, member.value);
        } else {
            parent.put(member);
        }
    }
    parent.place = child.place;
}

bool is_bare_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

std::string print_string(std::string_view text) {
    constexpr std::string_view hex = "0123456789ABCDEF";
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

std::string print_key(std::string_view key) {
    return is_bare_key(key) ? std::string(key) : print_string(key);
}

bool is_table_array(const Node& value) {
    return value.kind == Node::Kind::array && !value.items.empty() &&
           std::all_of(value.items.begin(), value.items.end(),
                       [](const Node& item) { return item.is_table(); });
}

void print_table(const Node& table, const std::string& path, std::string& out) {
    for (const Member& member : table.members) {
        if (member.value.is_table() || is_table_array(member.value)) continue;
        out += print_key(member.key) + " = " + print_value(member.value) + "\n";
    }
    for (const Member& member : table.members) {
        const std::string inner =
            path.empty() ? print_key(member.key) : path + "." + print_key(member.key);
        if (member.value.is_table()) {
            out += "\n[" + inner + "]\n";
            print_table(member.value, inner, out);
        } else if (is_table_array(member.value)) {
            for (const Node& item : member.value.items) {
                out += "\n[[" + inner + "]]\n";
                for (const Member& key : item.members)
                    out += print_key(key.key) + " = " + print_value(key.value) + "\n";
            }
        }
    }
}

}  // namespace

Node merge_documents(Node parent, const Node& child) {
    Node* old_acts = parent.find("at");
    const Node* new_acts = child.find("at");
    const bool both = old_acts != nullptr && new_acts != nullptr &&
                      old_acts->kind == Node::Kind::array && new_acts->kind == Node::Kind::array;
    Node acts;
    if (both) {
        acts = *old_acts;
        merge_acts(acts, *new_acts);
    }
    merge_tables(parent, child);
    if (both) *parent.find("at") = std::move(acts);
    return parent;
}

std::string print_value(const Node& value) {
    switch (value.kind) {
        case Node::Kind::string:
            return print_string(value.text);
        case Node::Kind::integer:
            return std::to_string(value.integer);
        case Node::Kind::boolean:
            return value.boolean ? "true" : "false";
        case Node::Kind::real:
        case Node::Kind::date:
            return value.text;
        case Node::Kind::array: {
            std::string out = "[";
            for (const Node& item : value.items)
                out += (out.size() > 1 ? ", " : "") + print_value(item);
            return out + "]";
        }
        case Node::Kind::table: {
            std::string out = "{";
            for (const Member& member : value.members) {
                out += out.size() > 1 ? ", " : " ";
                out += print_key(member.key) + " = " + print_value(member.value);
            }
            return out + (out.size() > 1 ? " }" : "}");
        }
    }
    return "";
}

std::string print_toml(const Node& document) {
    std::string out;
    print_table(document, "", out);
    if (out.starts_with('\n')) out.erase(0, 1);
    return out;
}

}  // namespace wt::sim
