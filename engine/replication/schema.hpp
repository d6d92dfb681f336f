// SPDX-License-Identifier: MIT
//
// What a game tells replication about its objects: explicit descriptors, one a kind, and the
// quantised state that is all that replication ever compares or sends. A set of schemas has a
// hash; two ends whose hashes differ must not talk.
// Spec: 001, replication (schema descriptors, object ids with generations).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace wt::replication {

inline constexpr unsigned fields_max = 5;
inline constexpr std::uint32_t slots_max = 16'384;  // 14 bits on the wire.
inline constexpr unsigned schemas_max = 16;         // 4 bits on the wire.
inline constexpr std::uint8_t no_field = 0xff;
inline constexpr std::uint8_t no_schema = 0xff;

// A player's slot on the server; an object has one owner or none.
using PlayerSlot = std::uint16_t;
inline constexpr PlayerSlot no_owner = 0xffff;

// One object's quantised state. Fields past the schema's count stay 0.
struct State {
    std::array<std::uint16_t, fields_max> fields{};

    friend constexpr bool operator==(const State&, const State&) = default;
};
static_assert(sizeof(State) == fields_max * sizeof(std::uint16_t));

// Bit n = field n differs.
[[nodiscard]] constexpr std::uint8_t dirty_mask(const State& a, const State& b) {
    unsigned mask = 0;
    for (unsigned i = 0; i < fields_max; ++i)
        mask |= (a.fields[i] != b.fields[i] ? 1u : 0u) << i;
    return static_cast<std::uint8_t>(mask);
}

// A slot is used again, under another generation; generation 0 is never given out.
struct ObjectId {
    std::uint16_t slot = 0;
    std::uint16_t generation = 0;

    [[nodiscard]] constexpr bool is_valid() const { return generation != 0; }
    friend constexpr auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

// One field. A difference is taken modulo 2^bits, so an angle may wrap, and written in the smallest
// class that holds it: nothing, small_bits, medium_bits, bits. A class of n bits holds
// differences from -2^(n-1) to 2^(n-1) - 1.
struct FieldSpec {
    const char* name = "";
    std::uint8_t bits = 16;        // 1..16; an absolute value takes so many.
    std::uint8_t small_bits = 5;   // 1..medium_bits.
    std::uint8_t medium_bits = 9;  // small_bits..bits.
};

enum class Relevance : std::uint8_t {
    always,   // To everybody.
    spatial,  // To those near it.
    owner,    // To its owner alone.
    team,     // To those of its team.
};

struct Schema {
    std::uint16_t kind = 0;  // Stable id, not 0: never given to another kind again.
    std::uint16_t version = 1;
    const char* name = "";
    std::uint8_t field_count = 0;  // 1..fields_max.
    std::array<FieldSpec, fields_max> fields{};
    // The first so many fields change often (0..4): each has its class written in every delta. One
    // bit says that none of the others changed.
    std::uint8_t hot_count = 3;
    // Fields that hold a position on the map, in the units of Viewpoint; both or none.
    std::uint8_t x_field = no_field;
    std::uint8_t y_field = no_field;
    // A field that the game changes when the object jumps: two versions with different values in it
    // must not be blended.
    std::uint8_t cut_field = no_field;
    std::uint8_t weight = 4;  // Importance, 1..16: what a tick of waiting counts.
    Relevance relevance = Relevance::spatial;
    bool nearest_first = false;  // The nearest ones come before everything else (avatars).
};

enum class SchemaStatus : std::uint8_t {
    ok,
    bad_kind,   // 0, or already there.
    bad_field,  // Count, widths or classes outside their bounds.
    bad_place,  // x, y or cut field that does not exist, or x without y.
    bad_weight,
    full,
};

// Where the differences of the hot fields stand for one value of all their classes together (and
// of the bit that says whether others changed), counted from the first class on. Fields that are
// not hot have no bits.
struct alignas(16) HotRow {
    static constexpr std::uint8_t not_whole = 0xff;

    std::array<std::uint16_t, 4> mask{};  // As many ones as the field's class has bits.
    std::array<std::uint8_t, 4> offset{};
    std::uint8_t total = 0;  // Bits of the whole delta; not_whole if others changed too.
};
static_assert(sizeof(HotRow) == 16);

// A schema as the coders read it.
struct Layout {
    std::vector<HotRow> hot{};    // By classes, 2 bits a field, and the bit after them.
    std::uint32_t hot_mask = 0;   // Of their bits.
    std::uint64_t lane_mask = 0;  // Of the first four fields, 16 bits each, the first one lowest.
    std::uint16_t last_mask = 0;  // Of the fifth.
    std::array<std::array<std::uint8_t, 4>, fields_max> width{};  // Of each field's classes.
    std::uint8_t field_count = 0;
    std::uint8_t hot_count = 0;
    std::uint8_t absolute_bits = 0;  // Of all fields together.
    std::uint8_t cold_flag = 0;      // 1 if there are other fields than the hot ones.
};

class SchemaSet {
public:
    // The order of adding is part of the set: it numbers the schemas on the wire.
    [[nodiscard]] SchemaStatus add(const Schema& schema);

    // Index of a kind, or no_schema.
    [[nodiscard]] std::uint8_t find(std::uint16_t kind) const;
    [[nodiscard]] const Schema& at(std::uint8_t index) const { return schemas_[index]; }
    [[nodiscard]] const Layout& layout(std::uint8_t index) const { return layouts_[index]; }
    [[nodiscard]] const std::vector<Layout>& layouts() const { return layouts_; }
    [[nodiscard]] std::uint8_t count() const { return static_cast<std::uint8_t>(schemas_.size()); }
    // Of everything that both ends must agree on, names included; what concerns the server alone
    // (weight, relevance) is left out.
    [[nodiscard]] std::uint64_t hash() const;
    // Whether every field of `state` fits its width, and none lies past the count.
    [[nodiscard]] bool fits(std::uint8_t index, const State& state) const;

private:
    std::vector<Schema> schemas_{};
    std::vector<Layout> layouts_{};
};

}  // namespace wt::replication
