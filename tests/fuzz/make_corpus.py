#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# Writes the seed corpora beside itself, and the words of the targets that read texts (TARGET.dict).
# Inputs that a fuzzer found stand beside the seeds under names that begin with "found_" and are left
# alone.
import json
import pathlib
import struct

here = pathlib.Path(__file__).resolve().parent
tree = here.parent.parent


def put(target, name, data):
    folder = here / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def golden():
    entries, name = {}, None
    for line in (tree / "tests/golden/handshake.txt").read_text().splitlines():
        if not line or line[0] == "#":
            continue
        if line[0] != " ":
            name, line = line.split(":", 1)
            entries[name] = ""
        entries[name] += line.replace(" ", "")
    return {key: bytes.fromhex(value) for key, value in entries.items()
            if all(c in "0123456789abcdef" for c in value)}


def bits():
    put("bits", "read", bytes([0, 8]) + b"\x12\x34\x56\x78\x9a\xbc\xde\xf0" + bytes([1, 7, 32, 200, 226, 33]))
    put("bits", "read_empty", bytes([0, 0, 0, 1, 200, 224]))
    put("bits", "write", bytes([1, 4, 255, 0, 255, 0]) + b"".join(
        bytes([width]) + struct.pack("<I", value)
        for width, value in ((3, 5), (0, 0), (32, 0xffffffff), (33, 1), (2, 4), (1, 1))))


def handshake():
    for name, data in golden().items():
        if len(data) in (382, 27, 112, 12) and data[:2] == b"\xa7\x01":
            put("handshake", name, data)
            put("handshake", name + "_cut", data[:-1])
    put("handshake", "empty", b"")
    put("handshake", "other_version", b"\xa7\x02\x01")


def stranger():
    request = lambda who, attempt: bytes([who, 2, 1, attempt, 0, 9, 0, 5])
    join = lambda who, attempt: bytes([who, 3, 1, attempt, 0, 9, 0, 5, 1])
    answer = bytes([0, 5, 1, 0])
    wait = lambda ms: bytes([0, 4]) + struct.pack("<H", ms)
    put("stranger", "raw", bytes([0, 0]) + struct.pack("<H", 30) + b"\xa7\x01\x01" + b"x" * 27)
    put("stranger", "asked", request(0, 1) + request(1, 3) + wait(250) + request(0, 1))
    put("stranger", "joined", request(0, 1) + join(0, 1) + answer + join(0, 1) + wait(6000))
    put("stranger", "crowd", b"".join(request(n, n + 1) + join(n, n + 1) for n in range(4)) + answer)
    put("stranger", "framed", b"".join(
        bytes([n % 4, 1, n]) + struct.pack("<H", 40) + b"y" * 40 for n in range(24)))


def script():
    # Operations of script_fuzz.cpp; the first byte chooses the profile, wrapping counters, rebind, the
    # second whether the session stands already.
    h = struct.Struct("<H").pack
    send, serve, wait, long_wait = 0, 1, 2, 3
    step = bytes([5, wait, 5])
    start = lambda profile: bytes([profile, 1])
    joining = bytes([0, 0])
    talk = b"".join(bytes([send, lane, 30, serve, lane, 40]) for lane in range(8))
    few = bytes([send, 0, 30, serve, 3, 40])
    big = bytes([send, 4, 8]) + h(4000) + bytes([serve, 2, 16]) + h(3000)
    lossy = bytes([send, 1, 200, send, 1, 201, serve, 2, 202, serve, 2, 203])
    for name, profile in (("default", 0), ("literal", 4), ("tuned", 2), ("wraps", 1), ("wraps_tuned", 5)):
        put("script", "talk_" + name, start(profile) + (talk + lossy + step) * 3 + big + step * 6)
    put("script", "storm", start(0) + b"".join(
        few + bytes([6, 3, 7, 1, 8, n, n * 7, n, 9, 4, 2, 5, wait, 210]) for n in range(12)))
    put("script", "wrap_storm", start(5) + b"".join(
        few + big + bytes([6, 1, 7, 0, wait, 240, 5]) for n in range(16)))
    put("script", "rebind", start(0) + b"".join(
        bytes([9, n]) + few + (step + bytes([wait, 30])) * 8 for n in (1, 2, 130, 3)))
    put("script", "rebind_refused", start(9) + bytes([9, 1]) + talk + (step + bytes([wait, 200])) * 30)
    put("script", "rebind_joining", joining + b"".join(bytes([9, n]) + step for n in range(12)) + talk + step * 4)
    # The third of three comes first and is acknowledged before the others are there.
    put("script", "reordered", start(0) + (bytes([send, 0, 30]) * 3 + bytes([4, 2, 4, 0, 4, 0, 5, wait, 9])) * 4)
    put("script", "joining", joining + step * 8 + talk + step * 4)
    put("script", "restarts", start(0) + talk + bytes([10, 0]) + (step + bytes([wait, 250])) * 20
        + talk + bytes([10, 1, 12]) + step * 8 + few + step)
    put("script", "goodbyes", start(0) + talk + bytes([11, 1]) + step * 8 + bytes([12]) + step * 8
        + talk + bytes([11, 0]) + step * 8)
    put("script", "replays", start(0) + talk + step + bytes([wait, 90])
        + b"".join(bytes([13, n]) for n in range(40)) + talk + step * 4)
    put("script", "silence", start(0) + talk + (bytes([6, 7]) * 4 + bytes([long_wait]) + h(1000)) * 14)


