// SPDX-License-Identifier: MIT
#include <array>
#include <fstream>
#include <sstream>

#include "simulator/trace/documentation.hpp"
#include "tests/unit/simulator/trace/trace_fixture.hpp"

namespace wt::trace {

TEST_CASE("README has the manifest's tables, word for word") {
    std::ifstream file(std::string(WT_TEST_DATA) + "/../simulator/trace/README.md");
    std::ostringstream text;
    text << file.rdbuf();
    const std::string tables = format_tables();
    // One newline ends the file.
    const std::string wanted = tables.substr(0, tables.size() - 1);
    CHECK(text.str().find(wanted) != std::string::npos);
}

TEST_CASE("a record's bytes, as the table says") {
    Record record;
    record.time = 0x0102'0304'0506'0708;
    record.peer = 0x1112;
    record.lane = 0x21;
    record.type = 0x31;
    record.kind = 0x4142;
    record.flags = 0x5152;
    record.sequence = 0x6162'6364;
    record.tick = 0x7172'7374;
    record.size = 0x8182;
    record.age = 0x9192'9394;
    record.detail = 0xa1a2;
    std::array<std::uint8_t, Record::stored_bytes> bytes{};
    record.store(bytes.data());
    const std::array<std::uint8_t, 32> wanted = {8,    7,    6,    5,    4,    3,    2,    1,
                                                 0x12, 0x11, 0x21, 0x31, 0x42, 0x41, 0x52, 0x51,
                                                 0x64, 0x63, 0x62, 0x61, 0x74, 0x73, 0x72, 0x71,
                                                 0x82, 0x81, 0x94, 0x93, 0x92, 0x91, 0xa2, 0xa1};
    CHECK(bytes == wanted);
    CHECK(Record::load(bytes.data()) == record);
}

TEST_CASE("about: everything comes back") {
    About about = small_about();
    about.acts = {{"cut", "partition", "", 5, INT64_MAX, {1, 2}}};
    about.gates = {{"in", "peers.active min == 100%"}};
    about.last_ns = 30;
    about.has_payload = true;
    std::vector<std::uint8_t> bytes;
    encode(about, bytes);
    const std::optional<About> back = decode_about(bytes);
    REQUIRE(back.has_value());
    std::vector<std::uint8_t> again;
    encode(*back, again);
    CHECK(again == bytes);
    CHECK(back->peers[2].name == "a-1");
    CHECK(back->acts[0].targets == std::vector<std::uint16_t>{1, 2});
    CHECK(word_of(back->causes, 2) == "bad_state");
    CHECK(word_of(back->types, 200) == "?200");
    // Every shorter text is none.
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(decode_about(ConstBytes(bytes).first(size)).has_value());
}

}  // namespace wt::trace
