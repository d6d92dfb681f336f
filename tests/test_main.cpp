// SPDX-License-Identifier: MIT
//
// The one translation unit that implements doctest for every test executable.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
