// SPDX-License-Identifier: MIT
#include "engine/replication/schema.hpp"

#include <string_view>

#include "engine/base/hash.hpp"

namespace wt::replication {

namespace {

constexpr std::uint8_t field_bits_max = 16;
constexpr std::uint8_t hot_max = 4;
constexpr std::uint8_t weight_max = 16;

bool is_field_good(const FieldSpec& field) {
    return field.bits >= 1 && field.bits <= field_bits_max && field.small_bits >= 1 &&
           field.small_bits <= field.medium_bits && field.medium_bits <= field.bits;
}

bool is_place(std::uint8_t field, std::uint8_t count) {
    return field == no_field || field < count;
}

SchemaStatus judge(const Schema& schema) {
    if (schema.kind == 0) return SchemaStatus::bad_kind;
    if (schema.field_count < 1 || schema.field_count > fields_max) return SchemaStatus::bad_field;
    if (schema.hot_count > hot_max || schema.hot_count > schema.field_count) {
        return SchemaStatus::bad_field;
    }
    for (unsigned i = 0; i < schema.field_count; ++i) {
        if (!is_field_good(schema.fields[i])) return SchemaStatus::bad_field;
    }
    const bool places = is_place(schema.x_field, schema.field_count) &&
                        is_place(schema.y_field, schema.field_count) &&
                        is_place(schema.cut_field, schema.field_count);
    if (!places) return SchemaStatus::bad_place;
    if ((schema.x_field == no_field) != (schema.y_field == no_field)) {
        return SchemaStatus::bad_place;
    }
    if (schema.weight < 1 || schema.weight > weight_max) return SchemaStatus::bad_weight;
    return SchemaStatus::ok;
}

void fill_hot(Layout& layout) {
    const std::size_t combinations = std::size_t{1} << (2 * layout.hot_count);
    layout.hot.resize(combinations << layout.cold_flag);
    layout.hot_mask = static_cast<std::uint32_t>(layout.hot.size() - 1);
    for (HotRow& row : layout.hot)
        row.total = HotRow::not_whole;
    for (std::size_t classes = 0; classes < combinations; ++classes) {
        HotRow& row = layout.hot[classes];
        unsigned at = 2u * layout.hot_count + layout.cold_flag;
        for (unsigned i = 0; i < layout.hot_count; ++i) {
            row.offset[i] = static_cast<std::uint8_t>(at);
            const unsigned width = layout.width[i][classes >> (2 * i) & 3u];
            row.mask[i] = static_cast<std::uint16_t>((1u << width) - 1);
            at += width;
        }
        row.total = static_cast<std::uint8_t>(at);
    }
}

Layout make_layout(const Schema& schema) {
    Layout layout{.field_count = schema.field_count, .hot_count = schema.hot_count};
    layout.cold_flag = schema.hot_count < schema.field_count ? 1 : 0;
    for (unsigned i = 0; i < schema.field_count; ++i) {
        const FieldSpec& field = schema.fields[i];
        layout.width[i] = {0, field.small_bits, field.medium_bits, field.bits};
        layout.absolute_bits = static_cast<std::uint8_t>(layout.absolute_bits + field.bits);
    }
    for (unsigned i = 0; i < schema.field_count; ++i) {
        const std::uint64_t mask = (1u << schema.fields[i].bits) - 1;
        if (i < fields_max - 1) {
            layout.lane_mask |= mask << (16 * i);
        } else {
            layout.last_mask = static_cast<std::uint16_t>(mask);
        }
    }
    fill_hot(layout);
    return layout;
}

class Chain {
public:
    void add(std::uint64_t value) {
        hash_ = mix(hash_ ^ 0x9e37'79b9'7f4a'7c15, value ^ 0xe703'7ed1'a0b4'28db);
    }
    void add(const char* text) {
        const std::string_view view(text);
        add(view.size());
        for (const char c : view)
            add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    [[nodiscard]] std::uint64_t value() const { return hash_; }

private:
    std::uint64_t hash_ = 1;
};

}  // namespace

SchemaStatus SchemaSet::add(const Schema& schema) {
    const SchemaStatus status = judge(schema);
    if (status != SchemaStatus::ok) return status;
    if (find(schema.kind) != no_schema) return SchemaStatus::bad_kind;
    if (schemas_.size() == schemas_max) return SchemaStatus::full;
    schemas_.push_back(schema);
    layouts_.push_back(make_layout(schema));
    return SchemaStatus::ok;
}

std::uint8_t SchemaSet::find(std::uint16_t kind) const {
    for (std::uint8_t i = 0; i < count(); ++i) {
        if (schemas_[i].kind == kind) return i;
    }
    return no_schema;
}

std::uint64_t SchemaSet::hash() const {
    Chain chain;
    chain.add(schemas_.size());
    for (const Schema& schema : schemas_) {
        chain.add(schema.kind);
        chain.add(schema.version);
        chain.add(schema.name);
        chain.add(schema.field_count);
        chain.add(schema.hot_count);
        chain.add(schema.x_field);
        chain.add(schema.y_field);
        chain.add(schema.cut_field);
        for (unsigned i = 0; i < schema.field_count; ++i) {
            const FieldSpec& field = schema.fields[i];
            chain.add(field.name);
            chain.add(field.bits);
            chain.add(field.small_bits);
            chain.add(field.medium_bits);
        }
    }
    return chain.value();
}

bool SchemaSet::fits(std::uint8_t index, const State& state) const {
    const Schema& schema = schemas_[index];
    for (unsigned i = 0; i < fields_max; ++i) {
        const unsigned bits = i < schema.field_count ? schema.fields[i].bits : 0u;
        if (state.fields[i] >> bits != 0) return false;
    }
    return true;
}

}  // namespace wt::replication
