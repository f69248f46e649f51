// The style sheets. Dark colours are for screens only, not for print.
#pragma once

#include <string_view>

namespace plumbline::report {

std::string_view chart_style();  // of all charts, in a page or in a separate file
std::string_view page_style();   // of the page around them

}  // namespace plumbline::report
