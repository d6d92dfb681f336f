// SPDX-License-Identifier: MIT
//
// One script, played with the real and with the null suite: joins, altered bytes of every datagram
// kind, low-order keys, a wrong join key, replays, a restart and its probe. All that a run can
// record of it must be equal: kinds, sizes, labels, times, events and every counter.
#include <doctest/doctest.h>

#include <string>

#include "simulator/cipher/null_endpoints.hpp"
#include "tests/support/handshake_bench.hpp"

namespace wt::sim {

using test::Bench;
using test::Flying;

namespace {

class Script {
public:
    explicit Script(bool null)
        : bench_(
              [null](Entropy entropy) {
                  const secure::ServerConfig config{.allow_unbound = true};
                  return null ? make_null_server(config, entropy)
                              : secure::make_server(config, entropy);
              },
              [null](Entropy entropy) {
                  const secure::ClientConfig config{.allow_unbound = true};
                  return null ? make_null_client(config, entropy)
                              : secure::make_client(config, entropy);
              }) {}

    std::string play() {
        for (const std::size_t offset : {3u, 7u, 11u, 27u, 58u, 75u, 91u, 92u, 94u, 350u})
            join_with_altered(secure::WireKind::join, offset, 0x01);
        for (const std::size_t offset : {3u, 11u, 42u, 43u, 51u, 55u, 59u, 63u, 64u, 96u})
            join_with_altered(secure::WireKind::accept, offset, 0x01);
        for (const std::size_t offset : {2u, 3u, 10u, 11u, 20u})
            join_with_altered(secure::WireKind::keepalive, offset, 0x01);
        join_with_wrong_key();
        join_with_low_order_key();
        restart_under_traffic();
        note_counters();
        return text_;
    }

private:
    void note(const char* what, std::int64_t value) {
        text_ += what;
        text_ += ' ';
        text_ += std::to_string(value);
        text_ += '\n';
    }

    void note_datagrams(const char* who, const std::vector<Flying>& all) {
        for (const Flying& one : all) {
            note(who, bench_.now.ns);
            note("kind", static_cast<std::int64_t>(one.kind()));
            note("bytes", static_cast<std::int64_t>(one.bytes.size()));
            note("kinds", one.label.kinds);
        }
    }

    // One exchange in which the first datagram of a kind has a bit turned, if `altered_` says so.
    void exchange() {
        std::vector<Flying> up = bench_.client_step();
        note_datagrams("up", up);
        alter(up);
        bench_.to_server(up);
        for (; answered_ < bench_.server.asked.size(); ++answered_) {
            transport::AuthorisationAnswer answer =
                test::bound_answer(bench_.server.asked[answered_].attempt);
            if (wrong_key_) answer.keys.join_key[0] ^= 1;
            if (unbound_) answer.session_bound = false;
            note("answer", static_cast<std::int64_t>(bench_.answer(answer)));
        }
        std::vector<Flying> down = bench_.server_step();
        note_datagrams("down", down);
        alter(down);
        bench_.to_client(down);
        bench_.wait(Bench::tick);
    }

    void alter(std::vector<Flying>& all) {
        for (Flying& one : all) {
            if (altered_bits_ == 0 || one.kind() != altered_kind_) continue;
            one.bytes[altered_offset_] ^= altered_bits_;
            altered_bits_ = 0;
        }
    }

    void run(Duration duration) {
        const Instant end = bench_.now + duration;
        while (bench_.now < end)
            exchange();
        note("client connected", static_cast<std::int64_t>(bench_.client.connected.size()));
        note("server connected", static_cast<std::int64_t>(bench_.server.connected.size()));
        for (const transport::Closed& closed : bench_.client.closed)
            note("client closed", static_cast<std::int64_t>(closed.reason));
        for (const transport::Closed& closed : bench_.server.closed)
            note("server closed", static_cast<std::int64_t>(closed.reason));
    }

    void join(const transport::ConnectRequest& request) {
        note("connect",
             static_cast<std::int64_t>(bench_.client.endpoint->connect(bench_.now, request)));
        run(Duration::millis(600));
    }

