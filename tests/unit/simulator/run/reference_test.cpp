// SPDX-License-Identifier: MIT
//
// Goal: scenarios/README.md and scenarios/schema.json say what the reader knows, no more and no
// less. Method: the reader itself is asked, by a key that nobody knows in each table, which keys it
// does know; verbs, behaviours and metrics come from where the reader has them.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "simulator/gates/gate.hpp"
#include "simulator/metrics/catalogue.hpp"
#include "simulator/scenario/read_scenario.hpp"
#include "simulator/scenario/reader.hpp"

using namespace wt;
using namespace wt::sim;

namespace {

using Names = std::set<std::string>;

std::string read_tree_file(const std::string& name) {
    std::ifstream file(std::string(WT_TEST_DATA) + "/../scenarios/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    REQUIRE(!text.str().empty());
    return text.str();
}

std::vector<Problem> problems_of(const std::string& text) {
    PartialScenario read = read_text_partly(text, "t.toml", {});
    (void)compile_gates(read.scenario, read.problems);
    return read.problems;
}

Names split(std::string_view list) {
    Names names;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(", "), list.size());
        names.insert(std::string(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 2, list.size()));
    }
    return names;
}

const std::string head = "[scenario]\nphases = [\"join 1s\", \"play 1s\"]\n[bots.runner]\n";

// What a table knows: the note behind the unknown key "zz" in it.
Names known(const std::string& text) {
    for (const Problem& problem : problems_of(text)) {
        if (problem.message.find("\"zz\"") == std::string::npos) continue;
        for (const std::string& note : problem.notes) {
            const std::size_t at = note.find(" knows: ");
            if (at == std::string::npos) continue;
            REQUIRE(note.find("...") == std::string::npos);
            return split(std::string_view(note).substr(at + 8));
        }
    }
    FAIL("no note about zz in: " << text);
    return {};
}

// Words of the language that this build refuses by name: they stand in no reference.
const Names later{"clients"};

Names without(Names names, const Names& others) {
    for (const std::string& other : others)
        names.erase(other);
    return names;
}

// A clock's drift is built, a link's is not; `rtt` in a direction is refused with advice.
Names built(Names keys, std::string_view table) {
    keys.erase("clients");
    if (table.find("clock") == std::string_view::npos) keys.erase("drift");
    if (table == "definitions/direction/properties") keys.erase("rtt");
    // Gone when the section is read: the parent is merged by then.
    if (table == "properties/scenario/properties") keys.insert("extends");
    return keys;
}

