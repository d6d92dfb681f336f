// SPDX-License-Identifier: MIT
//
// Makes structs out of the manifest's lists: members, size, store and load, little endian, field
// by field (rule D9), and a description for README.md and the tools.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/base/bytes.hpp"
#include "simulator/trace/manifest.hpp"

namespace wt::trace {

struct FieldText {
    const char* name = "";
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    const char* text = "";
};

template <class T>
void store_field(std::uint8_t* at, T value) {
    store_little(at, static_cast<std::make_unsigned_t<T>>(value));
}
template <class T>
[[nodiscard]] T load_field(const std::uint8_t* at) {
    return static_cast<T>(load_little<std::make_unsigned_t<T>>(at));
}

// Enumerators count on from the one before: each field begins where the last one ended.
#define WT_LAYOUT_OFFSET(name, type, text) \
    offset_##name, end_##name = offset_##name + sizeof(type) - 1,
#define WT_LAYOUT_MEMBER(name, type, text) type name = 0;
#define WT_LAYOUT_STORE(name, type, text) store_field<type>(at + offset_##name, name);
#define WT_LAYOUT_LOAD(name, type, text) out.name = load_field<type>(at + offset_##name);
#define WT_LAYOUT_TEXT(name, type, text) {#name, offset_##name, sizeof(type), text},

// Name: the struct. LIST: the manifest's. `store` and `load` touch exactly `stored_bytes` bytes.
#define WT_TRACE_STRUCT(Name, LIST)                                    \
    struct Name {                                                      \
        LIST(WT_LAYOUT_MEMBER)                                         \
        enum : std::uint32_t { LIST(WT_LAYOUT_OFFSET) end_of_fields }; \
        static constexpr std::uint32_t stored_bytes = end_of_fields;   \
        void store(std::uint8_t* at) const { LIST(WT_LAYOUT_STORE) }   \
        [[nodiscard]] static Name load(const std::uint8_t* at) {       \
            Name out;                                                  \
            LIST(WT_LAYOUT_LOAD)                                       \
            return out;                                                \
        }                                                              \
        friend bool operator==(const Name&, const Name&) = default;    \
        static constexpr FieldText fields[] = {LIST(WT_LAYOUT_TEXT)};  \
    };

WT_TRACE_STRUCT(Record, WT_TRACE_RECORD)
WT_TRACE_STRUCT(Header, WT_TRACE_HEADER)
WT_TRACE_STRUCT(SectionHead, WT_TRACE_SECTION_HEAD)
WT_TRACE_STRUCT(Trailer, WT_TRACE_TRAILER)
WT_TRACE_STRUCT(DirectoryEntry, WT_TRACE_DIRECTORY)
WT_TRACE_STRUCT(Block, WT_TRACE_BLOCK)
WT_TRACE_STRUCT(Anomaly, WT_TRACE_ANOMALY)

static_assert(Record::stored_bytes == 32);
static_assert(Header::stored_bytes == 64);
static_assert(SectionHead::stored_bytes == 32);
static_assert(Trailer::stored_bytes == 32);
static_assert(DirectoryEntry::stored_bytes == 32);
static_assert(Block::stored_bytes == 64);
static_assert(Anomaly::stored_bytes == 32);

#define WT_TRACE_ENUM(name, value, text) name = value,
enum class Type : std::uint8_t { WT_TRACE_TYPES(WT_TRACE_ENUM) };
enum class Change : std::uint16_t { WT_TRACE_CHANGES(WT_TRACE_ENUM) };
enum class Section : std::uint32_t { WT_TRACE_SECTIONS(WT_TRACE_ENUM) };
enum class AnomalyKind : std::uint16_t { WT_TRACE_ANOMALIES(WT_TRACE_ENUM) };
#undef WT_TRACE_ENUM

#define WT_TRACE_FLAG(name, bit, text) inline constexpr std::uint16_t name = 1u << (bit);
namespace flag {
WT_TRACE_FLAGS(WT_TRACE_FLAG)
}
#undef WT_TRACE_FLAG

#define WT_TRACE_SERIES_ENUM(name, fold, unit, text) name,
enum class Series : std::uint8_t { WT_TRACE_SERIES(WT_TRACE_SERIES_ENUM) };
#undef WT_TRACE_SERIES_ENUM
#define WT_TRACE_SERIES_ONE(name, fold, unit, text) +1
inline constexpr std::uint32_t series_count = 0 WT_TRACE_SERIES(WT_TRACE_SERIES_ONE);
#undef WT_TRACE_SERIES_ONE

// What the README's tables and `trace info` say of a numbered word.
struct WordText {
    const char* name = "";
    std::uint32_t value = 0;
    const char* text = "";
};
struct SeriesText {
    const char* name = "";
    Fold fold = Fold::range;
    const char* unit = "";
    const char* text = "";
};
#define WT_TRACE_WORD(name, value, text) {#name, value, text},
#define WT_TRACE_SERIES_WORD(name, fold, unit, text) {#name, Fold::fold, unit, text},
inline constexpr WordText type_texts[] = {WT_TRACE_TYPES(WT_TRACE_WORD)};
inline constexpr WordText flag_texts[] = {WT_TRACE_FLAGS(WT_TRACE_WORD)};
inline constexpr WordText change_texts[] = {WT_TRACE_CHANGES(WT_TRACE_WORD)};
inline constexpr WordText section_texts[] = {WT_TRACE_SECTIONS(WT_TRACE_WORD)};
inline constexpr WordText anomaly_texts[] = {WT_TRACE_ANOMALIES(WT_TRACE_WORD)};
inline constexpr SeriesText series_texts[] = {WT_TRACE_SERIES(WT_TRACE_SERIES_WORD)};
#undef WT_TRACE_WORD
#undef WT_TRACE_SERIES_WORD

inline constexpr std::uint16_t no_peer = 65'535;
inline constexpr std::uint8_t no_lane = 255;
inline constexpr std::uint64_t no_record = ~std::uint64_t{0};
inline constexpr std::uint64_t file_magic = 0x0a1a'0a65'6361'7274;  // "trace\n\x1a\n"
inline constexpr std::uint32_t section_mark = 0x7463'6573;          // "sect"
inline constexpr std::uint32_t section_alignment = 32;
inline constexpr std::uint32_t block_records = 65'536;
// Series: cells of level L cover 100 ms x 16^L; a section has 16 of them.
inline constexpr std::int64_t cell_ns = 100'000'000;
inline constexpr std::uint32_t section_cells = 16;
inline constexpr std::uint32_t levels_max = 8;
// Keys of the hashes, so that one kind of bytes never passes for another.
inline constexpr std::uint64_t header_key = 1;
inline constexpr std::uint64_t section_key = 2;
inline constexpr std::uint64_t trailer_key = 3;
inline constexpr std::uint64_t records_key = 4;

}  // namespace wt::trace
