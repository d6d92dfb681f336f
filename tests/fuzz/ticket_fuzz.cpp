// SPDX-License-Identifier: MIT
//
// A ticket's bytes, bare and under a good MAC. Nobody without the key gets past `forged`; with the
// key every field is the fuzzer's, and the store never lets one nonce through twice nor grows above
// its bound.
#include <algorithm>
#include <array>
#include <map>

#include "engine/session/ticket_store.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::session;

constexpr std::uint32_t store_max = 4;

crypto::Mac key_of_tests() {
    crypto::Mac key{};
    key.fill(0x77);
    return key;
}

void judge_bare(const TicketAuthority& authority, ConstBytes bytes) {
    Ticket out{.audience = 1, .player = {2}, .visit = 3, .expires = 4};
    transport::SessionProofKeys keys;
    const TicketVerdict verdict = authority.judge(bytes, {}, 5, 50, out, keys);
    WT_CHECK(verdict == TicketVerdict::malformed || verdict == TicketVerdict::forged);
    WT_CHECK(out.player.value == 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const TicketAuthority authority(key_of_tests());
    judge_bare(authority, {data, size});
    fuzz::FuzzBytes input(data, size);
    TicketStore store(store_max, TicketMemory::survives);
    std::map<TicketNonce, std::uint64_t> used;
    std::uint64_t now = input.u8();
    while (!input.empty()) {
        now += input.u8() % 4u;
        Ticket ticket{.audience = input.u8() % 2u,
                      .player = {input.u16()},
                      .visit = input.u8(),
                      .expires = now + input.u8() % 8u - 2};
        ticket.nonce[0] = input.u8() % 16;
        const IssuedTicket issued = authority.issue(ticket, {});
        Ticket out;
        transport::SessionProofKeys keys;
        const TicketVerdict verdict = authority.judge(issued.bytes, {}, 1, now, out, keys);
        WT_CHECK((verdict == TicketVerdict::wrong_audience) == (ticket.audience != 1));
        if (verdict != TicketVerdict::ok) {
            WT_CHECK(verdict == TicketVerdict::wrong_audience || now > ticket.expires);
            continue;
        }
        WT_CHECK(out.player == ticket.player);
        const TicketVerdict use = store.use(out, now);
        WT_CHECK(store.size() <= store_max);
        const auto known = used.find(out.nonce);
        // Expired uses are forgotten: a nonce may come again under a new ticket then.
        const bool is_remembered = known != used.end() && known->second >= now;
        if (is_remembered) WT_CHECK(use == TicketVerdict::used);
        if (use == TicketVerdict::ok) used[out.nonce] = out.expires;
    }
    return 0;
}
