#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Prints the values pinned in tests/unit/engine/base/luck_test.cpp: mixing, hashing, digests and
# luck, worked out with Python's integers, which have no width to overflow.
import struct

WORD = 2**64 - 1
SALTS = (0x6a09e667f3bcc909, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1)


def mix(a, b):
    product = a * b
    return (product & WORD) ^ (product >> 64)


def hash_bytes(data, key):
    a, b = key ^ SALTS[0], mix(key ^ SALTS[1], len(data) ^ SALTS[2])
    rest = data
    while len(rest) >= 32:
        w = struct.unpack("<4Q", rest[:32])
        a, b, rest = mix(w[0] ^ a, w[1] ^ SALTS[1]), mix(w[2] ^ b, w[3] ^ SALTS[2]), rest[32:]
    while len(rest) >= 8:
        a, rest = mix(struct.unpack("<Q", rest[:8])[0] ^ a, b ^ SALTS[3]), rest[8:]
    a = mix(a ^ int.from_bytes(rest, "little"), b ^ SALTS[3])
    return mix(a ^ SALTS[1], b ^ SALTS[0] ^ len(data))


class Digest:
    def __init__(self, high, low):
        self.high, self.low = high, low

    def add(self, a, b, c, d):
        self.high = mix(self.high ^ a ^ SALTS[0], b ^ self.low ^ SALTS[1])
        self.low = mix(self.low ^ c ^ SALTS[2], d ^ self.high ^ SALTS[3]) ^ a ^ d


def with_number(key, number):
    return mix(key ^ 0x9b05688c2b3e6c1f, number ^ 0x510e527fade682d1)


def with_name(key, name):
    for c in name.encode():
        key = mix(key ^ 0x67332667ffc00b31, c + 0x8eb44a8768581511)
    return with_number(key, len(name))


def root(seed):
    return with_name(mix(seed ^ 0x9159015a3070dd17, 0x152fecd8f70e5939), "wavetank")


def draw(key, place):
    once = mix(key ^ 0x1f83d9abfb41bd6b, place ^ 0x5be0cd19137e2179)
    return mix(once ^ 0xcbbb9d5dc1059ed8, key ^ 0x629a292a367cd507)


def main():
    data = bytes(range(256))
    print("mix", [hex(mix(*p)) for p in ((0, 5), (3, 7), (WORD, WORD), (1 << 63, 6))])
    print("hash", [(n, hex(hash_bytes(data[:n], 0x1234))) for n in (0, 1, 7, 8, 31, 32, 33, 255)])
    digest = Digest(1, 2)
    print("digest empty", hex(digest.high), hex(digest.low))
    digest.add(1, 2, 3, 4)
    print("digest one", hex(digest.high), hex(digest.low))
    digest.add(0, 0, 0, 0)
    print("digest two", hex(digest.high), hex(digest.low))
    key = with_number(with_name(root(1), "runner"), 17)
    print("root", hex(root(1)), hex(root(0)), "key", hex(key), "empty name", hex(with_name(root(1), "")))
    print("draws", [hex(draw(key, n)) for n in (0, 1, 2, WORD)])


main()
