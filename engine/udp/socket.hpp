// SPDX-License-Identifier: MIT
//
// One UDP socket that never blocks, and everything that can go wrong with it as a number: the
// kernel's own drops, and errors by name. A datagram that could not be sent is lost, as it might
// be anywhere on its way; protocols repeat what matters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/result.hpp"
#include "engine/transport/address.hpp"

namespace wt::udp {

class ReceiveBatch;
class SendBatch;

// Why the system would not take or give a datagram. Names are stable, for reports.
enum class SocketError : std::uint8_t {
    would_block,    // EAGAIN: the send buffer is full.
    refused,        // ECONNREFUSED: nobody listens there. Connected sockets only.
    too_large,      // EMSGSIZE: more than the path takes without fragments.
    no_buffers,     // ENOBUFS, ENOMEM: the interface's queue is full.
    unreachable,    // ENETUNREACH, EHOSTUNREACH, ENETDOWN.
    not_permitted,  // EPERM, EACCES: a firewall of this machine.
    other,
};
inline constexpr unsigned socket_error_count = 7;
[[nodiscard]] const char* name_of(SocketError error);

struct SocketCounters {
    std::uint64_t datagrams_sent = 0;
    std::uint64_t datagrams_received = 0;
    std::uint64_t bytes_sent = 0;  // UDP payload.
    std::uint64_t bytes_received = 0;
    std::uint64_t send_calls = 0;
    std::uint64_t receive_calls = 0;
    // Arrived while the receive buffer was full. The system tells with the next datagram that
    // fits.
    std::uint64_t kernel_drops = 0;
    std::uint64_t truncated = 0;  // Larger than any datagram of ours.
    std::array<std::uint64_t, socket_error_count> send_errors{};     // Each a datagram lost.
    std::array<std::uint64_t, socket_error_count> receive_errors{};  // Of reads; nothing lost.

    void add(const SocketCounters& other);
};

struct SocketConfig {
    // Where it listens; port 0: the system chooses. Its family is the socket's; [::] takes IPv4
    // too.
    transport::Address bind{};
    // With it, only datagrams of this address come in, and its refusals are heard.
    std::optional<transport::Address> peer{};
    // Asked for; the system may give less (net.core.rmem_max). 4 MiB hold 100,000 small datagrams
    // a second for 50 ms, at about 800 B each as the kernel counts them.
    std::uint32_t receive_buffer_bytes = 4 * 1'024 * 1'024;
    std::uint32_t send_buffer_bytes = 1'024 * 1'024;
};

// In words, with what to do about it: "127.0.0.1:4000 is in use ...".
struct OpenError {
    enum class What : std::uint8_t { in_use, not_here, not_permitted, no_descriptors, other };
    What what = What::other;
    std::string message{};
};

class Socket {
public:
    [[nodiscard]] static Result<Socket, OpenError> open(const SocketConfig& config);

    Socket(Socket&& other) noexcept;
    Socket& operator=(Socket&& other) noexcept;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    ~Socket();

    // Reads a batch of what waits: how many datagrams. A full batch may mean that there are more.
    std::size_t receive(ReceiveBatch& batch);
    // Sends the whole batch and empties it.
    void send(SendBatch& batch);

    // With the port that the system chose.
    [[nodiscard]] const transport::Address& local() const { return local_; }
    [[nodiscard]] const SocketCounters& counters() const { return counters_; }
    // For poll(2).
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    explicit Socket(int descriptor) : descriptor_(descriptor) {}
    void count_kernel_drops(std::uint32_t so_far);

    int descriptor_ = -1;
    bool is_ipv4_ = false;
    bool is_connected_ = false;
    transport::Address local_{};
    SocketCounters counters_{};
    std::uint32_t kernel_drops_seen_ = 0;  // Modulo 2^32, as the kernel counts.
};

}  // namespace wt::udp
