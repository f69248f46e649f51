#include "report/style.h"

namespace plumbline::report {

// Plain rules without variables, which some SVG converters do not support. The class of a series, s0 … s6,
// sets its colour, and its marks are drawn in the current colour.
std::string_view chart_style() {
  return R"css(
.chart{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;
font-variant-numeric:tabular-nums}
.chart text{fill:#444}
.chart .title{font-size:15px;font-weight:600;fill:#111}
.chart .key,.chart .axis-title{fill:#222}
.chart .paper{fill:#fff}
.chart .grid line{stroke:#e8e8e8}
.chart .grid .zero{stroke:#999}
.chart .axis line{stroke:#777}
.chart .rule{stroke:#444;stroke-width:1.25;stroke-dasharray:5 4}
.chart .r1{stroke-dasharray:1.5 3}
.chart .r2{stroke-dasharray:9 3 2 3}
.chart .s0{color:#0072b2}
.chart .s1{color:#d55e00}
.chart .s2{color:#009e73}
.chart .s3{color:#cc79a7}
.chart .s4{color:#e69f00}
.chart .s5{color:#56b4e9}
.chart .s6{color:#555}
.chart .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;
stroke-linecap:round}
.chart .dashed .line{stroke-dasharray:7 4;stroke-linecap:butt}
.chart .band{fill:currentColor;fill-opacity:.16}
.chart .area{fill:currentColor;fill-opacity:.3}
.chart .pile{fill:currentColor;fill-opacity:.85;stroke:#fff;stroke-width:.75}
.chart .bar{fill:currentColor;fill-opacity:.5;stroke:currentColor;stroke-width:1}
.chart .point{fill:currentColor;stroke:#fff;stroke-width:1}
.chart .error{fill:none;stroke:currentColor;stroke-width:1.5}
@media screen and (prefers-color-scheme:dark){
.chart text{fill:#b9bdc3}
.chart .title{fill:#f2f3f5}
.chart .key,.chart .axis-title{fill:#dcdfe3}
.chart .paper{fill:#16181c}
.chart .grid line{stroke:#2b2f36}
.chart .grid .zero{stroke:#6b7078}
.chart .axis line{stroke:#868b93}
.chart .rule{stroke:#c3c7cd}
.chart .pile,.chart .point{stroke:#16181c}
.chart .s0{color:#4fa3e0}
.chart .s1{color:#f07f3c}
.chart .s2{color:#2fbf94}
.chart .s3{color:#de9cc2}
.chart .s4{color:#f2b53a}
.chart .s5{color:#9ad4f7}
.chart .s6{color:#a8a8a8}
}
)css";
}

std::string_view page_style() {
  return R"css(
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--soft:#5c6169;--line:#d9dce1;
--faint:#f5f6f8;--accent:#0072b2}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:1000px;margin:0 auto;padding:48px 24px 80px}
h1{font-size:2.1rem;line-height:1.15;letter-spacing:-.015em;margin:0 0 .3em;font-weight:700}
h2{font-size:1.35rem;line-height:1.25;margin:2em 0 .7em;padding-top:.7em;
border-top:1px solid var(--line);font-weight:650}
h3{font-size:1.08rem;margin:2em 0 .6em;font-weight:650}
p{max-width:46em;margin:0 0 1em}
.subtitle{color:var(--soft);font-size:1.1rem;margin:0 0 1.6em}
nav{font-size:.93rem;margin:2.2em 0 0}
nav ol{columns:2;column-gap:3em;margin:0;padding-left:1.5em}
nav a{color:var(--accent);text-decoration:none}
nav a:hover{text-decoration:underline}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px 32px;
margin:1.8em 0 1.4em;padding:0}
.tiles div{border-top:3px solid var(--accent);padding-top:10px;display:flex;
flex-direction:column}
.tiles dt{color:var(--soft);font-size:.86rem}
.tiles dd{margin:0}
.tiles .value{font-size:2rem;line-height:1.2;font-weight:650;letter-spacing:-.02em;
font-variant-numeric:tabular-nums}
.tiles .hint{color:var(--soft);font-size:.82rem;line-height:1.35}
figure{margin:1.6em 0 2em}
figure .chart{display:block;max-width:100%;height:auto}
@media screen{
figure{overflow-x:auto}
figure .wide{min-width:720px}
}
figcaption,caption{color:var(--soft);font-size:.88rem;line-height:1.45}
figcaption{margin-top:.7em;max-width:52em}
figcaption b,caption b{color:var(--ink);font-weight:600}
.row{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(380px,100%),1fr));
gap:2em 32px;align-items:start;margin:1.6em 0 2em}
.row figure{margin:0}
h2+figure,h2+.row,h2+.scroll,h3+figure,h3+.row,h3+.scroll{margin-top:1em}
.scroll{overflow-x:auto;margin:1.6em 0 2em}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums;
border-bottom:1.5px solid var(--ink)}
caption{text-align:left;padding-bottom:.6em;max-width:52em}
th,td{padding:.38em .9em;text-align:left;font-weight:400;vertical-align:baseline;
white-space:nowrap}
thead th{border-top:1.5px solid var(--ink);border-bottom:1px solid var(--ink);font-weight:600;
vertical-align:bottom;white-space:normal}
tbody tr+tr>*{border-top:1px solid var(--line)}
td.best{font-weight:700}
td small,th small{display:block;font-size:.82em;font-weight:400;color:var(--soft)}
.compact{font-size:.8rem}
.compact th,.compact td{padding:.28em .55em}
.right{text-align:right}
.center{text-align:center}
pre{background:var(--faint);border-radius:6px;padding:.9em 1.1em;overflow-x:auto;
font:.84rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#16181c;--ink:#e8eaed;--soft:#a2a8b1;--line:#343941;--faint:#20242a;
--accent:#4fa3e0}
}
@media print{
@page{margin:16mm}
body{font-size:10.5pt}
main{max-width:none;padding:0}
h1{font-size:20pt}
h2,h3{break-after:avoid}
h2{margin-top:1.6em}
figure,table,.tiles,pre,.row{break-inside:avoid}
nav{display:none}
.row{grid-template-columns:1fr 1fr;gap:1em 20px}
.scroll{overflow:visible}
table.compact{break-inside:auto}
tr{break-inside:avoid}
pre{white-space:pre-wrap;border:1px solid var(--line)}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
}
)css";
}

}  // namespace plumbline::report