def server():
    # Operations of server_fuzz.cpp; the first byte says whether the client is bound and allows unbound.
    challenge = lambda cookie, attempt=0: bytes([0, attempt, cookie])
    accept = lambda wrong=0, terms=0, more=b"", attempt=0: bytes([1, attempt, wrong, 7, terms]) + more
    reject = lambda reason, attempt=0: bytes([3, attempt, reason])
    session = lambda kind, body=b"", which=0: bytes([4, which, kind, len(body)]) + body
    wait = lambda steps: bytes([8, steps])
    leave, again, restart, say = bytes([9, 2]), bytes([9, 4]), bytes([9, 3]), bytes([9, 0])
    for name, mode in (("bound", 4), ("unbound", 1), ("unbound_forbidden", 0)):
        put("server", "joined_" + name, bytes([mode]) + challenge(5) + accept() + say + session(4) + wait(20)
            + session(6) + session(3, b"\0\0\xff\xff\xff\xff") + bytes([6, 1, 7, 1, 9, 3]) + leave + wait(30) + again)
    for wrong in (1, 2, 3):
        put("server", "wrong_%d" % wrong, bytes([4]) + challenge(5) + accept(wrong) + wait(251) + wait(5) + again
            + challenge(6) + accept())
    for name, terms, more in (("tick_rate", 3, b"\x05"), ("features", 12, b"\x02"), ("version", 48, b"\x02"),
                              ("kind", 192, b"")):
        put("server", "disliked_" + name, bytes([4]) + challenge(5) + accept(0, terms, more) + wait(40) + session(4)
            + again + challenge(5) + accept())
    put("server", "others", bytes([4]) + challenge(5, 250) + accept(attempt=250) + reject(1, 250) + challenge(5)
        + bytes([11, 8, 0]) + wait(20) + challenge(9) + challenge(9) + wait(20) + accept() + accept())
    put("server", "rejected", bytes([1]) + b"".join(reject(n) + again + challenge(n) for n in range(4)) + reject(2)
        + reject(2) + leave + again)
    put("server", "left", bytes([1]) + challenge(1) + leave + accept() + again + restart + challenge(2) + accept())
    # A session that falls silent is probed: the probe's answers, and a word under the old keys.
    put("server", "probed", bytes([4]) + challenge(5) + accept() + wait(200) + challenge(6) + accept(2) + accept(0, 3, b"\x05")
        + wait(200) + challenge(7) + session(4, b"", 0) + wait(200) + challenge(8) + accept() + session(4, b"", 1) + wait(30))
    put("server", "probe_rejected", bytes([4]) + challenge(5) + accept() + wait(200) + reject(0) + wait(255)
        + session(4) + wait(255) + wait(255) + wait(255))
    put("server", "goodbye", bytes([1]) + challenge(5) + accept() + session(5, b"\x03") + wait(10) + again)
    put("server", "raw", bytes([1]) + bytes([10, 3]) + b"\xa7\x01\x04" + bytes([10, 27]) + b"\xa7\x01\x03" + b"x" * 24)


