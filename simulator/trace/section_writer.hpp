// SPDX-License-Identifier: MIT
//
// Puts sections one after the other and remembers where they lie, for the directory at the end.
#pragma once

#include <vector>

#include "simulator/trace/layout.hpp"
#include "simulator/trace/output.hpp"

namespace wt::trace {

class SectionWriter {
public:
    explicit SectionWriter(Output& output) : output_(output) {}

    // Returns the file offset of the payload.
    std::uint64_t add(Section section, std::uint64_t first, ConstBytes payload,
                      std::uint32_t count = 0);
    // Directory and trailer: nothing may follow.
    void finish();

    [[nodiscard]] Output& output() { return output_; }

private:
    std::uint64_t put(const SectionHead& head, ConstBytes payload);

    Output& output_;
    std::vector<DirectoryEntry> directory_{};
};

}  // namespace wt::trace
