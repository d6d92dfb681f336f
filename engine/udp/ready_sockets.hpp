// SPDX-License-Identifier: MIT
//
// Which of many sockets have something to read, at the price of one system call: for a process that
// plays many clients, each on a socket of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/udp/socket.hpp"

namespace wt::udp {

class ReadySockets {
public:
    ReadySockets();
    ~ReadySockets();
    ReadySockets(ReadySockets&&) = delete;

    // Begins another round.
    void clear();
    // The socket's place in this round, counted from 0.
    void add(const Socket& socket);
    // Looks, and does not wait.
    void look();
    // True too for a socket that has only an error to tell: reading counts it.
    [[nodiscard]] bool is_ready(std::size_t place) const;

private:
    struct Watched;
    std::unique_ptr<Watched> watched_;
};

}  // namespace wt::udp
