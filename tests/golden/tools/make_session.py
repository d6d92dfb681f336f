#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Prints tests/golden/session.txt: session datagrams assembled from the tables of
# engine/secure/README.md with a ChaCha20-Poly1305 of its own (RFC 8439), so that neither this
# tree's layouts nor its crypto library vouch for themselves.
import struct

MASK = 0xffffffff


def quarter(s, a, b, c, d):
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & MASK
        s[z] ^= s[x]
        s[z] = ((s[z] << turn) | (s[z] >> (32 - turn))) & MASK


def block(key, counter, nonce):
    start = list(struct.unpack("<4I", b"expand 32-byte k")) + list(struct.unpack("<8I", key))
    start += [counter] + list(struct.unpack("<3I", nonce))
    s = start[:]
    for _ in range(10):
        for column in range(4):
            quarter(s, column, 4 + column, 8 + column, 12 + column)
        for d in range(4):
            quarter(s, d, 4 + (d + 1) % 4, 8 + (d + 2) % 4, 12 + (d + 3) % 4)
    return struct.pack("<16I", *((x + y) & MASK for x, y in zip(s, start)))


def poly1305(key, text):
    r = int.from_bytes(key[:16], "little") & 0x0ffffffc0ffffffc0ffffffc0fffffff
    total = 0
    for at in range(0, len(text), 16):
        total = (total + int.from_bytes(text[at:at + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def pad16(text):
    return text + bytes(-len(text) % 16)


def seal(key, counter, associated, plain):
    """Ciphertext and tag under the nonce 0 0 0 0 counter."""
    nonce = bytes(4) + struct.pack("<Q", counter)
    stream = b"".join(block(key, 1 + i, nonce) for i in range((len(plain) + 63) // 64))
    cipher = bytes(x ^ y for x, y in zip(plain, stream))
    lengths = struct.pack("<QQ", len(associated), len(cipher))
    return cipher, poly1305(block(key, 0, nonce)[:32], pad16(associated) + pad16(cipher) + lengths)


def self_test():
    # RFC 8439, 2.8.2.
    key = bytes(range(0x80, 0xa0))
    nonce = bytes.fromhex("070000004041424344454647")
    plain = (b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for "
             b"the future, sunscreen would be it.")
    associated = bytes.fromhex("50515253c0c1c2c3c4c5c6c7")
    stream = b"".join(block(key, 1 + i, nonce) for i in range(2))
    cipher = bytes(x ^ y for x, y in zip(plain, stream))
    text = pad16(associated) + pad16(cipher) + struct.pack("<QQ", len(associated), len(cipher))
    assert poly1305(block(key, 0, nonce)[:32], text).hex() == "1ae10b594f09e26a7e902ecbd0600691"


RECORD_KEY = bytes(range(0x00, 0x20))
PACKET_KEY = bytes(range(0x40, 0x60))


def record(counter, plain):
    cipher, tag = seal(RECORD_KEY, counter, b"", plain)
    return struct.pack("<Q", counter) + cipher + tag


def packet(kind, number, rest):
    tagged = bytes([0xa7, 0x01, kind]) + struct.pack("<Q", number) + rest
    return tagged + seal(PACKET_KEY, number, tagged, b"")[1]


def counting(first, count):
    return bytes((first + i) % 256 for i in range(count))


def show(name, data):
    print(name + ":")
    for at in range(0, len(data), 32):
        print("  " + data[at:at + 32].hex())


def main():
    self_test()
    print("# Session datagrams as in engine/secure/README.md, made by tools/make_session.py with a")
    print("# ChaCha20-Poly1305 of its own. Record key 00 01 .. 1f, packet key 40 41 .. 5f.")
    print("# One connection, in this order: its packet numbers and record counters run through.")
    # 1: a client's first keepalive. 2: unreliable. 3, 4: sequenced. 5: reliable in one fragment.
    show("keepalive", packet(20, 1, b""))
    show("unreliable", packet(18, 2, bytes([1]) + record(1, counting(0xa0, 80))))
    show("sequenced_first", packet(17, 3, bytes([1]) + struct.pack("<H", 1) + record(2, b"")))
    show("sequenced_second", packet(17, 4, bytes([1]) + struct.pack("<H", 2) + record(3, counting(1, 5))))
    show("reliable", packet(16, 5, struct.pack("<HBHBB", 0, 2, 0, 0, 1) + record(4, counting(0x10, 64))))
    # A record of 1,101 bytes: two fragments, the second of one byte.
    whole = record(5, counting(7, 1077))
    show("fragment_0", packet(16, 6, struct.pack("<HBHBB", 1, 4, 0, 0, 2) + whole[:1100]))
    show("fragment_1", packet(16, 7, struct.pack("<HBHBB", 2, 4, 0, 1, 2) + whole[1100:]))
    # The other end's 100, 99 and 97 came.
    show("ack", packet(19, 8, struct.pack("<HI", 100, 0b101)))
    # Reason 1: the application asked.
    show("close", packet(21, 9, bytes([1])))
    # Of two connections of their own: a server's first datagram, and a client's that answers the
    # challenge with number 0x4d.
    show("path_challenge", packet(22, 1, b""))
    show("path_response", packet(23, 1, struct.pack("<Q", 0x4d)))


main()
