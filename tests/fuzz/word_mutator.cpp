// SPDX-License-Identifier: MIT
//
// How libFuzzer changes texts of a language: beside its own ways with bytes, words are copied,
// repeated, taken away and put in the place of others nearby, so that what comes out still has
// words.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

class Dice {
public:
    explicit Dice(unsigned seed) : state_(seed * 2'654'435'761U + 1) {}
    // 0 .. count - 1; 0 of none.
    std::size_t below(std::size_t count) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 17;
        state_ ^= state_ << 5;
        return count == 0 ? 0 : state_ % count;
    }

private:
    std::uint32_t state_;
};

bool is_of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '%' || c == '-';
}

// Words with the spaces behind them, and every other character by itself.
std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        while (is_of_word(text[i]) && end < text.size() && is_of_word(text[end]))
            ++end;
        while (is_of_word(text[i]) && end < text.size() && text[end] == ' ')
            ++end;
        tokens.emplace_back(text.substr(i, end - i));
        i = end;
    }
    return tokens;
}

// A place of `tokens` at most `reach` before or behind `at`.
std::size_t near(const std::vector<std::string>& tokens, std::size_t at, Dice& dice) {
    constexpr std::size_t reach = 16;  // A line or two.
    const std::size_t first = at > reach ? at - reach : 0;
    return first + dice.below(std::min(tokens.size() - first, 2 * reach));
}

void change(std::vector<std::string>& tokens, Dice& dice) {
    const auto word_near = [&](std::size_t at) {
        std::size_t found = near(tokens, at, dice);
        for (unsigned tries = 0; tries < 8 && !is_of_word(tokens[found][0]); ++tries)
            found = near(tokens, at, dice);
        return found;
    };
    const std::size_t somewhere = dice.below(tokens.size());
    const std::size_t word = word_near(somewhere);
    const std::size_t other = word_near(word);
    const std::size_t count = 1 + dice.below(std::min<std::size_t>(tokens.size() - other, 6));
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(other);
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    switch (dice.below(4)) {
        case 0:
            tokens[word] = std::string(tokens[other]);
            return;
        case 1:
            std::swap(tokens[word], tokens[other]);
            return;
        case 2:
            tokens.erase(begin, end);
            return;
        default: {
            const std::vector<std::string> copied(begin, end);
            const std::size_t place = std::min(word + dice.below(2), tokens.size());
            tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(place), copied.begin(),
                          copied.end());
            return;
        }
    }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    Dice dice(seed);
    if (size == 0 || dice.below(8) == 0) return LLVMFuzzerMutate(data, size, max_size);
    std::vector<std::string> tokens = split({reinterpret_cast<const char*>(data), size});
    for (std::size_t i = 0; i <= dice.below(3) && !tokens.empty(); ++i)
        change(tokens, dice);
    std::string text;
    for (const std::string& token : tokens) {
        // Two words that meet stay two.
        if (!text.empty() && is_of_word(text.back()) && is_of_word(token[0])) text += ' ';
        text += token;
    }
    const std::size_t length = std::min(text.size(), max_size);
    std::copy_n(text.begin(), length, data);
    return length;
}
