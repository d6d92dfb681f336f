// SPDX-License-Identifier: MIT
//
// In front of the null suite and of the factory of its server.
#include "simulator/cipher/null_endpoints.hpp"
#include "simulator/cipher/null_suite.hpp"
#include "tests/support/nonce_ledger.hpp"

namespace wt::test {

void note_sealed(const std::uint8_t* key, std::uint64_t counter);

}  // namespace wt::test

// The names are the linker's: __real_X is what X was, __wrap_X is who gets the calls.
// NOLINTBEGIN
#define WT_SEAL_RECORD \
    "_ZN2wt3sim9NullSuite11seal_recordERKSt5arrayIhLm32EEmSt4spanIhLm18446744073709551615EEPh"
#define WT_SEAL_PACKET \
    "_ZN2wt3sim9NullSuite11seal_packetERKSt5arrayIhLm32EEmSt4spanIKhLm18446744073709551615EEPh"
#define WT_MAKE_SERVER "_ZN2wt3sim16make_null_serverERKNS_6secure12ServerConfigENS_7EntropyE"

using RecordSealer = void(const wt::secure::Key&, std::uint64_t, wt::MutableBytes, std::uint8_t*);
using PacketSealer = void(const wt::secure::Key&, std::uint64_t, wt::ConstBytes, std::uint8_t*);
using ServerMaker = std::unique_ptr<wt::transport::Endpoint>(const wt::secure::ServerConfig&,
                                                             wt::Entropy);
RecordSealer real_seal_record asm("__real_" WT_SEAL_RECORD);
RecordSealer wrap_seal_record asm("__wrap_" WT_SEAL_RECORD);
PacketSealer real_seal_packet asm("__real_" WT_SEAL_PACKET);
PacketSealer wrap_seal_packet asm("__wrap_" WT_SEAL_PACKET);
ServerMaker real_make_null_server asm("__real_" WT_MAKE_SERVER);
ServerMaker wrap_make_null_server asm("__wrap_" WT_MAKE_SERVER);

void wrap_seal_record(const wt::secure::Key& key, std::uint64_t counter, wt::MutableBytes bytes,
                      std::uint8_t* tag) {
    wt::test::note_sealed(key.data(), counter);
    real_seal_record(key, counter, bytes, tag);
}
void wrap_seal_packet(const wt::secure::Key& key, std::uint64_t counter, wt::ConstBytes bytes,
                      std::uint8_t* tag) {
    wt::test::note_sealed(key.data(), counter);
    real_seal_packet(key, counter, bytes, tag);
}
std::unique_ptr<wt::transport::Endpoint> wrap_make_null_server(
    const wt::secure::ServerConfig& config, wt::Entropy entropy) {
    wt::test::forget_nonces();
    return real_make_null_server(config, entropy);
}
// NOLINTEND
