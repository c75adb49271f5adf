// Case files: both forms, and every kind of bad input.
#include "harness/cli/case_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/scenario/verbs.hpp"

namespace cqfuzz::cli {
namespace {

namespace fs = std::filesystem;

class CaseFileTest : public testing::Test {
protected:
    CaseFileTest()
        : folder_(fs::path(testing::TempDir()) / ("cqfuzz_case_file_" + std::to_string(getpid()))) {
        fs::create_directories(folder_);
    }
    ~CaseFileTest() override { fs::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string written(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
    }

    fs::path folder_;
};

Case example() {
    Case content;
    content.title = "two finishes";
    content.scenario.ops = {OpFinish{}, OpFinish{}};
    content.scenario.topology.worker_cols = 3;
    legalise(content.scenario);
    return content;
}

TEST_F(CaseFileTest, BothFormsComeBackAsTheyWere) {
    const Case content = example();
    for (const char* name : {"case.toml", "encoded"}) {
        ASSERT_EQ(write_case(path(name), content), "");
        const Result<Case> read = load_case(path(name));
        ASSERT_TRUE(read) << read.message();
        EXPECT_TRUE(equal(read.value().scenario, content.scenario)) << name;
    }
    EXPECT_EQ(load_case(path("case.toml")).value().title, "two finishes");
    EXPECT_EQ(files(), 2u);
}

TEST_F(CaseFileTest, TextWithoutEndingIsReadAsACase) {
    const Result<Case> read = load_case(written("case", case_to_toml(example())));
    ASSERT_TRUE(read) << read.message();
    EXPECT_EQ(read.value().scenario.ops.size(), 2u);
}

TEST_F(CaseFileTest, BadInputIsOneLineThatNamesTheFile) {
    const std::string whole = case_to_toml(example());
    const std::string bad[] = {
        path("missing.toml"),
        folder_.string(),
        written("nonsense", "this is no case"),
        written("nonsense.toml", "]]]["),
        written("cut.toml", whole.substr(0, whole.size() / 2) + "\nfor"),
        written("bytes.toml", std::string("\x01\x02\x00\xff", 4)),
        written("illegal.toml", "format = 1\n[topology]\nworker_cols = 99\n"),
    };
    for (const std::string& file : bad) {
        const Result<Case> read = load_case(file);
        ASSERT_FALSE(read) << file;
        EXPECT_NE(read.message().find(file), std::string::npos) << read.message();
        EXPECT_EQ(read.message().find('\n'), std::string::npos) << read.message();
    }
}

TEST_F(CaseFileTest, BytesThatHoldNoOpAreRefused) {
    const Result<Case> read =
        load_case(written("garbage", std::string("\xff\xfe\xfd\xfc\x80\x80\x00\x01", 8)));
    EXPECT_FALSE(read);
}

TEST_F(CaseFileTest, EmptyFileIsRefused) {
    EXPECT_NE(load_case(written("empty", "")).message().find("is empty"), std::string::npos);
    EXPECT_FALSE(load_case(written("empty.toml", "")));
}

TEST_F(CaseFileTest, OnlyRegularFilesAreReadAndNeverWithoutEnd) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    for (const std::string& file :
         {path("pipe"), std::string("/dev/zero"), std::string("/dev/null")}) {
        EXPECT_NE(read_file(file).message().find("is not a regular file"), std::string::npos)
            << file;
    }
    EXPECT_FALSE(read_file("/proc/self/mem"));
    fs::resize_file(written("large", "x"), kFileBytesMax + 1);
    EXPECT_NE(read_file(path("large")).message().find("too large"), std::string::npos);
}

TEST_F(CaseFileTest, UnknownFaultOfACaseIsToldWithItsLine) {
    const Result<Case> read =
        load_case(written("f.toml", "# t\nformat = 1\nfault = \"no\\u001bsuch\"\n"));
    ASSERT_FALSE(read);
    EXPECT_NE(read.message().find("f.toml:3: unknown fault \"no\\x1bsuch\""), std::string::npos)
        << read.message();
}

TEST_F(CaseFileTest, WritingKeepsModeAndFollowsLinks) {
    fs::permissions(written("private", "old"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("private", path("link"));
    fs::create_symlink("new", path("dangling"));
    EXPECT_EQ(write_file(path("link"), "text"), "");
    EXPECT_EQ(write_file(path("dangling"), "text"), "");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_TRUE(fs::is_symlink(path("dangling")));
    EXPECT_EQ(read_file(path("private")).value(), "text");
    EXPECT_EQ(read_file(path("new")).value(), "text");
    EXPECT_EQ(fs::status(path("private")).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(files(), 4u);
}

TEST_F(CaseFileTest, WritingTouchesNothingBesideTheTarget) {
    written("out.part", "another's");
    EXPECT_EQ(write_file(path("out"), "text"), "");
    EXPECT_EQ(read_file(path("out.part")).value(), "another's");
    EXPECT_EQ(write_file(path(std::string(255, 'n')), "text"), "");
}

TEST_F(CaseFileTest, WhatIsNoRegularFileIsNotReplaced) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_NE(write_file(path("pipe"), "x").find("pipe: cannot be written: "),
              std::string::npos);  // nobody reads
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    fs::create_symlink("/dev/null", path("null"));
    EXPECT_EQ(write_file(path("null"), "x"), "");
    fs::create_symlink("/dev/full", path("full"));
    EXPECT_NE(write_file(path("full"), "x"), "");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_TRUE(fs::is_symlink(path("null")));
}

TEST_F(CaseFileTest, FileThatCannotBeWrittenLeavesNothing) {
    EXPECT_NE(write_file(path("no/such/folder/out"), "x"), "");
    fs::create_directory(path("folder"));
    EXPECT_NE(write_file(path("folder"), "x"), "");
    EXPECT_EQ(files(), 1u);
}

TEST_F(CaseFileTest, FlagGoesBeforeTheCaseAndNoneIsNoFault) {
    std::string name;
    EXPECT_TRUE(chosen_faults("", "", name));
    EXPECT_EQ(name, "");
    EXPECT_TRUE(chosen_faults("late-orphan-packed", "late-orphan-linear", name));
    EXPECT_EQ(name, "late-orphan-packed");
    const Result<rt::FaultSet> of_case = chosen_faults("", "late-orphan-linear", name);
    EXPECT_TRUE(of_case.value().any());
    const Result<rt::FaultSet> none = chosen_faults("none", "late-orphan-linear", name);
    EXPECT_FALSE(none.value().any());
    EXPECT_FALSE(chosen_faults("no-such-fault", "", name));
}

TEST_F(CaseFileTest, OpReadsAsInTheFile) {
    Scenario scenario;
    scenario.buffers.resize(1);
    scenario.ops = {OpFinish{}, OpWriteBuffer{0, 7}};
    EXPECT_EQ(op_toml_line(scenario, 1),
              "[[op]] kind = \"write_buffer\", buffer = 0, content_seed = 7");
    EXPECT_EQ(op_toml_line(scenario, 0), "[[op]] kind = \"finish\"");
}

TEST(SignatureFileNameTest, LongSignaturesThatDifferOnlyAtTheEndDiffer) {
    const std::string common = "hang|" + std::string(120, 'x');
    const std::string first = file_name_of_signature(common + "|EXEC_BUF");
    EXPECT_EQ(first, file_name_of_signature(common + "|EXEC_BUF"));
    EXPECT_NE(first, file_name_of_signature(common + "|STALL"));
    EXPECT_LE(first.size(), 120u);
    EXPECT_EQ(first.substr(0, 8), "hang-xxx");
    EXPECT_EQ(first.find_first_of("|/."), std::string::npos);
}

}  // namespace
}  // namespace cqfuzz::cli
