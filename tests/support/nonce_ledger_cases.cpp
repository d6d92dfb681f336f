// SPDX-License-Identifier: MIT
//
// A ledger begins with each test case.
#include <doctest/doctest.h>

#include "tests/support/nonce_ledger.hpp"

namespace {

struct LedgerByCase final : doctest::IReporter {
    explicit LedgerByCase(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData&) override { wt::test::forget_nonces(); }
    void test_case_reenter(const doctest::TestCaseData&) override { wt::test::forget_nonces(); }
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace

REGISTER_LISTENER("nonce_ledger", 1, LedgerByCase);
