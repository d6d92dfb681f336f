#!/bin/sh
# SPDX-License-Identifier: MIT
#
# coverage.sh [NAME...]: replays the corpora (of all targets, or of those named) in a tree of clang
# with source-based coverage and prints how much of each decoder's lines they reach. Ends with 1 where
# all decoders together are under 85 %.
set -eu
cd "$(dirname "$0")/../.."
least=85
targets="bits handshake stranger session script server snapshot control keyframe input feedback envelope
    negotiation ticket peer quantity gate scenario filter trace_reader"
# What reads bytes or text that somebody else wrote.
decoders="engine/base/bits.hpp engine/base/bytes.hpp
    engine/secure/wire.hpp engine/secure/handshake.cpp engine/secure/connection.inl
    engine/secure/reassembly.cpp engine/secure/ack_tracker.cpp engine/secure/reliable_sender_acks.cpp
    engine/secure/path_validation.cpp engine/secure/server_receive.inl engine/secure/server_move.inl
    engine/secure/client_receive.inl
    engine/session/envelope.cpp engine/session/negotiation.cpp engine/session/bulk.cpp
    engine/session/ticket.cpp engine/session/ticket_store.cpp engine/session/server_admission.cpp
    engine/prediction/input_message.cpp engine/prediction/feedback.cpp engine/prediction/server_inputs.cpp
    engine/replication/wire.cpp engine/replication/state_codec.cpp engine/replication/replica_decode.cpp
    engine/replication/peer_acks.cpp
    simulator/scenario/quantity.cpp simulator/scenario/toml.cpp simulator/scenario/document.cpp
    simulator/scenario/read_scenario.cpp simulator/scenario/read_settings.cpp
    simulator/scenario/read_hosts.cpp simulator/scenario/read_links.cpp simulator/scenario/read_bots.cpp
    simulator/scenario/read_acts.cpp simulator/scenario/read_faults.cpp simulator/scenario/link_keys.cpp
    simulator/gates/gate.cpp simulator/trace/filter_parser.cpp
    simulator/trace/trace_file.cpp simulator/trace/series_reader.cpp"
[ $# -eq 0 ] || targets="$*"

cmake --preset coverage >/dev/null
programs=""
for target in $targets; do programs="$programs fuzz_$target"; done
# shellcheck disable=SC2086 # Names, one word each.
ninja -C build/coverage $programs >/dev/null
rm -rf build/coverage/profiles
mkdir -p build/coverage/profiles
# Each target by itself: programs share functions that the compiler made differently in each.
for target in $targets; do
    part="build/coverage/profiles/$target"
    program="build/coverage/bin/fuzz_$target"
    LLVM_PROFILE_FILE="$part.profraw" "$program" "tests/fuzz/corpus/$target" >/dev/null
    llvm-profdata-14 merge -sparse "$part.profraw" -o "$part.profdata"
    llvm-cov-14 export -format=lcov -instr-profile="$part.profdata" "$program" >"$part.lcov"
done
DECODERS="$decoders" LEAST="$least" python3 tests/fuzz/coverage_table.py build/coverage/profiles/*.lcov
