// SPDX-License-Identifier: MIT
#include "engine/udp/socket.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/base/check.hpp"
#include "engine/base/mutated.hpp"
#include "engine/udp/address_text.hpp"
#include "engine/udp/messages.hpp"

namespace wt::udp {

namespace {

SocketError error_of(int number) {
    switch (number) {
        case EAGAIN:
            return SocketError::would_block;
        case ECONNREFUSED:
            return SocketError::refused;
        case EMSGSIZE:
            return SocketError::too_large;
        case ENOBUFS:
        case ENOMEM:
            return SocketError::no_buffers;
        case ENETUNREACH:
        case EHOSTUNREACH:
        case ENETDOWN:
            return SocketError::unreachable;
        case EPERM:
        case EACCES:
            return SocketError::not_permitted;
        default:
            return SocketError::other;
    }
}

OpenError open_error(int number, const transport::Address& address) {
    const std::string where = text_of(address);
    switch (number) {
        case EADDRINUSE:
            return {OpenError::What::in_use,
                    where + " is in use: another program listens there (ss -ulnp shows which)"};
        case EADDRNOTAVAIL:
            return {OpenError::What::not_here,
                    where + " is no address of this machine (ip addr lists them)"};
        case EACCES:
        case EPERM:
            return {OpenError::What::not_permitted,
                    where + ": the system does not permit it (ports below 1024 need root)"};
        case EMFILE:
        case ENFILE:
            return {OpenError::What::no_descriptors,
                    "no more sockets: the limit of open files is reached (ulimit -n)"};
        default:
            return {OpenError::What::other, where + ": " + std::strerror(number)};
    }
}

void set_option(int descriptor, int level, int name, int value) {
    // What a system does not know changes no datagram; buffers come out smaller than asked.
    (void)setsockopt(descriptor, level, name, &value, sizeof(value));
}

void set_options(int descriptor, const SocketConfig& config, bool is_ipv4) {
    set_option(descriptor, SOL_SOCKET, SO_RXQ_OVFL, 1);
    set_option(descriptor, SOL_SOCKET, SO_RCVBUF, static_cast<int>(config.receive_buffer_bytes));
    set_option(descriptor, SOL_SOCKET, SO_SNDBUF, static_cast<int>(config.send_buffer_bytes));
    // Never in fragments: a datagram that is too large is an error with a name.
    if (is_ipv4) {
        set_option(descriptor, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO);
    } else {
        set_option(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, 0);
        set_option(descriptor, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO);
    }
}

const sockaddr* pointer_to(const sockaddr_storage& storage) {
    return static_cast<const sockaddr*>(static_cast<const void*>(&storage));
}

}  // namespace

const char* name_of(SocketError error) {
    switch (error) {
        case SocketError::would_block:
            return "would_block";
        case SocketError::refused:
            return "refused";
        case SocketError::too_large:
            return "too_large";
        case SocketError::no_buffers:
            return "no_buffers";
        case SocketError::unreachable:
            return "unreachable";
        case SocketError::not_permitted:
            return "not_permitted";
        case SocketError::other:
            return "other";
    }
    return "";
}

void SocketCounters::add(const SocketCounters& more) {
    datagrams_sent += more.datagrams_sent;
    datagrams_received += more.datagrams_received;
    bytes_sent += more.bytes_sent;
    bytes_received += more.bytes_received;
    send_calls += more.send_calls;
    receive_calls += more.receive_calls;
    kernel_drops += more.kernel_drops;
    truncated += more.truncated;
    for (unsigned error = 0; error < socket_error_count; ++error) {
        send_errors[error] += more.send_errors[error];
        receive_errors[error] += more.receive_errors[error];
    }
}

Result<Socket, OpenError> Socket::open(const SocketConfig& config) {
    const bool is_ipv4 = udp::is_ipv4(config.bind);
    const int family = is_ipv4 ? AF_INET : AF_INET6;
    Socket socket(::socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (socket.descriptor_ < 0) return unexpected(open_error(errno, config.bind));
    socket.is_ipv4_ = is_ipv4;
    set_options(socket.descriptor_, config, is_ipv4);
    const SystemAddress local = to_system(config.bind, is_ipv4);
    if (bind(socket.descriptor_, pointer_to(local.storage), local.bytes) != 0)
        return unexpected(open_error(errno, config.bind));
    if (config.peer.has_value()) {
        const SystemAddress peer = to_system(*config.peer, is_ipv4);
        if (connect(socket.descriptor_, pointer_to(peer.storage), peer.bytes) != 0)
            return unexpected(open_error(errno, *config.peer));
        socket.is_connected_ = true;
    }
    sockaddr_storage named{};
    socklen_t bytes = sizeof(named);
    auto* const name = static_cast<sockaddr*>(static_cast<void*>(&named));
    if (getsockname(socket.descriptor_, name, &bytes) != 0)
        return unexpected(open_error(errno, config.bind));
    socket.local_ = from_system(named);
    return Result<Socket, OpenError>(std::move(socket));
}

Socket::Socket(Socket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      is_ipv4_(other.is_ipv4_),
      is_connected_(other.is_connected_),
      local_(other.local_),
      counters_(other.counters_),
      kernel_drops_seen_(other.kernel_drops_seen_) {}

Socket& Socket::operator=(Socket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    is_ipv4_ = other.is_ipv4_;
    is_connected_ = other.is_connected_;
    local_ = other.local_;
    counters_ = other.counters_;
    kernel_drops_seen_ = other.kernel_drops_seen_;
    return *this;
}

Socket::~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
}

void Socket::count_kernel_drops(std::uint32_t so_far) {
    if (mutated<"udp-kernel-drops">()) return;
    counters_.kernel_drops += so_far - kernel_drops_seen_;
    kernel_drops_seen_ = so_far;
}

std::size_t Socket::receive(ReceiveBatch& batch) {
    ReceiveBatch::Messages& messages = *batch.messages_;
    batch.count_ = 0;
    messages.prepare();
    int got = -1;
    // Each pending error is reported once, so there are at most a few in a row.
    for (unsigned attempt = 0; got < 0 && attempt < batch_datagrams; ++attempt) {
        ++counters_.receive_calls;
        got = recvmmsg(descriptor_, messages.headers.data(), batch_datagrams, 0, nullptr);
        if (got >= 0 || errno == EINTR) continue;
        if (errno == EAGAIN) return 0;
        ++counters_.receive_errors[static_cast<unsigned>(error_of(errno))];
    }
    if (got <= 0) return 0;
    batch.count_ = static_cast<std::size_t>(got);
    for (std::size_t i = 0; i < batch.count_; ++i) {
        msghdr& header = messages.headers[i].msg_hdr;
        messages.from[i] = from_system(messages.names[i]);
        ++counters_.datagrams_received;
        counters_.bytes_received += messages.headers[i].msg_len;
        if ((header.msg_flags & MSG_TRUNC) != 0) ++counters_.truncated;
        for (cmsghdr* at = CMSG_FIRSTHDR(&header); at != nullptr; at = CMSG_NXTHDR(&header, at)) {
            if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SO_RXQ_OVFL) continue;
            std::uint32_t so_far = 0;
            std::memcpy(&so_far, CMSG_DATA(at), sizeof(so_far));
            count_kernel_drops(so_far);
        }
    }
    return batch.count_;
}

void Socket::send(SendBatch& batch) {
    SendBatch::Messages& messages = *batch.messages_;
    for (std::size_t i = 0; i < batch.count_; ++i) {
        msghdr& header = messages.headers[i].msg_hdr;
        header = {};
        header.msg_iov = &messages.parts[i];
        header.msg_iovlen = 1;
        if (is_connected_) continue;
        messages.names[i] = to_system(messages.to[i], is_ipv4_);
        header.msg_name = &messages.names[i].storage;
        header.msg_namelen = messages.names[i].bytes;
    }
    std::size_t done = 0;
    bool was_refused = false;
    while (done < batch.count_) {
        ++counters_.send_calls;
        const int sent = sendmmsg(descriptor_, messages.headers.data() + done,
                                  static_cast<unsigned>(batch.count_ - done), 0);
        if (sent > 0) {
            for (std::size_t i = done; i < done + static_cast<std::size_t>(sent); ++i)
                counters_.bytes_sent += messages.parts[i].iov_len;
            counters_.datagrams_sent += static_cast<std::uint64_t>(sent);
            done += static_cast<std::size_t>(sent);
            was_refused = false;
            continue;
        }
        if (errno == EINTR) continue;
        const SocketError error = error_of(errno);
        // A refusal is the answer to an earlier datagram: this one has not been tried yet.
        const bool is_retried = !was_refused && !mutated<"udp-refusal-retry">();
        if (error == SocketError::refused && is_retried) {
            ++counters_.receive_errors[static_cast<unsigned>(error)];
            was_refused = true;
            continue;
        }
        was_refused = false;
        ++counters_.send_errors[static_cast<unsigned>(error)];
        ++done;
    }
    batch.count_ = 0;
}

}  // namespace wt::udp
