// SPDX-License-Identifier: MIT
//
// Records and packets in both suites, by size; a join's key work; the counted hashes of a digest.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/base/bits.hpp"
#include "engine/base/digest.hpp"
#include "engine/secure/real_suite.hpp"
#include "simulator/cipher/null_suite.hpp"

namespace wt::bench {

namespace {

secure::Key some_key() {
    secure::Key key;
    key.fill(0x5a);
    return key;
}

template <class Suite>
void seal_record(benchmark::State& state) {
    const secure::Key key = some_key();
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 1);
    std::uint8_t tag[secure::tag_bytes];
    std::uint64_t counter = 0;
    for (auto _ : state) {
        Suite::seal_record(key, ++counter, bytes, tag);
        benchmark::DoNotOptimize(tag);
    }
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

// Opens a record in place again and again: what came out of it is sealed under the next counter.
template <class Suite>
void seal_and_open_record(benchmark::State& state) {
    const secure::Key key = some_key();
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 1);
    std::uint8_t tag[secure::tag_bytes];
    std::uint64_t counter = 0;
    for (auto _ : state) {
        Suite::seal_record(key, ++counter, bytes, tag);
        if (!Suite::open_record(key, counter, bytes, tag)) state.SkipWithError("record refused");
    }
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

template <class Suite>
void seal_packet(benchmark::State& state) {
    const secure::Key key = some_key();
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 1);
    std::uint8_t tag[secure::tag_bytes];
    std::uint64_t counter = 0;
    for (auto _ : state) {
        Suite::seal_packet(key, ++counter, bytes, tag);
        benchmark::DoNotOptimize(tag);
    }
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

template <class Suite>
void open_packet(benchmark::State& state) {
    const secure::Key key = some_key();
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(state.range(0)), 1);
    std::uint8_t tag[secure::tag_bytes];
    Suite::seal_packet(key, 1, bytes, tag);
    for (auto _ : state)
        if (!Suite::open_packet(key, 1, bytes, tag)) state.SkipWithError("packet refused");
    state.SetBytesProcessed(state.iterations() * state.range(0));
}

template <class Suite>
void key_pair_and_agreement(benchmark::State& state) {
    LuckStream luck(LuckKey::root(1));
    Entropy entropy = Entropy::from_luck(luck);
    secure::SecretKey own{};
    secure::SecretKey theirs{};
    secure::PublicKey own_public{};
    secure::PublicKey their_public{};
    Suite::make_key_pair(entropy, theirs, their_public);
    secure::Key shared{};
    for (auto _ : state) {
        Suite::make_key_pair(entropy, own, own_public);
        if (!Suite::agree(own, their_public, shared)) state.SkipWithError("key refused");
    }
}

void digest_record(benchmark::State& state) {
    Digest digest;
    std::uint64_t word = 0;
    for (auto _ : state) {
        ++word;
        digest.add(word, word + 1, word + 2, word + 3);
    }
    benchmark::DoNotOptimize(digest.value());
}

// One field of each width from 1 to 32 into a snapshot's worth of bytes.
void bit_writer(benchmark::State& state) {
    std::vector<std::uint8_t> bytes(1'052);
    std::int64_t fields = 0;
    for (auto _ : state) {
        BitWriter writer(bytes);
        for (unsigned width = 1; writer.bits(0, width) == BitStatus::ok; width = width % 32 + 1)
            ++fields;
        benchmark::DoNotOptimize(bytes.data());
    }
    state.SetItemsProcessed(fields);
}

using secure::RealSuite;
using sim::NullSuite;

BENCHMARK(seal_record<RealSuite>)->Arg(64)->Arg(1'076)->Arg(256 * 1'024);
BENCHMARK(seal_record<NullSuite>)->Arg(64)->Arg(1'076)->Arg(256 * 1'024);
BENCHMARK(seal_and_open_record<RealSuite>)->Arg(64)->Arg(1'076);
BENCHMARK(seal_and_open_record<NullSuite>)->Arg(64)->Arg(1'076);
BENCHMARK(seal_packet<RealSuite>)->Arg(112)->Arg(1'114);
BENCHMARK(seal_packet<NullSuite>)->Arg(112)->Arg(1'114);
BENCHMARK(open_packet<RealSuite>)->Arg(112)->Arg(1'114);
BENCHMARK(open_packet<NullSuite>)->Arg(112)->Arg(1'114);
BENCHMARK(key_pair_and_agreement<RealSuite>);
BENCHMARK(key_pair_and_agreement<NullSuite>);
BENCHMARK(digest_record);
BENCHMARK(bit_writer);

}  // namespace

}  // namespace wt::bench
