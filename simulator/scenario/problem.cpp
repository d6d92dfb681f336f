// SPDX-License-Identifier: MIT
//
// The layout of errors: place and message, the line, carets with a hint, notes. What comes from a
// file is untrusted: control characters become '?', long lines are cut around the place.
#include "simulator/scenario/problem.hpp"

#include <algorithm>

namespace wt::sim {

namespace {

constexpr std::size_t line_shown_max = 88;  // Columns of a source line that fit beside "   14 | ".
constexpr std::size_t names_compared_max = 64;  // Letters; longer words have no nearest name.

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

// Splits UTF-8 text into characters; control characters are replaced.
std::vector<std::string> characters_of(std::string_view text) {
    std::vector<std::string> characters;
    for (const char c : text) {
        if (continues_character(c) && !characters.empty()) {
            characters.back() += c;
            continue;
        }
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        characters.emplace_back(1, c == '\t' ? ' ' : (control ? '?' : c));
    }
    return characters;
}

std::string printable(std::string_view text, std::size_t most) {
    std::string shown;
    std::size_t count = 0;
    for (const std::string& character : characters_of(text)) {
        if (++count > most) return shown + "...";
        shown += character;
    }
    return shown;
}

std::string padded(std::uint32_t number) {
    std::string digits = std::to_string(number);
    if (digits.size() < 5) digits.insert(0, 5 - digits.size(), ' ');
    return digits;
}

// The source line and the carets under the place.
std::string excerpt(const Problem& problem) {
    const std::vector<std::string> characters = characters_of(problem.source_line);
    std::size_t column = problem.place.column > 0 ? problem.place.column - 1 : 0;
    column = std::min(column, characters.size());
    // Cut on the left only where the place would not be seen otherwise.
    const bool fits = column + std::max<std::size_t>(problem.place.length, 1) <= line_shown_max;
    const std::size_t first = fits || column < line_shown_max / 2 ? 0 : column - line_shown_max / 2;
    const std::size_t last = std::min(characters.size(), first + line_shown_max);
    std::string line;
    for (std::size_t i = first; i < last; ++i)
        line += characters[i];
    const std::size_t room = last > column ? last - column : 1;
    const std::size_t carets =
        std::clamp<std::size_t>(problem.place.length, 1, std::max<std::size_t>(room, 1));
    std::string text = padded(problem.place.line) + " | " + line + "\n";
    text += "      | " + std::string(column - first, ' ') + std::string(carets, '^');
    if (!problem.hint.empty()) text += " " + printable(problem.hint, 400);
    return text + "\n";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, above + 1, row[j - 1] + 1});
            diagonal = above;
        }
    }
    return row[b.size()];
}

bool earlier(const Problem& a, const Problem& b) {
    if (a.place.line != b.place.line) return a.place.line < b.place.line;
    return a.place.column < b.place.column;
}

}  // namespace

std::string format_problem(const Problem& problem, std::string_view kind) {
    std::string text = printable(problem.place.file, 300);
    if (problem.place.line > 0) {
        text += ":" + std::to_string(problem.place.line) + ":" +
                std::to_string(std::max(problem.place.column, 1u));
    }
    text += ": " + std::string(kind) + ": " + printable(problem.message, 400) + "\n";
    if (problem.place.line > 0) {
        text += excerpt(problem);
    } else if (!problem.hint.empty()) {
        text += "   " + printable(problem.hint, 400) + "\n";
    }
    for (const std::string& note : problem.notes)
        text += "   " + printable(note, 400) + "\n";
    return text;
}

std::string format_problems(std::span<const Problem> problems) {
    std::vector<Problem> sorted(problems.begin(), problems.end());
    // By place within a file; files keep the order in which their first problem was found.
    std::vector<std::string> files;
    for (const Problem& problem : sorted) {
        if (std::find(files.begin(), files.end(), problem.place.file) == files.end())
            files.push_back(problem.place.file);
    }
    const auto rank = [&](const Problem& problem) {
        return std::find(files.begin(), files.end(), problem.place.file) - files.begin();
    };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Problem& a, const Problem& b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return earlier(a, b);
    });
    std::string text;
    std::size_t shown = 0;
    for (const Problem& problem : sorted) {
        if (shown++ == problems_shown_max) break;
        text += format_problem(problem, "error") + "\n";
    }
    if (sorted.size() > problems_shown_max)
        text += "... and " + std::to_string(sorted.size() - problems_shown_max) + " more\n";
    text += std::to_string(sorted.size()) + (sorted.size() == 1 ? " error" : " errors");
    text += ", nothing was run. Reference: scenarios/README.md";
    if (!sorted.empty() && !sorted.front().section.empty()) text += "#" + sorted.front().section;
    return text + "\n";
}

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
    if (word.size() > names_compared_max) return "";
    std::string best;
    // Half of the letters may be wrong, and never more than three of them.
    std::size_t best_distance = std::min<std::size_t>(std::max<std::size_t>(word.size() / 2, 1), 3);
    ++best_distance;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > names_compared_max) continue;
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace wt::sim