def session():
    h = struct.Struct("<H").pack
    fragment = lambda seq, lane, id, index, count, size: bytes([0]) + h(seq) + bytes([lane]) + h(id + 2) + bytes([index, count]) + h(size) + b"z" * min(size, 24)
    message = lambda lane, plain: bytes([1, lane]) + h(plain) + b"m" * min(plain, 24)
    send = lambda how, size: bytes([7, how, size])
    wait = lambda steps: bytes([8, steps])
    ack = bytes([5, 0]) + b"\xff\xff\xff\xff"
    put("session", "lane_in_order", bytes([0]) + message(1, 10) + message(1, 0) + message(4, 1076))
    put("session", "fragments", bytes([1]) + fragment(0, 2, 0, 0, 3, 1100) + fragment(1, 2, 0, 2, 3, 9)
        + fragment(2, 2, 0, 1, 3, 1100) + fragment(3, 2, 1023, 0, 239, 1100) + fragment(4, 2, 1024, 0, 1, 5))
    put("session", "violations", bytes([2]) + b"".join(fragment(n, 8, 0, 0, 1, 4) for n in range(70)))
    put("session", "malformed", bytes([0]) + fragment(0, 1, 0, 0, 0, 4) + fragment(1, 1, 0, 0, 240, 4)
        + fragment(2, 1, 0, 3, 3, 4) + fragment(3, 1, 0, 0, 1, 1105) + fragment(4, 2, 1030, 0, 1, 5))
    # Parts that come twice, whole ones that come twice, and more of them at once than there is room at first.
    put("session", "again", bytes([0]) + fragment(0, 2, 0, 0, 3, 9) + fragment(1, 2, 0, 0, 3, 9)
        + b"".join(fragment(2 + n, 3, 1 + n * 7, 0, 2, 4) for n in range(40)) + message(1, 10)
        + fragment(50, 1, 0, 0, 1, 34) + fragment(51, 4, 1, 0, 1, 24) + fragment(52, 4, 1, 0, 1, 24))
    put("session", "count_changed", bytes([0]) + fragment(0, 0, 5, 0, 3, 9) + fragment(1, 0, 5, 1, 4, 9))
    put("session", "sends", bytes([66]) + send(2, 64) + send(17, 80) + send(8, 90) + wait(1) + ack + wait(30) + ack)
    put("session", "latest", bytes([2]) + bytes([7, 130, 40, 7]) * 3 + wait(1) + ack)
    put("session", "singles", bytes([0]) + bytes([2, 1]) + h(1) + h(124) + b"\x01" + b"s" * 24
        + bytes([2, 1]) + h(1) + h(124) + b"\x01" + bytes([3, 9]) + h(30) + b"\x01")
    put("session", "raw_kinds", bytes([0]) + b"".join(bytes([6, n, 3]) + b"abc" for n in range(5)))
    put("session", "goodbye", bytes([0]) + bytes([6, 5, 1, 3]) + send(2, 4) + wait(13))
    put("session", "forged", bytes([0]) + message(1, 10) + bytes([9, 0]) + bytes([9, 1]) + h(3))
    put("session", "late_counters", bytes([8 + 16 + 32]) + struct.pack("<QQ", 2**64 - 40, 2**64 - 40)
        + message(3, 7) * 3 + send(2, 8) + wait(40))
    put("session", "timeouts", bytes([10]) + send(2, 200) + wait(255) * 8)


def quantity():
    for n, (dimension, text) in enumerate((
            (0, "250ms"), (0, "1.5h"), (0, "9223372036854775807ns"), (0, "9223372036854775808ns"),
            (1, "64KiB"), (2, "20Mbit/s"), (3, "2%"), (3, "0.000000001%"), (3, "100%"), (4, "3/min"),
            (5, "5.5 packets"), (6, "1.2km"), (7, "-0.5"), (8, "1_000"), (0, "1.0000000001s"),
            (0, "00000000000000000000000000000001s"))):
        put("quantity", "text_%02d" % n, bytes([dimension, dimension]) + text.encode())


def gate():
    for n, text in enumerate((
            "peers.active min == 100% in storm", "peers.rtt p99.9 <= 150ms", "off",
            "peers.undelivered mean == 2% +- 0.5% up in storm on gameplay",
            "peers.bytes per second max < 200kbit/s down", "peers.disconnects total == 0 of runner",
            "peers.queue_age p99 < 20ms from storm to heal after 2s", "peers.backlog max < 64KiB of runner-0..2",
            "peers.latency p95 <= 240ms up in phase join on state", "peers.nothing max < 1", "",
            "peers.snapshot_age p95 < 90ms for every peer of runner, idle for every 2s in storm after 1s",
            "links.burst max < 3 packets up", "peers.corrections per minute p95 < 6 in heal",
            "server.amplification max <= 1x", "cost.tick p99 < 2ms", "links.delay p50 != 5ms \u00b1 1ms down",
            "peers.rtt p95 < 1s of any 2 of runner", "peers.correction_size max < 1.5m", "peers.rtt", "peers.rtt p96",
            "peers.rtt p95 < 1s in strom", "peers.retransmits per second last < 1", "peers.rtt p95 < 1s after -1s")):
        put("gate", "text_%02d" % n, text)


def traces():
    # Of three records, made by a program; the first byte says what the target does with it.
    whole = (here / "corpus/trace_reader/three_records").read_bytes()[1:]
    put("trace_reader", "three_records_cut", b"\xf1" + whole)
    put("trace_reader", "three_records_trailer", b"\x01" + whole[:-20] + b"\x01" + whole[-19:])
    put("trace_reader", "three_records_half", b"\x02" + whole[:700])


