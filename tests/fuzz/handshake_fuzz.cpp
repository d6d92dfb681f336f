// SPDX-License-Identifier: MIT
//
// The decoders of the handshake: what parses is written back byte for byte, so no two datagrams
// mean the same; what does not is refused without a crash.
#include <algorithm>
#include <array>

#include "engine/secure/frame_refusal.hpp"
#include "engine/secure/handshake.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

namespace {

using namespace wt;
using namespace wt::secure;

template <std::size_t Size>
void check_same(ConstBytes datagram, const std::array<std::uint8_t, Size>& written) {
    WT_CHECK(datagram.size() == Size);
    WT_CHECK(std::equal(written.begin(), written.end(), datagram.begin()));
}

void check_request(ConstBytes datagram, WireKind kind) {
    const std::optional<Request> request = read_request(datagram);
    if (!request.has_value()) return;
    WT_CHECK(request->attempt != 0);
    WT_CHECK(request->token_view().size() <= transport::token_bytes_max);
    std::array<std::uint8_t, request_bytes> written{};
    write_request(*request, kind, written);
    check_same(datagram, written);
    // Made over what was read, whatever it says.
    static_cast<void>(join_transcript(*request));
}

void check_challenge(ConstBytes datagram) {
    const std::optional<Challenge> challenge = read_challenge(datagram);
    if (!challenge.has_value()) return;
    std::array<std::uint8_t, challenge_bytes> written{};
    write_challenge(*challenge, written);
    check_same(datagram, written);
}

void check_accept(ConstBytes datagram) {
    const std::optional<Accept> accept = read_accept(datagram);
    if (!accept.has_value()) return;
    std::array<std::uint8_t, accept_bytes> written{};
    write_accept(*accept, written);
    check_same(datagram, written);
    static_cast<void>(accept_transcript(accept->server_key, *accept));
}

void check_reject(ConstBytes datagram) {
    const std::optional<Reject> reject = read_reject(datagram);
    if (!reject.has_value()) return;
    std::array<std::uint8_t, reject_bytes> written{};
    write_reject(*reject, written);
    check_same(datagram, written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ConstBytes datagram(data, size);
    WireKind kind{};
    const FrameStatus status = read_frame(datagram, kind);
    if (status != FrameStatus::ok) {
        static_cast<void>(refusal_of(status));
        return 0;
    }
    switch (kind) {
        case WireKind::request:
        case WireKind::join:
            check_request(datagram, kind);
            break;
        case WireKind::challenge:
            check_challenge(datagram);
            break;
        case WireKind::accept:
            check_accept(datagram);
            break;
        case WireKind::reject:
            check_reject(datagram);
            break;
        case WireKind::reliable:
        case WireKind::sequenced:
        case WireKind::unreliable:
        case WireKind::ack:
        case WireKind::keepalive:
        case WireKind::close:
        case WireKind::path_challenge:
        case WireKind::path_response:
            break;
    }
    return 0;
}
