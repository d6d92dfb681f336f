// SPDX-License-Identifier: MIT
#include <benchmark/benchmark.h>

#include "engine/crypto/ready.hpp"

int main(int argc, char** argv) {
    if (!wt::crypto::crypto_ready()) return 1;
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
