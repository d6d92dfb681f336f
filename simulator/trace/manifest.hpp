// SPDX-License-Identifier: MIT
//
// The trace format, once: everything that has a place in the file stands in these lists, and the
// structs, the code that stores and loads them, the words and the tables of README.md come from
// here. A list entry is ENTRY(name, type or unit, what it means). Append only; whatever changes
// what stands already raises format_version.
#pragma once

#include <cstdint>

namespace wt::trace {

inline constexpr std::uint32_t format_version = 1;

// One record: 32 bytes. What a field means depends on the record's type.
#define WT_TRACE_RECORD(ENTRY)                                                               \
    ENTRY(time, std::int64_t, "virtual ns; never smaller than in the record before")         \
    ENTRY(peer, std::uint16_t, "index into the peers table; 0 server, 65535 nobody")         \
    ENTRY(lane, std::uint8_t, "lane, or 255 where there is none")                            \
    ENTRY(type, std::uint8_t, "table of types")                                              \
    ENTRY(kind, std::uint16_t, "message kind; connection: table of changes")                 \
    ENTRY(flags, std::uint16_t, "table of flags, as bits")                                   \
    ENTRY(sequence, std::uint32_t, "of the datagram, counted by its host; else see types")   \
    ENTRY(tick, std::uint32_t, "tick that the content is about, as the application said it") \
    ENTRY(size, std::uint16_t, "bytes of UDP payload or message, at most 65535")             \
    ENTRY(age, std::uint32_t, "us, at most 2^32-1; what is aged: see types")                 \
    ENTRY(detail, std::uint16_t, "see types")

// The file begins with this.
#define WT_TRACE_HEADER(ENTRY)                                                      \
    ENTRY(magic, std::uint64_t, "0x0a1a0a6563617274: `trace`, then LF, SUB, LF")    \
    ENTRY(version, std::uint32_t, "format_version")                                 \
    ENTRY(header_bytes, std::uint32_t, "64; where the first section lies")          \
    ENTRY(seed, std::uint64_t, "of the run")                                        \
    ENTRY(schema_hash, std::uint64_t, "of the game's schema set; 0 without a game") \
    ENTRY(end, std::int64_t, "virtual ns: end of the scenario")                     \
    ENTRY(digest_version, std::uint32_t, "of the run's digest")                     \
    ENTRY(tick_rate, std::uint32_t, "Hz")                                           \
    ENTRY(initial_tick, std::uint32_t, "number of the server's first tick")         \
    ENTRY(peers, std::uint32_t, "entries of the peers table")                       \
    ENTRY(hash, std::uint64_t, "of the 56 bytes before")

// In front of every section; its payload follows, then zeros up to the next multiple of 32.
#define WT_TRACE_SECTION_HEAD(ENTRY)                               \
    ENTRY(mark, std::uint32_t, "0x74636573")                       \
    ENTRY(section, std::uint32_t, "table of sections")             \
    ENTRY(bytes, std::uint64_t, "of the payload, without padding") \
    ENTRY(hash, std::uint64_t, "of the payload")                   \
    ENTRY(first, std::uint64_t, "records: number of the first; series: see there; else 0")

// What sections hold.
#define WT_TRACE_SECTIONS(ENTRY)                                                           \
    ENTRY(about, 1, "strings and tables: scenario, names, phases, acts, gates as written") \
    ENTRY(records, 2, "65536 records, fewer in the last section; then its index by peer")  \
    ENTRY(series, 3, "16 cells of every series of every peer at one level of the pyramid") \
    ENTRY(payload, 4, "bytes of delivered messages, where asked for")                      \
    ENTRY(blocks, 5, "one entry a records section")                                        \
    ENTRY(counts, 6, "records kept and dropped, in all and by peer")                       \
    ENTRY(results, 7, "gates as judged, digest of the run, exit code")                     \
    ENTRY(anomalies, 8, "one entry each, in order of time")                                \
    ENTRY(wall, 9, "wall-clock figures: outside of every digest and comparison")           \
    ENTRY(directory, 10, "one entry a section but this one")

// The file ends with this, if the run came to its end.
#define WT_TRACE_TRAILER(ENTRY)                                                    \
    ENTRY(directory, std::uint64_t, "file offset of the directory's section head") \
    ENTRY(file_bytes, std::uint64_t, "of the whole file")                          \
    ENTRY(hash, std::uint64_t, "of the 16 bytes before")                           \
    ENTRY(magic, std::uint64_t, "as in the header")

#define WT_TRACE_DIRECTORY(ENTRY)                                   \
    ENTRY(section, std::uint32_t, "table of sections")              \
    ENTRY(count, std::uint32_t, "series: cells in it; else 0")      \
    ENTRY(offset, std::uint64_t, "file offset of the section head") \
    ENTRY(bytes, std::uint64_t, "of its payload")                   \
    ENTRY(first, std::uint64_t, "as in its head")

#define WT_TRACE_BLOCK(ENTRY)                                                        \
    ENTRY(offset, std::uint64_t, "file offset of the first record")                  \
    ENTRY(first_record, std::uint64_t, "its number in this file")                    \
    ENTRY(count, std::uint32_t, "records")                                           \
    ENTRY(reserved, std::uint32_t, "0")                                              \
    ENTRY(first_time, std::int64_t, "of its first record")                           \
    ENTRY(last_time, std::int64_t, "of its last record")                             \
    ENTRY(digest_high, std::uint64_t, "chained digest of all records up to its end") \
    ENTRY(digest_low, std::uint64_t, "")                                             \
    ENTRY(hash, std::uint64_t, "of its records")

#define WT_TRACE_ANOMALY(ENTRY)                                                      \
    ENTRY(time, std::int64_t, "virtual ns")                                          \
    ENTRY(record, std::uint64_t, "number of its record; 2^64-1 where there is none") \
    ENTRY(value, std::int64_t, "see the table of anomalies")                         \
    ENTRY(peer, std::uint16_t, "as in records")                                      \
    ENTRY(anomaly, std::uint16_t, "table of anomalies")                              \
    ENTRY(detail, std::uint32_t, "see the table of anomalies")

// Record types, from 1. The text says what the fields with changing meaning hold.
#define WT_TRACE_TYPES(ENTRY)                                                             \
    ENTRY(send, 1, "handed to the link; age since Send accepted it; detail message id")   \
    ENTRY(fragment, 2, "follows its send: age = index + 256 x transmission; size = seq.") \
    ENTRY(drop, 3, "never arrives; age since it happened; detail cause")                  \
    ENTRY(duplicate, 4, "the first link made a copy, which has this sequence")            \
    ENTRY(queue, 5, "waited in the first link's queue for age")                           \
    ENTRY(receive, 6, "read from the socket; age on the way; detail message id")          \
    ENTRY(deliver, 7, "message handed on; age since Send; detail id; sequence bytes")     \
    ENTRY(refuse, 8, "Send said no; size of the message; detail status")                  \
    ENTRY(acked, 9, "a fragment was acknowledged; detail message id; age as in fragment") \
    ENTRY(rtt, 10, "round trip measured: age")                                            \
    ENTRY(connection, 11, "kind what; detail close reason; sequence epoch")               \
    ENTRY(input, 12, "input reached the server; age before its cut, or late; tick")       \
    ENTRY(input_missing, 13, "a tick was cut without this peer's input")                  \
    ENTRY(apply, 14, "a newer snapshot was applied; tick; age of the snapshot")           \
    ENTRY(response, 15, "an own input tick was confirmed; age since it was made")         \
    ENTRY(correction, 16, "prediction was corrected; detail mm")                          \
    ENTRY(baseline_miss, 17, "a delta without its baseline was refused")                  \
    ENTRY(keyframe_request, 18, "the client asked for a whole snapshot")                  \
    ENTRY(desync, 19, "a confirmed state was not the server's")                           \
    ENTRY(ticket_refused, 20, "a join ticket was refused")                                \
    ENTRY(tick, 21, "detail peers connected; size newly refused; age work as declared")   \
    ENTRY(act_begin, 22, "timeline; detail number in the acts table")                     \
    ENTRY(act_end, 23, "timeline; detail number in the acts table")

#define WT_TRACE_FLAGS(ENTRY)                                                             \
    ENTRY(down, 0, "from the server to the peer; without it from the peer to the server") \
    ENTRY(server_side, 1, "the server's host noted it; without it the peer's")            \
    ENTRY(copy, 2, "a copy that a link made")                                             \
    ENTRY(reordered, 3, "receive: a later one had come before")                           \
    ENTRY(on_path, 4, "drop: decided by a shared link, not by the first one")             \
    ENTRY(at_socket, 5, "drop: decided at the receiver's socket")                         \
    ENTRY(reliable, 6, "deliver: reliable and in order; send: see its fragment record")   \
    ENTRY(late, 7, "input: after its cut, by age")                                        \
    ENTRY(planned, 8, "connection: the scenario or the behaviour asked for it")           \
    ENTRY(teleport, 9, "correction: the server moved the avatar")                         \
    ENTRY(handshake, 10, "the datagram has no connection yet")                            \
    ENTRY(payload, 11, "deliver: its bytes stand in a payload section")

// What `kind` of a connection record says.
#define WT_TRACE_CHANGES(ENTRY)                                          \
    ENTRY(wanted, 1, "the scenario wants this bot in")                   \
    ENTRY(not_wanted, 2, "it left, was killed, or has no way to return") \
    ENTRY(attempt, 3, "connect was called")                              \
    ENTRY(up, 4, "the transport's connection is established")            \
    ENTRY(down, 5, "it ended; detail says why")                          \
    ENTRY(active, 6, "the game's session is active at this end")

// How the values of one cell come together.
enum class Fold : std::uint8_t {
    range,  // Smallest and largest value.
    peak,   // Both are the largest value.
    sum,    // Both are the sum; levels above keep smallest and largest sum.
};

// Per peer, one cell for every 100 ms. Values are 32 bits, saturating.
#define WT_TRACE_SERIES(ENTRY)                                                             \
    ENTRY(rtt, range, "us", "samples of both ends")                                        \
    ENTRY(srtt, range, "us", "smoothed, the server's")                                     \
    ENTRY(rto, range, "us", "timeout of the oldest unacknowledged fragment, both ends")    \
    ENTRY(queue_age_up, peak, "us", "oldest message not handed over, any lane, the bot's") \
    ENTRY(queue_age_down, peak, "us", "the server's, any lane")                            \
    ENTRY(queue_age_control, peak, "us", "by lane, both ends")                             \
    ENTRY(queue_age_gameplay, peak, "us", "")                                              \
    ENTRY(queue_age_state, peak, "us", "")                                                 \
    ENTRY(queue_age_chat, peak, "us", "")                                                  \
    ENTRY(queue_age_bulk, peak, "us", "")                                                  \
    ENTRY(unacked_age, peak, "us", "oldest unacknowledged fragment, both ends")            \
    ENTRY(backlog, peak, "B", "not acknowledged or not handed over, both ends")            \
    ENTRY(snapshot_age, range, "us", "of the newest applied snapshot, each frame")         \
    ENTRY(view_age, range, "us", "of what is shown, each frame")                           \
    ENTRY(jitter_buffer, range, "us", "newest snapshot minus what is shown")               \
    ENTRY(lead, range, "us", "predicted time before the server's")                         \
    ENTRY(input_margin, range, "us", "input before its cut; negative: late")               \
    ENTRY(response, range, "us", "own input made until confirmed")                         \
    ENTRY(inputs_missing, sum, "1", "ticks cut without an input")                          \
    ENTRY(starved, sum, "1", "frames that showed beyond the newest snapshot")              \
    ENTRY(corrections, sum, "1", "without teleports")                                      \
    ENTRY(correction_size, peak, "mm", "")                                                 \
    ENTRY(baseline_misses, sum, "1", "")                                                   \
    ENTRY(bytes_up, sum, "B", "UDP payload handed over by the bot")                        \
    ENTRY(bytes_down, sum, "B", "UDP payload handed over by the server")                   \
    ENTRY(datagrams_up, sum, "1", "")                                                      \
    ENTRY(datagrams_down, sum, "1", "")                                                    \
    ENTRY(lost_up, sum, "1", "datagrams dropped, whatever the cause")                      \
    ENTRY(lost_down, sum, "1", "")                                                         \
    ENTRY(retransmits, sum, "1", "transmissions after the first, both ends")               \
    ENTRY(active, peak, "1", "1: both ends are in")                                        \
    ENTRY(objects_visited, peak, "1", "peer 0: gather and encode of one tick")             \
    ENTRY(staleness, peak, "us", "oldest change not in any snapshot, when one is sent")    \
    ENTRY(updates, range, "1", "object updates of a snapshot")                             \
    ENTRY(tick_opened, peak, "1", "peer 0: datagrams read since the tick before")          \
    ENTRY(tick_inputs, peak, "1", "peer 0: inputs that came with them")                    \
    ENTRY(tick_updates, peak, "1", "peer 0: object updates that one tick encoded")         \
    ENTRY(tick_sealed, peak, "1", "peer 0: datagrams sent since the tick before")          \
    ENTRY(lateness, range, "us", "a snapshot's age when applied, above the least so far")  \
    ENTRY(buffer, range, "us", "lateness that what is shown has room for; each frame")

#define WT_TRACE_ANOMALIES(ENTRY)                                                           \
    ENTRY(gate, 1, "a gate failed; value its worst; detail number in the gates table")      \
    ENTRY(disconnect, 2, "an unplanned end; detail close reason")                           \
    ENTRY(loss_burst, 3, "value datagrams in a row lost on the first link")                 \
    ENTRY(backoff, 4, "a fragment was sent for the value-th time (4 or more)")              \
    ENTRY(backpressure, 5, "Send refused; detail status")                                   \
    ENTRY(queue_age, 6, "a message waited value us (500 ms or more) to be handed over")     \
    ENTRY(rtt_spike, 7, "value us: over twice the largest of the peer's first second")      \
    ENTRY(baseline_miss, 8, "")                                                             \
    ENTRY(correction, 9, "value mm (250 or more)")                                          \
    ENTRY(desync, 10, "")                                                                   \
    ENTRY(input_missing, 11, "value ticks in a row without an input (6 or more)")           \
    ENTRY(trace_drop, 12, "the recorder's memory was full; value records before it")        \
    ENTRY(refused, 13, "the server refused value (8 or more) datagrams or joins in a tick") \
    ENTRY(tick_overrun, 14, "value us of declared work, more than a tick has")              \
    ENTRY(ticket_refused, 15, "a join ticket was refused; said once a second and peer")

}  // namespace wt::trace