def filters():
    for n, text in enumerate((
            "", "peer == bot-1", "peer == bot", "peer != 2", "send", "!send", "type == receive && sequence < 10",
            "time >= 100ms && time < 0.2s", "send && (sequence == 4 || sequence == 7)", "!!send", "size > 65535",
            "lane != 256 && kind == snapshot", "kind > 0 || size != 100", "number == 17", "way == up", "down",
            "cause == loss", "fragment == 1 && try > 1", "message == 3", "reason == timeout", "age > 5ms", "tick <= 3",
            "flags & down", "per == bot-1", "peer == bot-9", "kind == snapshto", "time > 5", "size >", "size > 3 &&",
            "(size > 3", "size > 3)", "size > 3 size", "size = 3", "peer < bot", "recieve", "lane == bulk", "detail == 1",
            "peer == \"bot-2\"", "group == bot", "peer == bot-1 && send || receive && peer == bot-1", "!(peer == bot-1)", "size > 9" * 40)):
        put("filter", "text_%02d" % n, text)


def words_of_schema(part):
    if isinstance(part, list):
        return set().union(*map(words_of_schema, part)) if part else set()
    if not isinstance(part, dict):
        return set()
    found = {key for key in part.get("properties", {})}
    found |= {word for word in part.get("enum", []) if isinstance(word, str)}
    return found.union(*map(words_of_schema, part.values()))


def words():
    gate = """min mean max last p01 p50 p95 p99.9 total per second minute < <= > >= == != +- up down in phase
        from to after of on for every peer any all runner idle runner-0..2 join storm heal control gameplay state
        chat bulk peers.rtt peers.active peers.latency peers.bytes peers.undelivered links.delay server.bytes 1s
        150ms 5% 3 64KiB 200kbit/s packets 2x 1m""".split()
    filters = """peer bot bot-1 lane bulk type send receive kind snapshot flags down sequence tick size age detail number
        way up message fragment try cause loss reason timeout group == != < <= > >= && || ! ( ) none - 3 100ms""".split()
    schema = json.loads((tree / "scenarios/schema.json").read_text())
    scenario = sorted(words_of_schema(schema)) + gate + ["= ", "[", "]", "{ ", " }", "[[at]]\n", ", ", "true", "\n"]
    for target, texts in (("gate", [" " + word for word in gate]),
                          ("filter", [" " + word for word in filters]), ("scenario", scenario)):
        lines = ['"%s"' % "".join(c if " " <= c <= "~" and c not in '"\\' else "\\x%02x" % ord(c) for c in text)
                 for text in texts]
        (here / (target + ".dict")).write_text("\n".join(lines) + "\n")


# What says nothing that another file of scenarios/ does not say too.
similar = ("t02_mean_loss", "t04_every_kind_is_lossy", "t06_wifi_hold", "t07_total_loss", "t08_perfect_link",
           "t13_blackhole", "transport_16", "bots_2000", "peers_128_lan")


