// SPDX-License-Identifier: MIT
//
// `--set` works on the merged document, so that the same checks see its values; variables come
// after it, so that `--set vars.peers=16` means what it says.
#include "simulator/scenario/settings.hpp"

#include <algorithm>

namespace wt::sim {

namespace {

constexpr std::size_t path_parts_max = 8;

const std::vector<std::string>& sections() {
    static const std::vector<std::string> words{"scenario", "vars",  "server", "world", "transport",
                                                "initial",  "links", "bots",   "at",    "gates"};
    return words;
}

// Sections whose first path part below is a name that must exist.
bool is_named(std::string_view section) {
    return section == "vars" || section == "links" || section == "bots" || section == "gates";
}

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> parts(1);
    bool in_quotes = false;
    for (const char c : path) {
        if (c == '"') {
            in_quotes = !in_quotes;
        } else if (c == '.' && !in_quotes) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

class Setting {
public:
    Setting(Node& document, Reading& reading, const std::string& text, std::uint32_t number)
        : document_(document), reading_(reading), text_(text), number_(number) {}

    void apply() {
        const std::size_t equals = text_.find('=');
        if (equals == std::string::npos || equals == 0) {
            problem(0, text_.size(), "a setting is PATH=VALUE",
                    "e.g. --set links.default.profile=wifi-bad");
            return;
        }
        parts_ = split_path(std::string_view(text_).substr(0, equals));
        const bool holes = std::any_of(parts_.begin(), parts_.end(),
                                       [](const std::string& part) { return part.empty(); });
        if (holes || parts_.size() < 2 || parts_.size() > path_parts_max) {
            problem(0, equals, "\"" + text_.substr(0, equals) + "\" is not a path",
                    "SECTION.KEY or SECTION.NAME.KEY");
            return;
        }
        Node* node = section();
        if (node == nullptr) return;
        put(*node, equals);
    }

private:
    Place place(std::size_t offset, std::size_t length) const {
        return {"--set", number_, static_cast<std::uint32_t>(offset) + 1,
                static_cast<std::uint32_t>(std::max<std::size_t>(length, 1))};
    }
    void problem(std::size_t offset, std::size_t length, std::string message, std::string hint) {
        reading_.add(place(offset, length), std::move(message), std::move(hint));
    }
    // Where path part `index` begins in the text.
    std::size_t offset_of(std::size_t index) const {
        std::size_t offset = 0;
        for (std::size_t i = 0; i < index; ++i)
            offset += parts_[i].size() + 1;
        return offset;
    }
    void unknown(std::size_t index, const std::string& what,
                 const std::vector<std::string>& names) {
        problem(offset_of(index), parts_[index].size(), what + " \"" + parts_[index] + "\"",
                did_you_mean(parts_[index], names));
    }

    // The table that the rest of the path starts in; parts used up are counted in used_.
    Node* section() {
        const std::string& name = parts_[0];
        if (name == "vary" || name == "variants") {
            problem(0, name.size(), not_built_yet(name), "");
            return nullptr;
        }
        if (std::find(sections().begin(), sections().end(), name) == sections().end()) {
            unknown(0, "unknown section", sections());
            return nullptr;
        }
        used_ = 1;
        if (name == "at") return act();
        if (name == "scenario" && parts_[1] == "extends") {
            problem(offset_of(1), parts_[1].size(), "extends cannot be set", "");
            return nullptr;
        }
        Node* node = document_.find(name);
        if (is_named(name)) {
            // Every scenario has a default link, written or not.
            const bool is_default = name == "links" && parts_[1] == "default";
            if ((node == nullptr || node->find(parts_[1]) == nullptr) && !is_default) {
                std::vector<std::string> names;
                if (node != nullptr) {
                    for (const Member& member : node->members)
                        names.push_back(member.key);
                }
                unknown(1, name + " has no", names);
                return nullptr;
            }
        }
        if (node != nullptr) return node;
        Member fresh{.key = name, .key_place = place(0, name.size())};
        fresh.value.place = fresh.key_place;
        document_.put(std::move(fresh));
        return document_.find(name);
    }

    Node* act() {
        Node* list = document_.find("at");
        std::vector<std::string> names;
        if (list != nullptr) {
            for (Node& item : list->items) {
                const Node* name = item.find("name");
                if (name == nullptr || !name->is_string()) continue;
                if (name->text == parts_[1] && parts_.size() > 2) {
                    used_ = 2;
                    return &item;
                }
                names.push_back(name->text);
            }
        }
        unknown(1, "no [[at]] is named", names);
        return nullptr;
    }

    void put(Node& start, std::size_t equals) {
        Node* node = &start;
        for (std::size_t i = used_; i + 1 < parts_.size(); ++i) {
            Node* next = node->find(parts_[i]);
            if (next == nullptr) {
                Member fresh{.key = parts_[i], .key_place = place(offset_of(i), parts_[i].size())};
                fresh.value.place = fresh.key_place;
                node->put(std::move(fresh));
                next = node->find(parts_[i]);
            }
            if (!next->is_table()) {
                problem(offset_of(i), parts_[i].size(), "\"" + parts_[i] + "\" is not a table",
                        "it has no \"" + parts_[i + 1] + "\"");
                return;
            }
            node = next;
        }
        const std::string value = text_.substr(equals + 1);
        Member member{.key = parts_.back(),
                      .key_place = place(offset_of(parts_.size() - 1), parts_.back().size()),
                      .value = parse_setting_value(value, place(equals + 1, value.size()))};
        node->put(std::move(member));
    }

    Node& document_;
    Reading& reading_;
    const std::string& text_;
    std::uint32_t number_;
    std::vector<std::string> parts_;
    std::size_t used_ = 0;
};

bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void substitute(Node& node, const Node& variables, Reading& reading) {
    const std::string& text = node.text;
    if (text.find('$') == std::string::npos) return;
    std::string result;
    std::size_t i = 0;
    while (i < text.size()) {
        std::size_t end = i + 1;
        while (text[i] == '$' && end < text.size() && is_name_letter(text[end]))
            ++end;
        if (text[i] != '$' || end == i + 1) {
            result += text[i++];
            continue;
        }
        const std::string name = text.substr(i + 1, end - i - 1);
        const Node* value = variables.find(name);
        if (value == nullptr) {
            std::vector<std::string> names;
            for (const Member& member : variables.members)
                names.push_back(member.key);
            reading.add(place_inside(node, i, end - i), "no variable \"" + name + "\" in [vars]",
                        did_you_mean(name, names));
            return;
        }
        if (i == 0 && end == text.size()) {
            // The whole value: it takes the variable's type, and stays where it is written.
            const Place place = node.place;
            node = *value;
            node.place = place;
            node.verbatim = false;
            return;
        }
        result += value->is_string() ? value->text : print_value(*value);
        i = end;
    }
    node.text = result;
    node.verbatim = false;
}

}  // namespace

void apply_settings(Node& document, const std::vector<std::string>& settings, Reading& reading) {
    std::string all;
    for (const std::string& setting : settings) {
        // One line a setting, whatever is in it.
        for (const char c : setting)
            all += c == '\n' || c == '\r' ? ' ' : c;
        all += '\n';
    }
    reading.sources.add("--set", all);
    reading.section = "settings";
    for (std::size_t i = 0; i < settings.size(); ++i)
        Setting(document, reading, settings[i], static_cast<std::uint32_t>(i) + 1).apply();
}

void apply_variables(Node& document, Reading& reading) {
    reading.section = "vars";
    Node variables;
    if (const Node* vars = document.find("vars")) {
        if (!vars->is_table()) {
            reading.add(vars->place, "vars is a section", "[vars]");
        } else {
            variables = *vars;
        }
    }
    document.erase("vars");
    std::vector<Node*> open{&document};
    while (!open.empty()) {
        Node* node = open.back();
        open.pop_back();
        if (node->is_string()) substitute(*node, variables, reading);
        for (Node& item : node->items)
            open.push_back(&item);
        for (Member& member : node->members)
            open.push_back(&member.value);
    }
}

}  // namespace wt::sim
