// SPDX-License-Identifier: MIT
#include "engine/udp/address_text.hpp"

#include <doctest/doctest.h>

#include <string>

namespace wt::udp {

namespace {

std::string again(const char* text) {
    const auto parsed = parse_address(text);
    return parsed ? text_of(*parsed) : "error: " + parsed.error().message;
}

}  // namespace

TEST_CASE("addresses come out as they went in") {
    for (const char* const text : {"127.0.0.1:4000", "0.0.0.0:0", "255.255.255.255:65535",
                                   "[::1]:4000", "[::]:1", "[2001:db8::7]:65535"}) {
        CHECK(again(text) == text);
    }
    // One spelling comes out, whichever went in.
    CHECK(again("[0:0:0:0:0:0:0:1]:7") == "[::1]:7");
    CHECK(again("[::ffff:10.0.0.1]:7") == "10.0.0.1:7");
    CHECK(again("127.0.0.1:00080") == "127.0.0.1:80");
}

TEST_CASE("IPv4 is mapped") {
    const auto parsed = parse_address("10.1.2.3:9");
    REQUIRE(parsed);
    const std::array<std::uint8_t, 16> mapped{0, 0, 0,    0,    0,  0, 0, 0,
                                              0, 0, 0xff, 0xff, 10, 1, 2, 3};
    CHECK(parsed->ip == mapped);
    CHECK(is_ipv4(*parsed));
    CHECK(!is_any(*parsed));
    CHECK(is_any(*parse_address("0.0.0.0:1")));
    CHECK(is_any(*parse_address("[::]:1")));
    CHECK(!is_ipv4(*parse_address("[::]:1")));
}

TEST_CASE("what is no address says what is wrong with it") {
    CHECK(again("") == "error: \"\" has no port");
    CHECK(again("127.0.0.1") == "error: \"127.0.0.1\" has no port");
    CHECK(again("127.0.0.1:") == "error: \"127.0.0.1:\": \"\" is no port, 0 to 65535");
    CHECK(again("127.0.0.1:65536") ==
          "error: \"127.0.0.1:65536\": \"65536\" is no port, 0 to 65535");
    CHECK(again("127.0.0.1:+1") == "error: \"127.0.0.1:+1\": \"+1\" is no port, 0 to 65535");
    CHECK(again("127.0.0.1:100000000000000000000") ==
          "error: \"127.0.0.1:100000000000000000000\": \"100000000000000000000\" is no port, 0 to "
          "65535");
    CHECK(again("127.0.0:80") == "error: \"127.0.0:80\": \"127.0.0\" is no IPv4 address");
    CHECK(again("300.0.0.1:80") == "error: \"300.0.0.1:80\": \"300.0.0.1\" is no IPv4 address");
    CHECK(again(":80") == "error: \":80\" has no host");
    CHECK(again("localhost:80") == "error: \"localhost:80\": names are not looked up");
    CHECK(again("::1:80") == "error: \"::1:80\": an IPv6 address stands in brackets");
    CHECK(again("[::1:80") == "error: \"[::1:80\": no ] after the [");
    CHECK(again("[::1]80") == "error: \"[::1]80\" has no port");
    CHECK(again("[127.0.0.1]:80") == "error: \"[127.0.0.1]:80\": \"127.0.0.1\" is no IPv6 address");
    CHECK(again(std::string(65, '1').c_str()) ==
          "error: \"" + std::string(64, '1') + "\"... is no address: it is too long");
    CHECK(parse_address("localhost:80").error().hint == "write 127.0.0.1 or [::1]");
}

}  // namespace wt::udp
