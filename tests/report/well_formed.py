"""The sample page is well-formed HTML, needs nothing from outside, and its charts are valid XML.

Usage: well_formed.py SAMPLE_PAGE_PROGRAM
"""

import html.parser
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

PROGRAM = sys.argv.pop()
VOID = {"meta", "br", "hr", "img", "link", "input"}
SVG = "{http://www.w3.org/2000/svg}"


def output(*arguments: str) -> str:
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


class Structure(html.parser.HTMLParser):
    """Fails where an element is closed that is not the innermost open one."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes = [], [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()


class WellFormed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.html = output()
        cls.svg = output("svg")
        cls.page = Structure()
        cls.page.feed(cls.html)
        cls.page.close()

    def test_every_element_of_the_page_is_closed(self):
        self.assertEqual(self.page.open, [])

    def test_the_page_needs_no_script_and_nothing_from_outside(self):
        self.assertNotIn("script", self.page.seen)
        self.assertNotIn("link", self.page.seen)
        self.assertFalse([name for name, _ in self.page.attributes if name == "src"])
        self.assertNotIn("url(", self.html)
        self.assertNotIn("@import", self.html)

    def test_ids_are_unique(self):
        ids = [value for name, value in self.page.attributes if name == "id"]
        self.assertEqual(len(ids), len(set(ids)))

    def test_every_chart_is_xml_with_a_title_and_a_description(self):
        charts = re.findall(r"<figure>\n(<svg.*?\n</svg>\n)(?=<figcaption>|</figure>)", self.html,
                            re.DOTALL)
        self.assertEqual(len(charts), self.html.count("<figure>"))
        for chart in charts + [self.svg]:
            root = xml.etree.ElementTree.fromstring(chart)
            self.assertEqual(root.tag, SVG + "svg")
            self.assertEqual(root.get("role"), "img")
            self.assertTrue(root.find(SVG + "title").text)
            self.assertTrue(root.find(SVG + "desc").text)

    def test_only_a_chart_of_its_own_brings_its_style(self):
        self.assertEqual(self.svg.count("<style>"), 1)
        self.assertEqual(self.html.count("<style>"), 1)

    def test_no_number_is_missing_or_infinite(self):
        for attribute in ("d", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height"):
            for value in re.findall(rf' {attribute}="([^"]*)"', self.html + self.svg):
                self.assertNotRegex(value.lower(), "nan|inf")


if __name__ == "__main__":
    unittest.main()
