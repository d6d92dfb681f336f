// SPDX-License-Identifier: MIT
//
// Where keys, cookies and handshake nonces come from: passed in by whoever builds an endpoint
// (rule D12). In a run it is a luck stream of the host's own, so that a run repeats; on a real
// socket it is crypto::system_entropy().
#pragma once

#include "engine/base/bytes.hpp"
#include "engine/base/rng.hpp"

namespace wt {

// A source of bytes behind one plain function; whoever made it owns `state`.
class Entropy {
public:
    using Fill = void (*)(void* state, MutableBytes target);

    Entropy(Fill function, void* state) : fill_(function), state_(state) {}

    // Entropy for runs: predictable by anybody who knows the seed.
    static Entropy from_luck(LuckStream& stream);

    void fill(MutableBytes target) { fill_(state_, target); }

private:
    Fill fill_;
    void* state_;
};

}  // namespace wt
