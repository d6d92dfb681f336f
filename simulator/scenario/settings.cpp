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
    static const std::vector<std::string> words{"scenario",  "vars",    "server", "world",
                                                "transport", "initial", "links",  "bots",
                                                "at",        "gates",   "vary"};
    return words;
}

// Sections whose first path part below is a name that must exist.
bool is_named(std::string_view section) {
    return section == "vars" || section == "links" || section == "bots" || section == "gates";
}

class Setter {
public:
    Setter(Node& document, Reading& reading, const SettingPath& path)
        : document_(document), reading_(reading), path_(path), parts_(path.parts) {}

    bool put(Node value) {
        const bool holes = std::any_of(parts_.begin(), parts_.end(),
                                       [](const std::string& part) { return part.empty(); });
        if (holes || parts_.size() < 2 || parts_.size() > path_parts_max) {
            reading_.add(path_.place, "\"" + path_.text + "\" is not a path",
                         "SECTION.KEY or SECTION.NAME.KEY");
            return false;
        }
        Node* node = section();
        return node != nullptr && put_below(*node, std::move(value));
    }

private:
    // The place of one part, where the text's columns are known; else of the whole path.
    [[nodiscard]] Place place(std::size_t index) const {
        if (!path_.has_columns) return path_.place;
        std::size_t offset = 0;
        for (std::size_t i = 0; i < index; ++i)
            offset += parts_[i].size() + 1;
        const std::size_t length = std::max<std::size_t>(parts_[index].size(), 1);
        return {path_.place.file, path_.place.line,
                path_.place.column + static_cast<std::uint32_t>(offset),
                static_cast<std::uint32_t>(length)};
    }
    void problem(std::size_t index, std::string message, std::string hint) {
        reading_.add(place(index), std::move(message), std::move(hint));
    }
    void unknown(std::size_t index, const std::string& what,
                 const std::vector<std::string>& names) {
        problem(index, what + " \"" + parts_[index] + "\"", did_you_mean(parts_[index], names));
    }

    // The table that the rest of the path starts in; parts used up are counted in used_.
    Node* section() {
        const std::string& name = parts_[0];
        if (name == "variants") {
            problem(0, "variants cannot be set", "--variant NAME chooses one");
            return nullptr;
        }
        if (std::find(sections().begin(), sections().end(), name) == sections().end()) {
            unknown(0, "unknown section", sections());
            return nullptr;
        }
        used_ = 1;
        if (name == "at") return act();
        if (name == "scenario" && parts_[1] == "extends") {
            problem(1, "extends cannot be set", "");
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
        Member fresh{.key = name, .key_place = place(0)};
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

    bool put_below(Node& start, Node value) {
        Node* node = &start;
        for (std::size_t i = used_; i + 1 < parts_.size(); ++i) {
            Node* next = node->find(parts_[i]);
            if (next == nullptr) {
                Member fresh{.key = parts_[i], .key_place = place(i)};
                fresh.value.place = fresh.key_place;
                node->put(std::move(fresh));
                next = node->find(parts_[i]);
            }
            if (!next->is_table()) {
                problem(i, "\"" + parts_[i] + "\" is not a table",
                        "it has no \"" + parts_[i + 1] + "\"");
                return false;
            }
            node = next;
        }
        node->put({.key = parts_.back(),
                   .key_place = place(parts_.size() - 1),
                   .value = std::move(value)});
        return true;
    }

    Node& document_;
    Reading& reading_;
    const SettingPath& path_;
    const std::vector<std::string>& parts_;
    std::size_t used_ = 0;
};

// "PATH=VALUE", the `number`-th one of the command line.
void apply_setting(Node& document, Reading& reading, const std::string& text,
                   std::uint32_t number) {
    const auto place = [&](std::size_t offset, std::size_t length) {
        return Place{"--set", number, static_cast<std::uint32_t>(offset) + 1,
                     static_cast<std::uint32_t>(std::max<std::size_t>(length, 1))};
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        reading.add(place(0, text.size()), "a setting is PATH=VALUE",
                    "e.g. --set links.default.profile=wifi-bad");
        return;
    }
    const std::string value = text.substr(equals + 1);
    const SettingPath path = setting_path(text.substr(0, equals), place(0, equals), true);
    put_at(document, path, parse_setting_value(value, place(equals + 1, value.size())), reading);
}

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

SettingPath setting_path(std::string text, Place place, bool has_columns) {
    SettingPath path{.text = std::move(text),
                     .parts = {},
                     .place = std::move(place),
                     .has_columns = has_columns};
    path.parts.emplace_back();
    bool in_quotes = false;
    for (const char c : path.text) {
        if (c == '"') {
            in_quotes = !in_quotes;
        } else if (c == '.' && !in_quotes) {
            path.parts.emplace_back();
        } else {
            path.parts.back() += c;
        }
    }
    return path;
}

bool put_at(Node& document, const SettingPath& path, Node value, Reading& reading) {
    return Setter(document, reading, path).put(std::move(value));
}

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
        apply_setting(document, reading, settings[i], static_cast<std::uint32_t>(i) + 1);
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
