// SPDX-License-Identifier: MIT
//
// Series of the server alone, over the view in equal columns: what the tick plot stacks. Grids are
// of the bots; a server has one row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/source.hpp"

namespace wt::viewer {

class ServerSeries {
public:
    static constexpr std::uint32_t columns = 240;

    // Empty until the frame after the first time that it was asked for, and where the run has no
    // such series. Valid until the next frame.
    [[nodiscard]] const std::vector<Cell>& of(const std::string& key);
    // True: nobody asked for what is not there.
    bool refresh(const Source& source, Range view);

private:
    struct One {
        std::string key{};
        bool is_wanted = true;
        Range view{};
        std::uint64_t version = 0;
        std::vector<Cell> cells{};
    };
    std::vector<One> all_{};
    bool has_new_ = false;
};

}  // namespace wt::viewer