def scenario():
    for path in sorted((tree / "scenarios").glob("*/*.toml")):
        # Those that need no other file, which the target leaves out.
        text = path.read_text()
        if "extends" not in text and "trace" not in text and ".toml" not in text and path.stem not in similar:
            put("scenario", path.stem, text)
    begin = "[scenario]\nphases = [\"join 5s\", \"play 20s\"]\n[bots.runner]\ncount = 8\n"
    put("scenario", "wrong_sections", """[scenario]
phases = ["in 5s", "Join 5s", "join", "join 5", "join 0s", "join -5s", "a 1ns", 3]
seed = -1
language = 2
duration = "2s"
[server]
tick_rate = "7Hz"
snapshot_rate = "13Hz"
input_rate = 3
snapshot_budget = "9B"
ticket_memory = "often"
via = "nowhere"
cost = { datagram = "2", handshake = "-1us", what = 1 }
[world]
objects = 99999
moving = "101%"
teleport = "1"
game = "chess"
interest = "1mm"
[transport]
kind = "enet"
cipher = "rot13"
profile = "tunde"
pacing = "3"
authorisation = { delay = "1h", at_once = 0 }
input_repeats = 99
rebind = "never"
fast_retransmit = 999
[initial]
tick = -1
packet_number = "x"
[bots.in]
[bots.runner]
count = 0
behaviour = "jumper"
join_at = "strom+1s"
clock = { offset = "9h", drift = "50%" }
stall = { every = "1s", for = "2s" }
reconnect = { tries = 0 }
script = ["0s dance", "x", 3]
frame_rate = "0Hz"
receive_buffer = "1B"
link = "nowhere"
[bots.scripted]
script = ["0s runner", "4s say", "5s ask", "6s leave", "8s join", "7s idle"]
[gates]
a = 3
[vary]
"links.default.rtt" = "10ms..5ms"
"bots.nobody.count" = [1, 2]
"server.max_peers" = "1..9 step 0"
[variants.big]
"bots.runner.cuont" = 3
""")
    put("scenario", "wrong_links", begin + """[links.default]
profile = "nowhere"
rtt = "1ms"
one_way_delay = "2ms"
jitter = { kind = "cauchy", p50 = "3ms", p99 = "2ms" }
loss = "50%"
burst = "1 packets"
rate = "1Mbit/s"
bad = { share = "100%", for = "0s" }
mtu = "5B"
mtu_reply = true
duplicate = { chance = "2" }
reorder = { chance = "1%" }
corrupt = { chance = "1%", kind = "bend" }
suspend = { every = "1s", for = "2s", side = "left" }
handover = { every = "1s", gap = "3s" }
slot = { every = "1ms" }
drops = { every = 0, list = [3, 1] }
nat = { idle = "0s", new = "name" }
discipline = { kind = "codel", buckets = 0, quantum = "1B" }
police = { rate = "1kbit/s" }
share = 0
via = "default"
[links.default.up]
rtt = "1ms"
queue = "1.5 packets"
[links.default.cross.flow]
direction = "left"
kind = "sometimes"
rate = "0bit/s"
phase = "strom"
[links.tabled]
jitter = { kind = "table", file = "no.csv", p50 = "0ms", p99 = "2ms", drift = "90%" }
mtu_reply = "yes"
[links.drifting]
jitter = { kind = "normal", p50 = "5ms", p99 = "9ms", drift = "200ms" }
mtu = "576B"
mtu_reply = true
[links.fair]
rate = "1Mbit/s"
queue = "64KiB"
discipline = { kind = "fq-codel", buckets = 8, quantum = "300B" }
[links.old]
model = "n1"
delay_us = -1
loss = 20000
rtt = "1ms"
[links.good.down]
jitter = { kind = "gamma", p50 = "1ms", p99 = "9ms" }
bad = "none"
burst = "none"
queue = "none"
suspend = "none"
mtu = "none"
""")
    acts = ("time = \"25s\"\ndo = \"kill\"", "phase = \"strom\"\ndo = \"kill\"", "do = \"kill\"", "time = \"1s\"",
            "time = \"1s\"\ndo = \"kil\"", "phase = \"play\"\nfor = \"21s\"\ndo = \"pause\"",
            "phase = \"play\"\nevery = \"5s\"\nfor = \"6s\"\ndo = \"pause\"", "time = \"1s\"\ndo = \"change\"",
            "time = \"1s\"\ndo = \"change\"\nset = { rate = \"1Mbit/s\", queue = \"9KiB\" }\nramp = \"9s\"\nwho = \"runner-8\"",
            "time = \"play+1s\"\ndo = \"rebind\"\nnew = \"name\"\nwho = \"any 9 of runner\"",
            "time = \"1s\"\ndo = \"behave\"", "time = \"1s\"\ndo = \"drop\"\nwhat = \"up frogs\"",
            "time = \"1s\"\ndo = \"delay\"\nby = \"-1s\"\nwhat = \"down snapshot tick 9..3 #0 every 0\"",
            "time = \"1s\"\ndo = \"corrupt\"\nbit = -1\nwhat = \"up input lane bluk\"",
            "time = \"1s\"\ndo = \"replay\"\nfrom = \"me\"\nafter = \"1s\"\nwhat = \"up bulk message 3.. fragment 1\"",
            "time = \"1s\"\ndo = \"duplicate\"\ncopies = 0\nwhat = \"\"", "time = \"1s\"\ndo = \"nothing\"",
            "time = \"1s\"\ndo = \"leave\"\nwho = \"server, all\"")
    put("scenario", "wrong_acts", begin + "".join("[[at]]\n" + act + "\n" for act in acts))
    for n, setting in enumerate(("bots.runner.cuont=3", "at.x.do=kill", "links.default.rtt", "=3", "scenario.seed=\"7\"",
                                 "bots.runner.script=[\"0s say\"]", "gates.g=off", "vars.x=3", "scenario.phases.0=x")):
        put("scenario", "setting_%d" % n, setting + "\0" + begin)
    put("scenario", "variables", "[vars]\nn = 3\nt = \"5s\"\n" + begin.replace("8", "\"$n\"") + "join_at = \"$t\"\n"
        "[bots.idle]\ncount = \"$m\"\n[vary]\n\"bots.runner.count\" = \"1..9 step 2\"\n\"links.default.rtt\" = [\"1ms\", \"2ms\"]\n")
    put("scenario", "two_phases", "[scenario]\nphases = [\"a 1s\", \"b 2s\"]\n[bots.runner]\n")
    put("scenario", "smallest", "[scenario]\nphases = [\"a 1s\"]\n[bots.b]\ncount = 1\n")
    put("scenario", "setting", "links.default.up.loss=3%\0[scenario]\nphases=[\"a 1s\"]\n[bots.b]\ncount=1\n")
    put("scenario", "wrong", "[scenario]\nphases = 3\n[bots.b]\ncount = \"$x\"\n[links.l]\ndelay=\"4 m\"\n[what]\n")
    put("scenario", "acts", "[scenario]\nphases = [\"a 9s\"]\n[bots.runner]\ncount = 9\n[[at]]\nt = \"a+1s\"\n"
        "do = \"kill\"\nwho = \"runner\"\n[[at]]\nt = \"2s\"\ndo = \"change\"\nlinks = \"default\"\nup.loss = \"9%\"\n")
    put("scenario", "broken_toml", "[scenario\nphases = [")
    put("scenario", "empty", "")


