// SPDX-License-Identifier: MIT
//
// Starts this program again, in a fresh process.
#pragma once

#include <string>
#include <vector>

namespace wt::sim {

// Runs ourselves with these arguments, standard output discarded; the exit code, or -1 if the
// process could not be started or was killed.
[[nodiscard]] int run_self(const std::vector<std::string>& arguments);

// A directory of its own where the system keeps such (TMPDIR, else /tmp), removed with everything
// in it at the end of its life.
class ScratchDirectory {
public:
    ScratchDirectory();
    ~ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    [[nodiscard]] bool is_valid() const { return !path_.empty(); }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

}  // namespace wt::sim
