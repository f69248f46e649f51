// Text for SVG and HTML: escaping, formatting of numbers, and widths.
//
// Widths are estimates for common sans-serif fonts. They are generous, so that a legend wraps a little
// early rather than overlapping.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::report {

// Escapes text for HTML and XML, also inside quoted attributes. Control characters that XML 1.0
// forbids, and bytes that are not UTF-8, become U+FFFD.
std::string escape(std::string_view text);

// Four significant digits: 0.3127, 12,345, 1.5×10⁻⁷; a dash for a value that is not finite.
std::string number_text(double value);

// `value` with this many digits after the point, a real minus sign and commas between thousands.
std::string fixed_text(double value, int decimals);

// 45312 as "45,312".
std::string count_text(std::uint64_t count);

// mantissa×10ⁿ; a mantissa of 1 is omitted.
std::string power_text(double value);

// The number of characters (code points), which is also the number of columns in a terminal for
// most alphabets.
std::size_t length(std::string_view utf8);

// Estimated width in pixels at this font size.
double text_width(std::string_view utf8, double font_size);

// Lines of at most `width` pixels, broken at spaces; a word that is too long has its own line.
std::vector<std::string> wrap(std::string_view utf8, double font_size, double width);

// The text itself, or its beginning and an ellipsis if it is wider than `width` pixels.
std::string shorten(std::string_view utf8, double font_size, double width);

}  // namespace plumbline::report