def envelope():
    head = lambda channel=2, kind=0x1234, epoch=0x0102030405060708, length=2, version=1, reserved=0: (
        b"LNET" + struct.pack("<BBHQIHH", version, channel, kind, epoch, 0x11223344, length, reserved))
    golden = head() + b"\x5a\xa5"
    put("envelope", "golden", golden)
    put("envelope", "cut", golden[:-1])
    put("envelope", "longer", golden + b"\0")
    put("envelope", "no_payload", head(length=0))
    put("envelope", "largest", head(length=1176) + bytes(1176))
    put("envelope", "too_large", head(length=1177) + bytes(1177))
    put("envelope", "other_version", head(version=2) + b"\x5a\xa5")
    put("envelope", "channel_4", head(channel=4) + b"\x5a\xa5")
    put("envelope", "kind_0", head(kind=0) + b"\x5a\xa5")
    put("envelope", "epoch_0", head(epoch=0) + b"\x5a\xa5")
    put("envelope", "reserved", head(reserved=1) + b"\x5a\xa5")
    for channel in range(4):
        put("envelope", "channel_%d_ok" % channel, head(channel=channel) + b"\x5a\xa5")


def negotiation():
    hello = lambda flags=1, rates=(128, 60, 64, 30), bound=1076, ticket=b"\x0a\x0b\x0c", zero=0: (
        struct.pack("<IQQQI4HHBBHH", 1, 0x1122334455667788, 6, 2, 9, *rates, bound, flags, zero, 0, len(ticket)) + ticket)
    put("negotiation", "hello", hello())
    put("negotiation", "hello_no_ticket", hello(ticket=b""))
    put("negotiation", "hello_ticket_256", hello(ticket=bytes(256)))
    put("negotiation", "hello_ticket_257", hello(ticket=bytes(257)))
    put("negotiation", "hello_flags", hello(flags=4))
    put("negotiation", "hello_needs", hello(flags=3))
    put("negotiation", "hello_zero", hello(zero=1))
    put("negotiation", "hello_rates", hello(rates=(60, 60, 61, 30)))
    put("negotiation", "hello_bound", hello(bound=1201))
    put("negotiation", "hello_cut", hello()[:-1])
    welcome = lambda epoch=12, profile=0: struct.pack("<QI3HQIHB", epoch, 34, 60, 60, 20, 2, 9, 1076, profile)
    put("negotiation", "welcome", welcome())
    put("negotiation", "welcome_epoch_0", welcome(epoch=0))
    put("negotiation", "welcome_profile", welcome(profile=2))
    put("negotiation", "bulk", struct.pack("<III", 1, 5, 9) + b"four")
    put("negotiation", "bulk_past_its_end", struct.pack("<III", 1, 6, 9) + b"four")
    put("negotiation", "bulk_wraps", struct.pack("<III", 1, 0xfffffffe, 0xffffffff) + b"four")
    record = lambda t, o, n, b: bytes([1, t, o, n, len(b)]) + b
    put("negotiation", "records", record(1, 0, 8, b"four") + record(1, 4, 8, b"four") + record(1, 0, 4, b"four")
        + record(2, 0, 9, b"a") + bytes([8, 2]) + record(2, 1, 9, b"b")[1:])


def ticket():
    one = lambda step, audience, player, visit, expires, nonce: bytes([step, audience, player, 0, visit, expires, nonce])
    put("ticket", "once_twice", bytes([50]) + one(0, 1, 7, 1, 7, 1) + one(0, 1, 7, 1, 7, 1))
    put("ticket", "full", bytes([50]) + b"".join(one(0, 1, 7, n, 7, n) for n in range(6)) + one(3, 1, 7, 9, 3, 9))
    put("ticket", "expired", bytes([50]) + one(0, 1, 7, 1, 0, 1) + one(1, 0, 7, 1, 7, 1))
    put("ticket", "bare", b"\x01" + bytes(103))
    put("ticket", "other_version", b"\x02" + bytes(103))