    // Ends whatever there is, at both ends.
    void leave() {
        bench_.client.endpoint->close(bench_.now, {}, transport::CloseReason::application);
        if (!bench_.client.connected.empty()) {
            bench_.client.endpoint->close(bench_.now, bench_.client_id(),
                                          transport::CloseReason::application);
        }
        run(Duration::seconds(11));
    }

    void join_with_altered(secure::WireKind kind, std::size_t offset, std::uint8_t bits) {
        note("altered offset", static_cast<std::int64_t>(offset));
        altered_kind_ = kind;
        altered_offset_ = offset;
        altered_bits_ = bits;
        join(test::bound_request(bench_.server.address));
        CHECK(altered_bits_ == 0);
        leave();
    }

    void join_with_wrong_key() {
        wrong_key_ = true;
        join(test::bound_request(bench_.server.address));
        wrong_key_ = false;
        leave();
    }

    void join_with_low_order_key() {
        unbound_ = true;
        REQUIRE(bench_.client.endpoint->connect(
                    bench_.now,
                    {.server = bench_.server.address, .session = {}, .token = {}, .keys = {}}) ==
                transport::ConnectStatus::ok);
        for (int i = 0; i < 4; ++i) {
            std::vector<Flying> up = bench_.client_step();
            for (Flying& one : up) {
                if (one.kind() == secure::WireKind::join) {
                    std::fill_n(one.bytes.begin() + 27, 32, std::uint8_t{0});
                }
            }
            bench_.to_server(up);
            exchange();
        }
        unbound_ = false;
        leave();
    }

    void restart_under_traffic() {
        join(test::bound_request(bench_.server.address));
        note("talks", bench_.talks() ? 1 : 0);
        bench_.server.endpoint->restart(bench_.now);
        run(Duration::seconds(5));
        note("talks", bench_.talks() ? 1 : 0);
    }

    void note_counters() {
        for (const test::Host* host : {&bench_.server, &bench_.client}) {
            const transport::Counters& counters = host->endpoint->counters();
            note("sent", static_cast<std::int64_t>(counters.datagrams_sent));
            note("received", static_cast<std::int64_t>(counters.datagrams_received));
            note("bytes", static_cast<std::int64_t>(counters.bytes_sent));
            note("sealed", static_cast<std::int64_t>(counters.sealed));
            note("opened", static_cast<std::int64_t>(counters.opened));
            note("delivered", static_cast<std::int64_t>(counters.delivered));
            for (const std::uint64_t refused : counters.refused)
                note("refused", static_cast<std::int64_t>(refused));
            // As many bytes of entropy were asked for: the next draw is the same.
            note("drawn", static_cast<std::int64_t>(host->luck.drawn()));
        }
    }

    Bench bench_;
    std::string text_;
    std::size_t answered_ = 0;
    secure::WireKind altered_kind_ = secure::WireKind::join;
    std::size_t altered_offset_ = 0;
    std::uint8_t altered_bits_ = 0;
    bool wrong_key_ = false;
    bool unbound_ = false;
};

}  // namespace

TEST_CASE("the null suite's run is the real suite's run") {
    const std::string real = Script(false).play();
    const std::string null = Script(true).play();
    CHECK(real.size() > 10'000);
    const auto difference = std::mismatch(real.begin(), real.end(), null.begin(), null.end()).first;
    const auto at = static_cast<std::size_t>(difference - real.begin());
    CAPTURE(real.substr(at < 200 ? 0 : at - 200, 300));
    CHECK(real == null);
}

TEST_CASE("the two suites do not talk to each other") {
    Bench bench([](Entropy entropy) { return secure::make_server({}, entropy); },
                [](Entropy entropy) { return make_null_client({}, entropy); });
    bench.ask();
    bench.answer(test::bound_answer(bench.server.asked[0].attempt));
    CHECK(bench.server.refused(transport::Refusal::bad_join_proof) == 1);
    bench.exchange();
    CHECK(bench.client.connected.empty());
}

}  // namespace wt::sim
