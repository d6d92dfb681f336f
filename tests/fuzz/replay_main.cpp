// SPDX-License-Identifier: MIT
//
// A main for fuzz targets without libFuzzer: runs every file of the corpus folders named, in the
// order of their names. An empty corpus is an error, so that a wrong path cannot pass. Options are
// libFuzzer's or mutant_option.cpp's, and no files.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);

int main(int count, char** arguments) {
    namespace fs = std::filesystem;
    LLVMFuzzerInitialize(&count, &arguments);
    std::vector<fs::path> files;
    for (int i = 1; i < count; ++i) {
        const fs::path place = arguments[i];
        if (fs::is_regular_file(place)) files.push_back(place);
        if (!fs::is_directory(place)) continue;
        for (const fs::directory_entry& entry : fs::directory_iterator(place))
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
        // Said first: when an input aborts, its name is the last line.
        std::printf("%s: %zu bytes\n", file.c_str(), bytes.size());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    std::printf("%zu inputs\n", files.size());
    return files.empty() ? 1 : 0;
}
