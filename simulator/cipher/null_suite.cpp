// SPDX-License-Identifier: MIT
#include "simulator/cipher/null_suite.hpp"

#include <cstring>
#include <string_view>

#include "engine/base/hash.hpp"
#include "engine/crypto/x25519.hpp"

namespace wt::sim {

using secure::Key;
using secure::Proof;
using secure::PublicKey;
using secure::SecretKey;

namespace {

constexpr std::size_t key_words = secure::key_bytes / 8;

// Any odd number generates; this one has no structure.
constexpr std::uint64_t generator = 0x9e37'79b9'7f4a'7c15;

// One word that depends on every bit of a key. No operand of mix() may be a plain zero, which
// would swallow the other one; keys of all zeros occur in tests.
std::uint64_t word_of(const Key& key) {
    return mix(load_u64(key.data()) ^ 0x2545'f491'4f6c'dd1d,
               load_u64(key.data() + 8) ^ 0x9fb2'1c65'1e98'df25) ^
           mix(load_u64(key.data() + 16) ^ 0xd6e8'feb8'6659'fd93,
               load_u64(key.data() + 24) ^ 0xc2b2'ae3d'27d4'eb4f);
}

// Spreads one word over `target`, whose size is a multiple of 8.
void spread(std::uint64_t word, MutableBytes target) {
    for (std::size_t at = 0; at < target.size(); at += 8)
        store_u64(target.data() + at, mix(word ^ at, 0xa076'1d64'78bd'642f + at));
}

void write_check_word(std::uint64_t word, std::uint8_t* tag) {
    spread(word, {tag, secure::tag_bytes});
}

bool is_check_word(std::uint64_t word, const std::uint8_t* tag) {
    std::uint8_t expected[secure::tag_bytes];
    write_check_word(word, expected);
    return std::memcmp(expected, tag, secure::tag_bytes) == 0;
}

// A record's word leaves its bytes alone: they arrived in packets whose words covered them.
std::uint64_t record_word(const Key& key, std::uint64_t counter, std::size_t bytes) {
    return mix(word_of(key) ^ counter, 0xe703'7ed1'a0b4'28db ^ bytes);
}

std::uint64_t packet_word(const Key& key, std::uint64_t counter, ConstBytes bytes) {
    return hash_bytes(bytes, mix(word_of(key), counter ^ 0x8ebc'6af0'9c88'c6e3));
}

}  // namespace

void NullSuite::make_key_pair(Entropy& entropy, SecretKey& secret, PublicKey& public_key) {
    entropy.fill(secret);
    for (std::size_t i = 0; i < key_words; ++i) {
        // Odd factors only: an even one would lose bits of the product for ever.
        const std::uint64_t exponent = load_u64(secret.data() + 8 * i) | 1;
        store_u64(public_key.data() + 8 * i, generator * exponent);
    }
}

bool NullSuite::agree(const SecretKey& secret, const PublicKey& other, Key& shared) {
    if (crypto::is_low_order(other)) return false;
    for (std::size_t i = 0; i < key_words; ++i) {
        const std::uint64_t factor = load_u64(secret.data() + 8 * i) | 1;
        store_u64(shared.data() + 8 * i, load_u64(other.data() + 8 * i) * factor);
    }
    return true;
}

void NullSuite::derive(const Key& material, ConstBytes context, const char* label, Key& out) {
    spread(hash_bytes(context, hash_bytes(bytes_of(label), word_of(material))), out);
}

void NullSuite::prove(const Key& key, ConstBytes bytes, Proof& out) {
    spread(hash_bytes(bytes, word_of(key)), out);
}

bool NullSuite::verify(const Key& key, ConstBytes bytes, const Proof& proof) {
    Proof expected{};
    prove(key, bytes, expected);
    return expected == proof;
}

void NullSuite::seal_record(const Key& key, std::uint64_t counter, MutableBytes in_place,
                            std::uint8_t* tag) {
    write_check_word(record_word(key, counter, in_place.size()), tag);
}

bool NullSuite::open_record(const Key& key, std::uint64_t counter, MutableBytes in_place,
                            const std::uint8_t* tag) {
    return is_check_word(record_word(key, counter, in_place.size()), tag);
}

void NullSuite::seal_packet(const Key& key, std::uint64_t counter, ConstBytes bytes,
                            std::uint8_t* tag) {
    write_check_word(packet_word(key, counter, bytes), tag);
}

bool NullSuite::open_packet(const Key& key, std::uint64_t counter, ConstBytes bytes,
                            const std::uint8_t* tag) {
    return is_check_word(packet_word(key, counter, bytes), tag);
}

}  // namespace wt::sim
