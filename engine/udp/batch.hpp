// SPDX-License-Identifier: MIT
//
// Datagrams on their way through recvmmsg and sendmmsg, many a call. The memory is made once; a
// batch may serve any number of sockets, one after the other.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/base/bytes.hpp"
#include "engine/transport/address.hpp"

namespace wt::udp {

// System calls cost about what a small datagram costs; with 64 a call they no longer count.
inline constexpr std::size_t batch_datagrams = 64;

// What one Socket::receive brought in. Views are valid until the next one.
class ReceiveBatch {
public:
    ReceiveBatch();
    ~ReceiveBatch();
    ReceiveBatch(ReceiveBatch&&) = delete;

    [[nodiscard]] std::size_t count() const { return count_; }
    // One byte longer than any of ours where it was cut, so that endpoints refuse it by its size.
    [[nodiscard]] ConstBytes bytes(std::size_t index) const;
    [[nodiscard]] const transport::Address& from(std::size_t index) const;

private:
    friend class Socket;
    struct Messages;

    std::unique_ptr<Messages> messages_;
    std::size_t count_ = 0;
};

// What the next Socket::send takes: write into room(), then add(). A full batch must be sent first.
class SendBatch {
public:
    SendBatch();
    ~SendBatch();
    SendBatch(SendBatch&&) = delete;

    [[nodiscard]] bool is_full() const { return count_ == batch_datagrams; }
    [[nodiscard]] std::size_t count() const { return count_; }
    // For one datagram of at most transport::datagram_bytes_max.
    [[nodiscard]] MutableBytes room();
    void add(std::size_t bytes, const transport::Address& to);
    // The same for bytes that lie elsewhere and stay there until the batch was sent; any size.
    void add_outside(ConstBytes bytes, const transport::Address& to);

private:
    friend class Socket;
    struct Messages;

    std::unique_ptr<Messages> messages_;
    std::size_t count_ = 0;
};

}  // namespace wt::udp
