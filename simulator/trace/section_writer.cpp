// SPDX-License-Identifier: MIT
#include "simulator/trace/section_writer.hpp"

#include <array>

#include "engine/base/hash.hpp"

namespace wt::trace {

std::uint64_t SectionWriter::put(const SectionHead& head, ConstBytes payload) {
    std::array<std::uint8_t, SectionHead::stored_bytes> bytes{};
    head.store(bytes.data());
    output_.write(bytes);
    const std::uint64_t at = output_.position();
    output_.write(payload);
    const std::size_t over = payload.size() % section_alignment;
    static constexpr std::array<std::uint8_t, section_alignment> zeros{};
    if (over != 0) output_.write(ConstBytes(zeros).first(section_alignment - over));
    return at;
}

std::uint64_t SectionWriter::add(Section section, std::uint64_t first, ConstBytes payload,
                                 std::uint32_t count) {
    const std::uint32_t number = static_cast<std::uint32_t>(section);
    directory_.push_back({.section = number,
                          .count = count,
                          .offset = output_.position(),
                          .bytes = payload.size(),
                          .first = first});
    return put({.mark = section_mark,
                .section = number,
                .bytes = payload.size(),
                .hash = hash_bytes(payload, section_key),
                .first = first},
               payload);
}

void SectionWriter::finish() {
    std::vector<std::uint8_t> payload(directory_.size() * DirectoryEntry::stored_bytes);
    for (std::size_t i = 0; i < directory_.size(); ++i)
        directory_[i].store(payload.data() + i * DirectoryEntry::stored_bytes);
    const std::uint64_t at = output_.position();
    (void)put({.mark = section_mark,
               .section = static_cast<std::uint32_t>(Section::directory),
               .bytes = payload.size(),
               .hash = hash_bytes(payload, section_key),
               .first = 0},
              payload);
    Trailer trailer{.directory = at,
                    .file_bytes = output_.position() + Trailer::stored_bytes,
                    .hash = 0,
                    .magic = file_magic};
    std::array<std::uint8_t, Trailer::stored_bytes> bytes{};
    trailer.store(bytes.data());
    trailer.hash = hash_bytes(ConstBytes(bytes).first(Trailer::offset_hash), trailer_key);
    trailer.store(bytes.data());
    output_.write(bytes);
}

}  // namespace wt::trace