def peer():
    # The mode stands last: transport without authentication 1, slow authority 2, forgetful tickets 4.
    give = lambda name, data, mode=0: put("peer", name, data + bytes([mode]))
    hello = struct.pack("<IQQQI4HHBBHH", 1, 42, 0, 0, 0, 60, 60, 20, 1, 1076, 0, 0, 0, 0)
    connect = lambda which=0, player=1: bytes([0, 1, which, player])
    # Control kinds by their place in the target's list; a link's own epoch unless said otherwise.
    message = lambda kind, payload=b"", which=0, channel=0, lane=0, then=b"": (
        bytes([1, which, 1, len(payload)]) + payload + bytes([channel, kind, 1, lane]) + then)
    tick = bytes([6, 16])
    join = connect() + message(0, hello) + tick + message(1) + tick
    give("joined", join)
    give("input", join + message(6, bytes(8), channel=1, lane=17, then=b"\0") * 3 + tick)
    give("refused", join + message(6, bytes(8), channel=1, lane=17, then=b"\1") * 3 + tick)
    give("floods", join + message(4, b"x", then=b"\0") * 60 + tick)
    give("violates", join + message(11, b"x") * 40 + tick * 3)
    give("bye", join + message(2, b"\1") + tick + connect() + message(0, hello))
    give("crowd", b"".join(connect(n, n) for n in range(4)) + tick)
    give("same_player", connect(0, 1) + message(0, hello) + connect(1, 1) + message(0, hello, which=1) + tick * 2)
    give("raw", join + bytes([4, 0, 24]) + b"LNET" + bytes(20) + bytes([0]))
    give("speaks", join + b"".join(bytes([5, 0, n, 200, 1]) for n in range(40)) + tick * 2 + bytes([7, 0]))
    ticket = lambda player, nonce, audience=1, expires=3, bent=1: bytes([audience, player, expires, nonce, bent]) + (
        b"" if bent else b"\x09")
    ask = lambda *of: bytes([8]) + ticket(*of)
    asked = ask(1, 1) + ask(1, 1) + ask(2, 2, 0) + ask(3, 3, 1, 0) + ask(3, 4, 1, 3, 0)
    wait = bytes([6, 255])
    give("asks", asked + wait * 16 + asked)
    give("asks_slow", asked + tick * 4 + asked + wait, 2)
    give("asks_after_restart", asked + bytes([10]) + asked + wait, 4)
    # Without authentication the hello's ticket says who it is.
    enter = lambda which, *of: connect(which, 0) + bytes([9, which]) + ticket(*of) + bytes([0])
    give("tickets_in_hello", enter(0, 1, 1) + enter(1, 2, 2) + enter(2, 1, 3) + tick * 2 + enter(3, 2, 2) + wait, 1)
    give("tickets_wrong", enter(0, 1, 1, 0) + enter(1, 2, 2, 1, 3, 0) + enter(2, 1, 1) + wait, 1)


class Bits:
    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, width):
        self.value |= value << self.count
        self.count += width
        return self

    def gap(self, gap):
        if gap < 8:
            return self.put(gap << 1, 4)
        if gap < 72:
            return self.put((gap - 8) << 2 | 1, 8)
        return self.put(gap << 2 | 3, 16)

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def snapshot():
    head = lambda tick, number, count, serial=1, app=b"": struct.pack(
        "<IHBHHB", tick, number, 0, serial, count, len(app)) + app
    sized = lambda data, clock=1: struct.pack("<H", len(data)) + data + bytes([clock])
    absolute = lambda bits, schema, generation: bits.put(schema | generation << 4, 12).put(
        7 | 9 << 16 | 3 << 32 | 1 << 44 | 1 << 52, 60)
    delta = lambda bits: bits.put(1 | 1 << 2, 6).put(0, 1).put(3, 7).put(4, 7)
    first = head(103, 1, 1, app=b"app") + delta(Bits().gap(0).put(0, 1).put(3, 6)).bytes()
    two = head(103, 1, 2) + delta(delta(Bits().gap(3).put(0, 1).put(3, 6)).gap(2).put(1, 1)).bytes()
    known = head(104, 2, 1) + absolute(Bits().gap(6).put(1, 1), 2, 1).bytes()
    early = head(104, 3, 1, serial=2) + absolute(Bits().gap(200).put(1, 1), 0, 4).bytes()
    put("snapshot", "empty", sized(head(101, 1, 0)))
    put("snapshot", "delta", sized(first) + sized(first))
    put("snapshot", "two", sized(two) + sized(known))
    put("snapshot", "early", sized(early) + sized(early[:-1]))
    put("snapshot", "miss", sized(head(140, 9, 1) + delta(Bits().gap(3).put(0, 1).put(20, 6)).bytes(), 200))
    put("snapshot", "cold", sized(head(103, 1, 1) + Bits().gap(3).put(0, 1).put(3, 6).put(
        63, 6).put(1, 1).put(15, 4).put((1 << 60) - 1, 60).bytes()))
    put("snapshot", "count", sized(head(103, 1, 4000) + bytes(40)))


