// SPDX-License-Identifier: MIT
//
// A suite that protects NOTHING: sizes, call pattern and refusals of the real one at memory speed,
// so that thousands of seeds can be swept and then confirmed with the real cipher. It lives in the
// simulator, is never installed and cannot reach a real socket.
#pragma once

#include "engine/secure/suite.hpp"

namespace wt::sim {

struct NullSuite {
    static constexpr bool protects = false;

    static void make_key_pair(Entropy& entropy, secure::SecretKey& secret,
                              secure::PublicKey& public_key);
    static bool agree(const secure::SecretKey& secret, const secure::PublicKey& other,
                      secure::Key& shared);
    static void derive(const secure::Key& material, ConstBytes context, const char* label,
                       secure::Key& out);
    static void prove(const secure::Key& key, ConstBytes bytes, secure::Proof& out);
    static bool verify(const secure::Key& key, ConstBytes bytes, const secure::Proof& proof);
    static void seal_record(const secure::Key& key, std::uint64_t counter, MutableBytes in_place,
                            std::uint8_t* tag);
    static bool open_record(const secure::Key& key, std::uint64_t counter, MutableBytes in_place,
                            const std::uint8_t* tag);
    static void seal_packet(const secure::Key& key, std::uint64_t counter, ConstBytes bytes,
                            std::uint8_t* tag);
    static bool open_packet(const secure::Key& key, std::uint64_t counter, ConstBytes bytes,
                            const std::uint8_t* tag);
};

static_assert(secure::Suite<NullSuite>);

}  // namespace wt::sim
