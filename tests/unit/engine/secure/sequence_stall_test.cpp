// SPDX-License-Identifier: MIT
//
// The limits that only adversity reaches: the transmission log's span, and violations by somebody
// who has the keys.
#include <doctest/doctest.h>

#include "tests/unit/engine/secure/connection_pair.hpp"

namespace wt::secure {

using namespace bench;
using transport::CloseReason;
using transport::Lane;
using transport::SendStatus;

TEST_CASE("withheld acknowledgements stop transmissions at the stall, and all arrive afterwards") {
    // 4,096 records may be outstanding: the receiver's record window. They are sent at 0, 0.2,
    // 0.6, 1.4, 3, 5, 7 and 9 s; then the next sequence would lie 8 * 4,096 = 32,768 ahead of the
    // first, and what falls due at 11 s waits, until patience ends at 13 s.
    Pair pair;
    bool withheld = true;
    pair.drop_down = [&](const transport::Label& label, ConstBytes) {
        return withheld && label.has(transport::Kind::ack);
    };
    for (unsigned lane = 0; lane < 8; ++lane) {
        for (int i = 0; i < 4'000; ++i) {
            // The server has no channel bound; the client's would refuse after 1,024.
            REQUIRE(pair.send(pair.server, {static_cast<std::uint8_t>(i)},
                              static_cast<Lane>(lane)) == SendStatus::ok);
        }
    }
    pair.drop_up = pair.drop_down;
    pair.run_for(Duration::millis(11'500));
    const transport::Counters& counters = pair.server.connection.counters();
    CHECK(counters.sequence_stalls == 1);
    CHECK(counters.fragments_sent == 32'768);
    pair.run_for(Duration::millis(1'400));
    CHECK(counters.fragments_sent == 32'768);
    CHECK(pair.server.connection.is_open());
    withheld = false;
    pair.run_for(Duration::seconds(60));
    CHECK(pair.server.connection.is_open());
    CHECK(pair.client.delivered.size() == 32'000);
    CHECK(counters.acked == 32'000);
}

TEST_CASE("63 violations keep the peer, the 64th closes it") {
    Pair pair;
    const auto forge = [&](std::uint64_t number) {
        // Authentic, but with a fragment count of 0.
        std::vector<std::uint8_t> bytes(session_header_bytes + reliable_header_bytes + 10 +
                                        tag_bytes);
        write_frame(bytes.data(), WireKind::reliable);
        store_u64(bytes.data() + packet_number_offset, number);
        Key packet_key;
        packet_key.fill(3);
        RealSuite::seal_packet(packet_key, number, {bytes.data(), bytes.size() - tag_bytes},
                               bytes.data() + bytes.size() - tag_bytes);
        return bytes;
    };
    for (std::uint64_t number = 1; number <= 63; ++number) {
        CHECK(pair.server.connection.receive(pair.now, forge(number), {}));
    }
    CHECK(pair.server.connection.is_open());
    CHECK(pair.server.connection.receive(pair.now, forge(64), {}));
    CHECK_FALSE(pair.server.connection.is_open());
    CHECK(pair.server.connection.close_reason() == CloseReason::violations);
    CHECK(pair.server.connection.counters().violations == 64);
}

}  // namespace wt::secure
