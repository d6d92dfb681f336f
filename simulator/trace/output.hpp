// SPDX-License-Identifier: MIT
//
// Where a trace's bytes go: a file, or memory for tests. The first write that fails ends the
// writing, not the run: everything after it is counted and let go.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/base/bytes.hpp"

namespace wt::trace {

class Output {
public:
    // Opens and empties the file; is_good() says whether that worked.
    explicit Output(const std::string& path);
    // Appends to `memory`, which must outlive this.
    explicit Output(std::vector<std::uint8_t>& memory) : memory_(&memory) {}
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(ConstBytes bytes);
    // Closes the file; false where any byte is missing.
    bool close();

    [[nodiscard]] bool is_good() const { return is_good_; }
    // Handed in so far, written or not: the place of the next byte.
    [[nodiscard]] std::uint64_t position() const { return position_; }

private:
    std::FILE* file_ = nullptr;
    std::vector<std::uint8_t>* memory_ = nullptr;
    std::uint64_t position_ = 0;
    bool is_good_ = true;
};

}  // namespace wt::trace
