// Bytes from outside as text for a terminal, for JSON and for a shell.
#include "harness/report/printable.hpp"

#include <gtest/gtest.h>

namespace cqfuzz {
namespace {

TEST(PrintableTest, NothingIsLeftThatATerminalObeys) {
    EXPECT_EQ(printable("plain é █"), "plain é █");
    EXPECT_EQ(printable("a\x1b[31m\a\n"), "a\\x1b[31m\\x07\\x0a");
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
    EXPECT_EQ(printable("\x7f"), "\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // C1
    EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // right to left from here
    EXPECT_EQ(printable("\xff"), "\\xff");
}

TEST(PrintableTest, BytesThatAreNotUtf8AreReplaced) {
    EXPECT_EQ(valid_utf8("é\n"), "é\n");
    const std::string mark = "\xef\xbf\xbd";
    EXPECT_EQ(valid_utf8("a\xff"), "a" + mark);
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), mark + mark + mark);  // a surrogate
    EXPECT_EQ(valid_utf8("\xc0\xaf"), mark + mark);             // too long
    EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), mark + mark + mark + mark);
    EXPECT_EQ(valid_utf8("\xe2\x80"), mark + mark);  // cut off
}

TEST(PrintableTest, ShellWordsAreQuotedWhereTheyHaveToBe) {
    EXPECT_EQ(shell_word("corpus/a-b_1.toml"), "corpus/a-b_1.toml");
    EXPECT_EQ(shell_word(""), "''");
    EXPECT_EQ(shell_word("with space"), "'with space'");
    EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_word("$HOME;*"), "'$HOME;*'");
    EXPECT_EQ(shell_word("new\nline'\\"), "$'new\\012line\\'\\\\'");
    EXPECT_EQ(shell_path("-o"), "./-o");
}

}  // namespace
}  // namespace cqfuzz
