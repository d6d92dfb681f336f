// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "engine/secure/path_validation.hpp"
#include "tests/support/endpoint_pair.hpp"

namespace wt::secure::path_validation_test {

namespace {

constexpr Instant begin{10'000'000'000};
const transport::Address here = test::address_of(1);
const transport::Address there = test::address_of(2);

// Sends what is due at `now`, under numbers that count up from `first`.
unsigned drain(PathValidation& path, Instant now, std::uint64_t first) {
    unsigned sent = 0;
    while (path.is_due(now))
        path.note_sent(now, first + sent++);
    return sent;
}

}  // namespace

TEST_CASE("one challenge leaves at once, the next ones each 200 ms, sixteen in all") {
    PathValidation path;
    CHECK(path.next_deadline() == Instant::never());
    CHECK(path.note(begin, there, 10'000));
    CHECK(path.next_deadline() == begin);
    unsigned sent = 0;
    Instant last = begin;
    while (path.is_active()) {
        const Instant now = path.next_deadline();
        CHECK(now - last <= Duration::millis(200));
        last = now;
        path.expire(now);
        sent += drain(path, now, 100 + sent);
    }
    // 3 s / 200 ms: at 0, 0.2, ... 2.8 s; at 3.0 s it is over.
    CHECK(sent == 15);
    CHECK(last - begin == Duration::seconds(3));
}

TEST_CASE("never one byte more goes to a candidate than came from it") {
    PathValidation path;
    // A keepalive is 27 bytes, and so is a challenge.
    CHECK(path.note(begin, there, 27));
    CHECK(drain(path, begin, 1) == 1);
    CHECK(drain(path, begin + Duration::seconds(1), 2) == 0);
    CHECK(path.next_deadline() == begin + Duration::seconds(3));
    CHECK_FALSE(path.note(begin + Duration::seconds(1), there, 26));
    CHECK(drain(path, begin + Duration::seconds(1), 2) == 0);
    CHECK_FALSE(path.note(begin + Duration::seconds(1), there, 1));
    CHECK(drain(path, begin + Duration::seconds(1), 2) == 1);
    // Less than a challenge is no reason for one.
    PathValidation poor;
    CHECK(poor.note(begin, there, 26));
    CHECK_FALSE(poor.is_due(begin));
}

TEST_CASE("an answer names a challenge of this candidate and comes from there") {
    PathValidation path;
    CHECK_FALSE(path.is_answer({}, 0));
    path.note(begin, there, 100);
    CHECK_FALSE(path.is_answer(there, 0));
    path.note_sent(begin, 41);
    path.note_sent(begin + Duration::millis(200), 57);
    CHECK(path.is_answer(there, 41));
    CHECK(path.is_answer(there, 57));
    CHECK_FALSE(path.is_answer(there, 42));
    CHECK_FALSE(path.is_answer(there, 0));
    CHECK_FALSE(path.is_answer(here, 41));
    transport::Address other_port = there;
    ++other_port.port;
    CHECK_FALSE(path.is_answer(other_port, 41));
    path.drop();
    CHECK_FALSE(path.is_answer(there, 41));
}

TEST_CASE("a new candidate once a second, and its challenges are its own") {
    PathValidation path;
    CHECK(path.note(begin, there, 100));
    path.note_sent(begin, 41);
    CHECK_FALSE(path.note(begin + Duration::nanos(999'999'999), here, 100));
    CHECK(path.candidate() == there);
    CHECK(path.note(begin + Duration::seconds(1), here, 100));
    CHECK(path.candidate() == here);
    CHECK_FALSE(path.is_answer(here, 41));
    CHECK_FALSE(path.is_answer(there, 41));
    // Success does not shorten the wait.
    path.drop();
    CHECK_FALSE(path.note(begin + Duration::millis(1'999), there, 100));
    CHECK(path.note(begin + Duration::seconds(2), there, 100));
}

TEST_CASE("a candidate lives three seconds") {
    PathValidation path;
    path.note(begin, there, 100);
    path.note_sent(begin, 41);
    path.expire(begin + Duration::nanos(2'999'999'999));
    CHECK(path.is_answer(there, 41));
    path.expire(begin + Duration::seconds(3));
    CHECK_FALSE(path.is_active());
    CHECK_FALSE(path.is_answer(there, 41));
    CHECK(path.next_deadline() == Instant::never());
}

}  // namespace wt::secure::path_validation_test
