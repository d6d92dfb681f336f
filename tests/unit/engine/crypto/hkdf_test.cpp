// SPDX-License-Identifier: MIT
//
// The SHA-256 vectors of RFC 5869 (appendix A.1-A.3), RFC 4231's HMAC vectors with a short and an
// over-long key, and the bounds of the expansion.
#include "engine/crypto/hkdf.hpp"

#include <doctest/doctest.h>

#include "tests/support/hex.hpp"

namespace wt::crypto {

using test::from_hex;
using test::to_hex;

namespace {

struct HkdfVector {
    const char* secret;
    const char* salt;
    const char* info;
    const char* key;
    const char* output;
};

void check_vector(const HkdfVector& vector) {
    const auto salt = from_hex(vector.salt);
    const auto secret = from_hex(vector.secret);
    const auto info = from_hex(vector.info);
    Mac key{};
    hkdf_extract(salt, secret, key);
    CHECK(to_hex(key) == vector.key);
    std::vector<std::uint8_t> output(from_hex(vector.output).size());
    hkdf_expand(key, {.label = info, .context = {}}, output);
    CHECK(to_hex(output) == vector.output);
}

}  // namespace

TEST_CASE("RFC 5869 test case 1") {
    check_vector({.secret = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
                  .salt = "000102030405060708090a0b0c",
                  .info = "f0f1f2f3f4f5f6f7f8f9",
                  .key = "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
                  .output = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
                            "34007208d5b887185865"});
}

TEST_CASE("RFC 5869 test case 2: longer inputs and output") {
    check_vector({.secret = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
                            "202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
                            "404142434445464748494a4b4c4d4e4f",
                  .salt = "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f"
                          "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
                          "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
                  .info = "b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
                          "d0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef"
                          "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
                  .key = "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
                  .output = "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                            "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                            "cc30c58179ec3e87c14c01d5c1f3434f1d87"});
}

TEST_CASE("RFC 5869 test case 3: empty salt and info") {
    check_vector({.secret = "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
                  .salt = "",
                  .info = "",
                  .key = "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
                  .output = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"
                            "9d201395faa4b61a96c8"});
}

TEST_CASE("RFC 4231 vectors of HMAC-SHA-256") {
    Mac mac{};
    hmac_sha256(from_hex("4a656665"),
                from_hex("7768617420646f2079612077616e7420666f72206e6f7468696e673f"), mac);
    CHECK(to_hex(mac) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");

    // A key longer than one block is hashed first.
    const std::vector<std::uint8_t> long_key(131, 0xaa);
    const std::string_view text = "Test Using Larger Than Block-Size Key - Hash Key First";
    hmac_sha256(long_key, std::vector<std::uint8_t>(text.begin(), text.end()), mac);
    CHECK(to_hex(mac) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST_CASE("info in two parts equals info in one") {
    const Mac key{7};
    const auto whole = from_hex("0102030405");
    std::array<std::uint8_t, 40> one{};
    std::array<std::uint8_t, 40> two{};
    hkdf_expand(key, {.label = whole, .context = {}}, one);
    hkdf_expand(key, {.label = ConstBytes(whole).first(2), .context = ConstBytes(whole).subspan(2)},
                two);
    CHECK(one == two);
}

TEST_CASE("the largest expansion works and a shorter one is its beginning") {
    const Mac key{1, 2, 3};
    std::vector<std::uint8_t> largest(hkdf_bytes_max);
    std::vector<std::uint8_t> shorter(hkdf_bytes_max - 1);
    hkdf_expand(key, {}, largest);
    hkdf_expand(key, {}, shorter);
    CHECK(std::equal(shorter.begin(), shorter.end(), largest.begin()));
    CHECK(to_hex(ConstBytes(largest).last(32)) != to_hex(ConstBytes(largest).first(32)));
}

}  // namespace wt::crypto
