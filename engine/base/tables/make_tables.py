#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes engine/base/quantile_tables.cpp: run it from the root, then clang-format the result.

Floating point is allowed here and nowhere else: the program's output is committed data, so no
run ever depends on a maths library. tests/unit/engine/base/distribution_test.cpp checks the data.
"""
import math

OCTAVES, CELLS = 24, 8  # Must equal the constants in quantile_tables.hpp.
GAMMA_STEPS_PER_OCTAVE, GAMMA_NODES = 2, 17


def tails():
    """Tail probabilities of the nodes: 1/2 first, then eight equal cells an octave."""
    for octave in range(OCTAVES):
        for cell in range(CELLS):
            yield 2.0 ** -(octave + 1) * (1 - cell / (2 * CELLS))
    yield 2.0 ** -(OCTAVES + 1)


def bisect(function, low, high):
    """The root of an increasing function."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def normal_tail(z):
    return math.erfc(z / math.sqrt(2)) / 2


def normal_upper(tail):
    return 0.0 if tail == 0.5 else bisect(lambda z: tail - normal_tail(z), 0.0, 12.0)


def gamma_both(shape, x):
    """The regularised incomplete gamma functions (lower, upper) at x."""
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        n = shape
        while abs(term) > abs(total) * 1e-17:
            n += 1
            term *= x / n
            total += term
        lower = total * front
        return lower, 1 - lower
    tiny = 1e-300  # Lentz's continued fraction.
    b = x + 1 - shape
    c = 1 / tiny
    d = 1 / b
    h = d
    for i in range(1, 10000):
        a = -i * (i - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        h *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    upper = h * front
    return 1 - upper, upper


def gamma_log2(shape, tail, is_upper):
    """log2 of the quantile whose upper or lower tail is `tail`."""
    low, high = -400.0, 12.0
    if is_upper:
        return bisect(lambda v: tail - gamma_both(shape, 2.0**v)[1], low, high)
    return bisect(lambda v: gamma_both(shape, 2.0**v)[0] - tail, low, high)


def gamma_shape(log2_ratio):
    """The shape whose 99 % quantile is 2^log2_ratio times its median."""

    def excess(log_shape):
        shape = math.exp(log_shape)
        ratio = gamma_log2(shape, 0.01, True) - gamma_log2(shape, 0.5, True)
        return log2_ratio - ratio  # The ratio falls as the shape grows.

    return math.exp(bisect(excess, math.log(0.05), math.log(200.0)))


def emit(kind, name, values, dimensions=""):
    print(f"const {kind} {name}{dimensions or f'[{len(values)}]'} = {{")
    for at in range(0, len(values), 8):
        print("    " + ", ".join(str(v) for v in values[at : at + 8]) + ",")
    print("};\n")


def main():
    print("// SPDX-License-Identifier: MIT")
    print("//")
    print("// Committed data, written by engine/base/tables/make_tables.py. Do not edit by hand.")
    print('#include "engine/base/quantile_tables.hpp"\n')
    print("namespace wt::tables {\n")
    q32 = 1 << 32
    emit("std::uint64_t", "log2_mantissa", [round(math.log2(1 + i / 256) * q32) for i in range(257)])
    emit("std::uint64_t", "exp2_fraction", [round(2 ** (i / 256) * q32) for i in range(257)])
    emit("std::int32_t", "normal_upper", [round(normal_upper(t) * (1 << 24)) for t in tails()])
    rows = []
    for node in range(GAMMA_NODES):
        shape = gamma_shape(node / GAMMA_STEPS_PER_OCTAVE) if node else None
        for is_upper in (False, True):
            if node == 0:
                rows += [0] * (OCTAVES * CELLS + 1)
                continue
            median = gamma_log2(shape, 0.5, True)
            for tail in tails():
                value = gamma_log2(shape, tail, is_upper) - median if tail != 0.5 else 0.0
                rows.append(max(round(value * (1 << 16)), -(64 << 16)))
    nodes = OCTAVES * CELLS + 1
    print(f"const std::int32_t gamma_log2[gamma_nodes][2][quantile_nodes] = {{")
    for node in range(GAMMA_NODES):
        print("    {")
        for half in range(2):
            row = rows[(node * 2 + half) * nodes : (node * 2 + half + 1) * nodes]
            print("        {" + ", ".join(str(v) for v in row) + "},")
        print("    },")
    print("};\n")
    print("}  // namespace wt::tables")


main()