def control():
    message = lambda kind, serial, records: bytes([kind]) + struct.pack(
        "<H", 14 + sum(map(len, records))) + struct.pack("<HIQ", serial, 5, len(records)) + b"".join(records)
    one = lambda slot, generation, kind=1: struct.pack("<9H", slot, generation, kind, 65535, 1, 2, 3, 4, 5)
    put("control", "life", message(0, 1, [one(3, 1), one(4, 1, 2)]) + message(
        2, 2, [struct.pack("<3H", 3, 1, 7)]) + message(1, 3, [struct.pack("<2H", 3, 1)]) + message(0, 4, [one(3, 2)]))
    put("control", "full", message(0, 1, [one(n, 1) for n in range(16)]) + message(0, 2, [one(20, 1)]))
    put("control", "wrong", message(0, 1, [one(16384, 1)]) + message(0, 1, [one(1, 0)]) + message(0, 1, [one(1, 1, 9)]))
    put("control", "again", message(0, 1, [one(1, 1), one(1, 2), one(1, 2)]) + message(1, 9, [b"\x02\0\x01\0"]))


def keyframe():
    request = lambda everything, ids: bytes([0]) + struct.pack(
        "<HBQ", 9 + 4 * len(ids), everything, len(ids)) + b"".join(struct.pack("<2H", slot, 1) for slot in ids)
    ack = lambda newest, mask, serial: bytes([1]) + struct.pack("<HIH", newest, mask, serial)
    spawn = lambda kind: bytes([2, kind, 1]) + struct.pack("<2H", 5, 6)
    write = lambda slot, x, gone=1: bytes([3, slot]) + struct.pack("<2H", x, x) + bytes([gone])
    tick = lambda room: bytes([4]) + struct.pack("<2H", 0, 0) + bytes([room])
    begin = spawn(0) + spawn(1) + spawn(1) + tick(200)
    put("keyframe", "asked", begin + ack(0, 0, 1) + write(1, 9) + tick(200) + ack(2, 1, 1) + request(0, [0, 1]) + tick(90))
    put("keyframe", "flood", begin + request(1, []) * 9 + tick(255) + request(0, list(range(64))) + request(2, []))
    put("keyframe", "future", begin + ack(9, 0, 1) + ack(1, 0, 7) + ack(65535, 0xffffffff, 0))
    put("keyframe", "gone", begin + ack(1, 0, 1) + write(1, 8, 0) + tick(255) + ack(2, 1, 2) + spawn(2) + tick(0))


def message(newest, commands, views=(), mask=None, ack=(0, 0, 0), clock=0):
    mask = sum(1 << index for index, _ in views) if mask is None else mask
    data = struct.pack("<IBHHIHI", newest, len(commands), mask, *ack, clock)
    data += b"".join(struct.pack("<I", word) for word in commands)
    data += b"".join(struct.pack("<IHBB", *view) for _, view in views)
    return bytes([len(data)]) + data


def inputs():
    first = 0xffffff00
    tick = bytes([255])
    put("input", "walk", bytes([0]) + b"".join(
        message(first + n + 2 & 0xffffffff, [n, n - 1, n - 2] if n > 1 else [n]) + tick for n in range(20)))
    shot = message(first + 3, [1 << 20], [(0, (first - 3, 77, 1, 3))], ack=(9, 255, 4), clock=5)
    put("input", "shot", bytes([0]) + tick * 8 + shot + tick * 6)
    put("input", "wrap", bytes([120]) + b"".join(
        message(0xfffffff0 + n & 0xffffffff, [n] * 15) + tick for n in range(24)))
    put("input", "flood", bytes([0]) + b"".join(message(first + n, [n] * 15) for n in range(0, 60, 5)) + tick)
    put("input", "clock_only", bytes([0]) + message(first, [], clock=77) + tick)
    put("input", "mask_beyond", bytes([0]) + message(first, [1], mask=2))
    put("input", "cut", bytes([0, 20]) + message(first, [1])[1:20])


def feedback():
    block = lambda flags, *rest: struct.pack("<BIhbIH", flags, *rest)
    own = struct.pack("<IIhhHBBBB", 1 << 20, 1 << 21, -300, 6000, 4095, 1, 2, 100, 3)
    step = lambda ms, ticks: struct.pack("<BH", ms, ticks)
    whole = lambda n: block(7, 5 + n, -3, -2, 900000 + 50000 * n, 60)
    put("feedback", "steady", b"".join(step(50, 3) + whole(n) + own for n in range(12)))
    put("feedback", "jumps", b"".join(
        step(50, 60000 if n % 3 == 0 else 3) + whole(n) + own for n in range(12)))
    put("feedback", "early", step(1, 0) + block(0, 0, 0, 0, 0, 0) + own)
    put("feedback", "loose_fields", step(1, 1) + block(0, 1, 0, 0, 0, 0) + own)
    put("feedback", "outside", step(1, 1) + block(1, 1, 0, 0, 0, 0) + b"\xff" * 18)


for make in (inputs, feedback, snapshot, control, keyframe, envelope, negotiation, ticket, peer, bits, handshake, stranger, script, server, session, quantity, gate, scenario, filters,
             traces, words):
    make()
