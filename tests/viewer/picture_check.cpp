// SPDX-License-Identifier: MIT
//
// picture_check FILE.png...: a picture of the viewer has many colours, and no colour but the
// panels' ground has most of it. Says which is not so and exits with 1.
#include <stb_image.h>

#include <cstdio>
#include <map>

int main(int argc, char** argv) {
    int bad = 0;
    for (int i = 1; i < argc; ++i) {
        int width = 0;
        int height = 0;
        int channels = 0;
        unsigned char* const pixels = stbi_load(argv[i], &width, &height, &channels, 3);
        if (pixels == nullptr || width < 320 || height < 240) {
            std::printf("%s: no picture\n", argv[i]);
            ++bad;
            continue;
        }
        std::map<unsigned, long> counts;
        const long all = static_cast<long>(width) * height;
        for (long at = 0; at < all; ++at) {
            const unsigned char* const pixel = pixels + at * 3;
            ++counts[static_cast<unsigned>(pixel[0] << 16 | pixel[1] << 8 | pixel[2])];
        }
        long most = 0;
        for (const auto& [colour, count] : counts)
            most = count > most ? count : most;
        const bool is_blank = counts.size() < 60 || most > all * 97 / 100;
        std::printf("%s: %d x %d, %zu colours, %ld %% of one%s\n", argv[i], width, height,
                    counts.size(), most * 100 / all, is_blank ? "   BLANK" : "");
        bad += is_blank ? 1 : 0;
        stbi_image_free(pixels);
    }
    return argc > 1 && bad == 0 ? 0 : 1;
}
