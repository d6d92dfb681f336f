// SPDX-License-Identifier: MIT
//
// One message: what the envelope decoder takes is written back byte for byte, what it refuses
// leaves the out-value alone, and the send queue thinks the same of it.
#include <algorithm>
#include <vector>

#include "engine/session/send_queue.hpp"
#include "tests/fuzz/fuzz_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace wt;
    using namespace wt::session;
    const ConstBytes message(data, size);
    Envelope out{.channel = Channel::bulk, .kind = 77, .epoch = 78, .sequence = 79};
    const EnvelopeStatus status = decode_envelope(message, out);
    QueueStore store;
    SendQueue queue;
    const EnqueueStatus queued = queue.enqueue(store, {.message = message});
    WT_CHECK((queued == EnqueueStatus::ok) == (status == EnvelopeStatus::ok));
    if (status != EnvelopeStatus::ok) {
        WT_CHECK(out.channel == Channel::bulk);
        WT_CHECK(out.kind == 77);
        WT_CHECK(out.epoch == 78);
        WT_CHECK(out.sequence == 79);
        WT_CHECK(queue.empty());
        WT_CHECK(store.used() == 0);
        return 0;
    }
    std::vector<std::uint8_t> again(size);
    std::size_t written = 0;
    WT_CHECK(encode_envelope(out, again, written) == EnvelopeStatus::ok);
    WT_CHECK(written == size);
    WT_CHECK(std::equal(again.begin(), again.end(), message.begin()));
    WT_CHECK(queue.dequeue(store, size, again, written) == DequeueStatus::ok);
    WT_CHECK(std::equal(again.begin(), again.end(), message.begin()));
    return 0;
}
