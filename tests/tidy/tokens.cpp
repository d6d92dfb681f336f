// SPDX-License-Identifier: MIT
//
// Words that the determinism law bans (style guide, section 5), and where each is at home. Looked
// for in code only: comments and literals may say what they like.
#include <string>
#include <vector>

#include "tests/tidy/tree.hpp"

namespace wt::tidy {

namespace {

struct Ban {
    std::string_view token;
    std::string_view rule;
    std::vector<std::string_view> but_in;  // Files or folders.
};

const std::vector<Ban>& bans() {
    static const std::vector<Ban> all = {
        {"_clock::now", "D1: time comes in as an argument", {"simulator/gates/stopwatch.cpp"}},
        {"clock_gettime",
         "D1: time comes in as an argument",
         {"simulator/gates/stopwatch.cpp", "engine/udp"}},
        {"gettimeofday", "D1: time comes in as an argument", {}},
        {"sleep", "D1: nobody sleeps", {}},
        {"usleep", "D1: nobody sleeps", {}},
        {"float", "D2: integers only", {"viewer"}},
        {"double", "D2: integers only", {"viewer"}},
        {"<cmath>", "D3: no libm", {"viewer"}},
        {"<random>", "D4: luck is counter-based", {}},
        {"random_device", "D4: luck is counter-based", {}},
        {"rand", "D4: luck is counter-based", {}},
        {"randombytes_buf", "D4: only entropy.cpp asks the system", {"engine/crypto/entropy.cpp"}},
        {"unordered_map", "D6: ordered containers or vectors", {}},
        {"unordered_set", "D6: ordered containers or vectors", {}},
        {"std::hash", "D6: never order or hash by address", {}},
        {"uintptr_t", "D6: never order or hash by address", {}},
        {"<thread>", "D8: one place for workers", {"simulator/core/workers.cpp", "viewer"}},
        {"<atomic>",
         "D8: one place for workers",
         {"simulator/core/workers.cpp", "simulator/cli/interrupt.cpp",
          "simulator/gates/allocations.cpp", "viewer"}},
        {"<mutex>",
         "D8: one place for workers",
         {"simulator/core/workers.cpp", "simulator/core/shared_buffers.hpp", "viewer",
          "tests/support/nonce_ledger.cpp"}},
        {"getenv", "D10: the environment decides nothing", {"viewer/app/app.cpp"}},
        {"setlocale", "D10: no locale", {}},
        {"throw", "no exceptions of our own", {"simulator/cli/options.cpp"}},
        {"dynamic_cast", "no run-time type information", {}},
        {"goto", "no goto", {}},
    };
    return all;
}

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_token(const std::string& code, std::string_view token) {
    for (std::size_t at = code.find(token); at != std::string::npos;
         at = code.find(token, at + 1)) {
        const bool starts = !is_word(token.front()) || at == 0 || !is_word(code[at - 1]);
        const std::size_t end = at + token.size();
        const bool ends = !is_word(token.back()) || end == code.size() || !is_word(code[end]);
        // "_clock::now" is meant as the end of a name.
        if ((starts || token.front() == '_') && ends) return true;
    }
    return false;
}

bool is_excepted(const SourceFile& file, const Ban& ban) {
    for (const std::string_view place : ban.but_in) {
        if (file.path == place || file.is_under(place)) return true;
    }
    return false;
}

void check_marks(const SourceFile& file, Findings& findings) {
    // Written apart, so that this file does not find itself.
    const std::string mark = std::string("TO") + "DO";
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::size_t at = file.lines[i].find(mark);
        if (at != std::string::npos && file.lines[i].find('#', at) == std::string::npos) {
            findings.add(file.path, i + 1, mark + " without the number of an issue");
        }
    }
}

}  // namespace

void check_tokens(const Tree& tree, Findings& findings) {
    for (const SourceFile& file : tree.files) {
        if (!file.is_cpp()) continue;
        check_marks(file, findings);
        // Tests and tools measure and print; the law is the product's.
        if (file.is_under("tests")) continue;
        for (const Ban& ban : bans()) {
            if (is_excepted(file, ban)) continue;
            for (std::size_t i = 0; i < file.code.size(); ++i) {
                if (!has_token(file.code[i], ban.token)) continue;
                findings.add(file.path, i + 1,
                             std::string(ban.token) + ": " + std::string(ban.rule));
            }
        }
    }
}

}  // namespace wt::tidy
