// SPDX-License-Identifier: MIT
//
// The program. Everything is in simulator/cli, so that tests reach it as a library.
#include "simulator/cli/commands.hpp"

int main(int argc, char** argv) {
    return wt::sim::run_main(argc, argv);
}