// The keys of every JSON object, by the path that leads to it: "definitions/link/properties".
class JsonKeys {
public:
    explicit JsonKeys(std::string_view text) : text_(text) {
        value("");
        space();
        REQUIRE(at_ == text_.size());
    }
    [[nodiscard]] Names at(const std::string& path) const {
        const auto found = keys_.find(path);
        REQUIRE_MESSAGE(found != keys_.end(), path);
        return found->second;
    }
    // The texts of an array of texts.
    [[nodiscard]] Names texts(const std::string& path) const {
        const auto found = texts_.find(path);
        REQUIRE_MESSAGE(found != texts_.end(), path);
        return found->second;
    }

private:
    void space() {
        while (at_ < text_.size() &&
               std::string_view(" \n\t\r").find(text_[at_]) != std::string::npos)
            ++at_;
    }
    bool take(char c) {
        space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::string string() {
        REQUIRE(take('"'));
        std::string out;
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] == '\\') ++at_;
            out += text_[at_++];
        }
        REQUIRE(take('"'));
        return out;
    }
    void object(const std::string& path) {
        Names& keys = keys_[path];
        if (take('}')) return;
        do {
            space();
            const std::string key = string();
            const bool is_new = keys.insert(key).second;
            // Objects of one array share their path.
            CHECK_MESSAGE((is_new || path.find("[]") != std::string::npos), path << ": " << key);
            REQUIRE(take(':'));
            value(path.empty() ? key : path + "/" + key);
        } while (take(','));
        REQUIRE(take('}'));
    }
    void value(const std::string& path) {
        space();
        if (take('{')) return object(path);
        if (take('[')) {
            if (take(']')) return;
            do {
                space();
                if (text_[at_] == '"')
                    texts_[path].insert(string());
                else
                    value(path + "[]");
            } while (take(','));
            REQUIRE(take(']'));
            return;
        }
        if (text_[at_] == '"') {
            (void)string();
            return;
        }
        const std::size_t start = at_;
        while (at_ < text_.size() &&
               std::string_view(",]} \n").find(text_[at_]) == std::string::npos)
            ++at_;
        const std::string_view word = text_.substr(start, at_ - start);
        const bool is_number = std::all_of(
            word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
        REQUIRE((is_number || word == "true" || word == "false" || word == "null"));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::map<std::string, Names> keys_{};
    std::map<std::string, Names> texts_{};
};

struct Table {
    const char* text;    // With the key zz in it.
    const char* schema;  // Path of its properties.
};

const std::vector<Table>& tables() {
    static const std::vector<Table> all{
        {"[scenario]\nzz = 1\n", "properties/scenario/properties"},
        {"[server]\nzz = 1\n", "properties/server/properties"},
        {"[server]\ncost = { zz = 1 }\n", "properties/server/properties/cost/properties"},
        {"[world]\nzz = 1\n", "properties/world/properties"},
        {"[transport]\nzz = 1\n", "properties/transport/properties"},
        {"[transport]\nauthorisation = { zz = 1 }\n",
         "properties/transport/properties/authorisation/properties"},
        {"[initial]\nzz = 1\n", "properties/initial/properties"},
        {"[links.default.up]\nzz = 1\n", "definitions/direction/properties"},
        {"[links.default.cross.flow]\nzz = 1\n", "definitions/flow/properties"},
        {"[bots.idle]\nzz = 1\n", "definitions/group/properties"},
        {"[bots.idle]\nreconnect = { zz = 1 }\n",
         "definitions/group/properties/reconnect/properties"},
        {"[bots.idle]\nclock = { zz = 1 }\n", "definitions/group/properties/clock/properties"},
        {"[bots.idle]\nstall = { zz = 1 }\n", "definitions/group/properties/stall/properties"},
        {"[[at]]\nphase = \"play\"\ndo = \"change\"\nset = { zz = 1 }\n",
         "definitions/change/properties"},
    };
    return all;
}

// Small tables of a link's direction, whose schema is one of two.
const std::vector<std::string>& direction_tables() {
    static const std::vector<std::string> all{"jitter",  "bad",     "police",  "duplicate",
                                              "reorder", "corrupt", "suspend", "handover",
                                              "slot",    "trace",   "drops"};
    return all;
}

Names link_keys() {
    Names keys = without(known(head + "[links.default]\nzz = 1\n"), later);
    keys.merge(known(head + "[links.default]\nmodel = \"n1\"\nzz = 1\n"));
    return keys;
}

// Every key of every [[at]], whatever its verb.
Names act_keys() {
    Names keys;
    std::vector<Problem> problems = problems_of(head + "[[at]]\nphase = \"play\"\ndo = \"zz\"\n");
    REQUIRE(!problems.empty());
    REQUIRE(problems[0].hint.starts_with("one of: "));
    for (const std::string& verb : split(problems[0].hint.substr(8))) {
        if (verb == "nothing") continue;
        keys.merge(known(head + "[[at]]\nphase = \"play\"\ndo = \"" + verb +
                         "\"\nzz = 1\nset = {}\nas = \"idle\"\nby = \"1ms\"\nwhat = \"up ack\"\n"));
    }
    return keys;
}

Names verbs() {
    const std::vector<Problem> problems =
        problems_of(head + "[[at]]\nphase = \"play\"\ndo = \"zz\"\n");
    return split(problems[0].hint.substr(8));
}

Names behaviours() {
    const std::vector<Problem> problems = problems_of(head + "[bots.zz]\nbehaviour = \"zz\"\n");
    REQUIRE(problems[0].hint.starts_with("one of: "));
    return split(problems[0].hint.substr(8));
}

bool stands_in(const std::string& page, const std::string& word) {
    // As code, alone or as the beginning of a list of keys.
    for (const std::string front : {"`", " ", "{ ", "| ", "**"}) {
        for (const std::string back : {"`", " ", ",", ";", ")", "(", "=", "\n", ".", "*"}) {
            if (page.find(front + word + back) != std::string::npos) return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("the schema has the keys of the reader, table by table") {
    const std::string text = read_tree_file("schema.json");
    const JsonKeys schema(text);
    for (const Table& table : tables()) {
        CAPTURE(table.text);
        const bool is_scenario = std::string_view(table.text).starts_with("[scenario]");
        const Names keys = known(is_scenario ? std::string(table.text) + "phases = [\"a 1s\"]\n"
                                             : head + table.text);
        CHECK(schema.at(table.schema) == built(keys, table.schema));
    }
    CHECK(schema.at("definitions/link/properties") == link_keys());
    CHECK(schema.at("definitions/act/properties") == act_keys());
    for (const std::string& name : direction_tables()) {
        CAPTURE(name);
        const Names keys = known(head + "[links.default.up]\n" + name + " = { zz = 1 }\n");
        const std::string front = "definitions/direction/properties/" + name;
        const bool is_plain = name == "duplicate" || name == "reorder" || name == "corrupt";
        CHECK(schema.at(front + (is_plain ? "/properties" : "/anyOf[]/properties")) == keys);
    }
    Names nat = known(head + "[links.default]\nnat = { zz = 1 }\n");
    CHECK(schema.at("definitions/link/properties/nat/anyOf[]/properties") == nat);
}

TEST_CASE("the schema has the words of the reader") {
    const std::string text = read_tree_file("schema.json");
    const JsonKeys schema(text);
    CHECK(schema.texts("definitions/act/properties/do/enum") == verbs());
    CHECK(schema.texts("definitions/group/properties/behaviour/enum") == behaviours());
    const std::vector<std::string> playing = playing_behaviours();
    CHECK(schema.texts("definitions/act/properties/as/enum") ==
          Names(playing.begin(), playing.end()));
}

TEST_CASE("every key, verb, behaviour and metric stands in the reference") {
    const std::string page = read_tree_file("README.md");
    Names words = link_keys();
    words.merge(act_keys());
    words.merge(verbs());
    words.merge(behaviours());
    for (const Table& table : tables()) {
        const bool is_scenario = std::string_view(table.text).starts_with("[scenario]");
        words.merge(known(is_scenario ? std::string(table.text) + "phases = [\"a 1s\"]\n"
                                      : head + table.text));
    }
    for (const std::string& name : direction_tables())
        words.merge(known(head + "[links.default.up]\n" + name + " = { zz = 1 }\n"));
    // Refused by name in this build.
    words.erase("clients");
    for (const std::string& word : words) {
        CAPTURE(word);
        CHECK(stands_in(page, word));
    }
    for (const Metric& metric : metric_catalogue()) {
        CAPTURE(metric.name);
        if (metric.is_built()) CHECK(stands_in(page, std::string(metric.name)));
    }
}

TEST_CASE("every example of the reference is a scenario") {
    const std::string page = read_tree_file("README.md");
    std::size_t count = 0;
    const std::string fence = "```toml\n";
    for (std::size_t at = page.find(fence); at != std::string::npos;
         at = page.find(fence, at + fence.size())) {
        const std::size_t start = at + fence.size();
        const std::string text = page.substr(start, page.find("```", start) - start);
        CAPTURE(text);
        const std::vector<Problem> problems = problems_of(text);
        CHECK_MESSAGE(problems.empty(), format_problems(problems));
        ++count;
    }
    CHECK(count >= 5);
}
