#include "report/text.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumbline::report {
namespace {

TEST(CountText, SetsThousandsApart) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(45312), "45,312");
  EXPECT_EQ(count_text(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Text, EscapesWhatMarkupWouldRead) {
  EXPECT_EQ(escape("<script>alert(\"x\" & 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
  EXPECT_EQ(escape("größer – 数"), "größer – 数");
}

TEST(Text, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escape(std::string_view("a\0b\x1b", 4)), "a\uFFFDb\uFFFD");
  EXPECT_EQ(escape("tab\tand\nnewline"), "tab\tand\nnewline");
  EXPECT_EQ(escape("\xFF\xC3"), "\uFFFD\uFFFD");            // a stray byte, a cut character
  EXPECT_EQ(escape("\xC0\xBC"), "\uFFFD\uFFFD");            // '<' in two bytes
  EXPECT_EQ(escape("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(escape("\xEF\xBF\xBE").find("\xEF\xBF\xBE"), std::string::npos);  // U+FFFE
}

TEST(Text, WritesNumbersAsPeopleDo) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.312749), "0.3127");
  EXPECT_EQ(number_text(-2.5), "−2.5");
  EXPECT_EQ(number_text(1234567), "1,234,567");
  EXPECT_EQ(number_text(999.96), "1,000");
  EXPECT_EQ(number_text(1.5e-7), "1.5×10⁻⁷");
  EXPECT_EQ(number_text(-1e20), "−10²⁰");
  EXPECT_EQ(number_text(9.99999e-5), "10⁻⁴");
}

TEST(Text, HasADashForWhatIsNoNumber) {
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "–");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "–");
}

TEST(Text, RoundsToZeroWithoutASign) {
  EXPECT_EQ(fixed_text(-0.001, 2), "0.00");
  EXPECT_EQ(fixed_text(-1234.5, 1), "−1,234.5");
}

TEST(Text, CountsCharactersNotBytes) {
  EXPECT_EQ(length("größer"), 6u);
  EXPECT_EQ(length("−½"), 2u);
}

TEST(Text, WrapsAtSpacesOnly) {
  const auto lines = wrap("one two three four", 10, text_width("one two ", 10));
  EXPECT_EQ(lines, (std::vector<std::string>{"one two", "three", "four"}));
  EXPECT_EQ(wrap("unbreakable", 10, 1), std::vector<std::string>{"unbreakable"});
  EXPECT_TRUE(wrap("", 10, 100).empty());
}

TEST(Text, ShortensBetweenCharacters) {
  EXPECT_EQ(shorten("short", 10, 1000), "short");
  const std::string cut = shorten("ööööööööööööööööööö", 10, 60);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 10), 70);
  EXPECT_EQ(cut.find("�"), std::string::npos);
  EXPECT_EQ(escape(cut), cut);  // still UTF-8
}

}  // namespace
}  // namespace plumbline::report
