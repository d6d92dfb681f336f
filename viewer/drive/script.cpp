// SPDX-License-Identifier: MIT
#include "viewer/drive/script.hpp"

#include <cstdlib>

#include "viewer/model/text.hpp"

namespace wt::viewer {

namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
    Words words;
    std::string word;
    for (const char c : text) {
        if (c != ' ' && c != '\t') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

float number_of(const std::string& text) {
    return std::strtof(text.c_str(), nullptr);
}

MouseButton button_of(const std::string& word) {
    if (word == "right") return MouseButton::right;
    return word == "middle" ? MouseButton::middle : MouseButton::left;
}

std::string path_of(const ScriptHost& host, const std::string& file) {
    return file.starts_with('/') || host.folder.empty() ? file : host.folder + "/" + file;
}

std::string not_found(const std::string& name) {
    return "nothing called \"" + name + "\" can be seen";
}

std::string expect_overlap(const Driver& driver) {
    const std::vector<std::string> found = overlapping_labels(driver.items());
    if (found.empty()) return {};
    return std::to_string(found.size()) + " labels overlap, first: " + found.front();
}

// expect NAME there | gone | is TEXT | contains TEXT | at-least NUMBER, expect no-overlap
std::string expect(const Words& words, Driver& driver) {
    if (words.size() == 2 && words[1] == "no-overlap") return expect_overlap(driver);
    if (words.size() < 3) return "expect NAME there | gone | is TEXT | contains TEXT";
    const Item* const item = driver.find(words[1]);
    const bool is_there = item != nullptr && item->is_visible();
    if (words[2] == "gone") return is_there ? "\"" + words[1] + "\" is there" : "";
    if (!is_there) return not_found(words[1]);
    if (words[2] == "there") return {};
    std::string wanted;
    for (std::size_t i = 3; i < words.size(); ++i)
        wanted += (wanted.empty() ? "" : " ") + words[i];
    const Words said_words = words_of(item->text);
    std::string said;
    for (const std::string& word : said_words)
        said += (said.empty() ? "" : " ") + word;
    const bool is_good = words[2] == "is" ? said == wanted : contains_word(said, wanted);
    return is_good ? "" : "\"" + words[1] + "\" says \"" + said + "\", not \"" + wanted + "\"";
}

// Words of the hand. Empty: done; "?": no such word.
std::string use_hand(const Words& words, const std::string& rest, Driver& driver) {
    const std::string& verb = words[0];
    const std::string name = words.size() > 1 ? words[1] : "";
    if (verb == "settle") return driver.settle(), "";
    if (verb == "away") return driver.move_away(), "";
    if (verb == "type") return driver.type(rest), "";
    if (verb == "wait") {
        driver.frame(static_cast<unsigned>(number_of(name)));
        return {};
    }
    if (verb == "key") return driver.key(name) ? "" : "no key \"" + name + "\"";
    ImVec2 at{0.5f, 0.5f};
    if (words.size() > 3) at = {number_of(words[2]), number_of(words[3])};
    if (verb == "hover") return driver.hover(name, at) ? "" : not_found(name);
    if (verb == "click") return driver.click(name, MouseButton::left, at) ? "" : not_found(name);
    if (verb == "right-click")
        return driver.click(name, MouseButton::right, at) ? "" : not_found(name);
    if (verb == "wheel") {
        if (words.size() < 4) return "wheel NAME WHERE STEPS";
        return driver.wheel(name, {number_of(words[2]), 0.5f}, number_of(words[3]))
                   ? ""
                   : not_found(name);
    }
    if (verb == "drag") {
        if (words.size() < 4) return "drag NAME FROM TO [right|middle]";
        const MouseButton button = button_of(words.size() > 4 ? words[4] : "left");
        const bool done =
            driver.drag(name, {number_of(words[2]), 0.5f}, {number_of(words[3]), 0.5f}, button);
        return done ? "" : not_found(name);
    }
    return "?";
}

// Words that go past the hand, straight to the model.
std::string use_model(const Words& words, const std::string& rest, Driver& driver) {
    Model& model = driver.ui().model;
    const std::string& verb = words[0];
    if (verb == "go") {
        const bool went = model.go_to(rest);
        driver.frame(2);
        return went ? "" : model.message();
    }
    if (verb == "peer") {
        const PeerIndex peer = model.info() == nullptr ? no_peer : model.info()->find_peer(rest);
        if (peer == no_peer) return "no peer \"" + rest + "\"";
        model.select_peer(peer);
        driver.frame(2);
        return {};
    }
    if (verb == "command") {
        for (const CommandInfo& command : command_table()) {
            if (rest != command.name) continue;
            model.run(command.command);
            driver.frame(2);
            return {};
        }
        return "no command \"" + rest + "\"";
    }
    if (verb == "panel" && words.size() == 3) {
        const std::size_t place = static_cast<std::size_t>(number_of(words[1]));
        for (std::size_t i = 0; i < panel_count && place < 4; ++i) {
            if (words[2] != name_of(static_cast<Panel>(i))) continue;
            model.layouts.now().places[place] = static_cast<Panel>(i);
            driver.frame(2);
            return {};
        }
        return "panel PLACE NAME: places are 0 to 3";
    }
    return "?";
}

}  // namespace

Script::Script(std::string name, std::string_view text) : name_(std::move(name)) {
    unsigned number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        ++number;
        Line read;
        read.number = number;
        read.words = words_of(line);
        if (read.words.empty() || read.words[0].starts_with('#')) continue;
        std::size_t rest = line.find(read.words[0]) + read.words[0].size();
        while (rest < line.size() && line[rest] == ' ')
            ++rest;
        read.rest = std::string(line.substr(rest));
        lines_.push_back(std::move(read));
    }
}

std::string Script::run_line(const Line& line, Driver& driver, const ScriptHost& host) {
    const Words& words = line.words;
    if (words[0] == "expect") return expect(words, driver);
    if (words[0] == "open") {
        const bool opened = host.open && host.open(path_of(host, line.rest));
        driver.settle();
        return opened ? "" : "could not open " + line.rest;
    }
    if (words[0] == "size" && words.size() == 3) {
        if (host.resize) host.resize({number_of(words[1]), number_of(words[2])});
        driver.settle();
        return {};
    }
    if (words[0] == "watch") {
        const auto at = [&](std::size_t i) {
            return i < words.size() ? std::strtod(words[i].c_str(), nullptr) : 0.0;
        };
        if (!host.watch) return "watch needs a window";
        if (at(1) <= 0) return "watch SECONDS [REDRAWS [PACE]]";
        return host.watch({at(1), at(2), at(3)});
    }
    if (words[0] == "screenshot") {
        driver.settle();
        if (!host.screenshot) return {};
        return host.screenshot(path_of(host, line.rest)) ? "" : "could not write " + line.rest;
    }
    std::string outcome = use_hand(words, line.rest, driver);
    if (outcome == "?") outcome = use_model(words, line.rest, driver);
    return outcome == "?" ? "no word \"" + words[0] + "\"" : outcome;
}

bool Script::run(Driver& driver, const ScriptHost& host) {
    failures_.clear();
    for (const Line& line : lines_) {
        const std::string failure = run_line(line, driver, host);
        if (failure.empty()) continue;
        failures_.push_back(name_ + ":" + std::to_string(line.number) + ": " + failure);
    }
    return failures_.empty();
}

}  // namespace wt::viewer
