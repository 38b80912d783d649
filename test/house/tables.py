"""tables.py SOURCE: tables of numbers in the docs name their commands, and marked ones are what the commands wrote (tools/tables)."""
import importlib.machinery
import importlib.util
import os
import sys

from report import Report

source = sys.argv[1]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("tables", os.path.join(source, "tools", "tables"))
tables = importlib.util.module_from_spec(importlib.util.spec_from_loader("tables", loader))
loader.exec_module(tables)

report = Report("tables")
report.check("docs/tables.txt", [] if len(tables.read_index()) >= 5 else ["it lists fewer than five tables"])
report.check("tables", tables.check())
# the checks see what they are there for
numbers = "# A\n\n| a | b |\n|---|---|\n| 1 | 2.5 |\n| 3 | 4e-3 |\n"
report.check("sample without a command", [] if len(tables.check_page("sample", numbers)) == 1 else ["a table without a command is not found"])
report.check("sample with a command", tables.check_page("sample", numbers.replace("# A\n", "# A\n`tools/tables`\n")))
prose = "# A\n\nIt takes 3.5 ms.\n"
report.check("sample of prose", [] if len(tables.check_prose("sample", prose)) == 1 else ["a measured number without a command is not found"])
report.check("sample of prose with a command", tables.check_prose("sample", prose.replace("It", "`tools/tables` prints: it")))
report.check("sample of a definition", tables.check_prose("sample", prose.replace("It", "<!-- definition -->\nIt")))
report.check("sample of counts", [] if len(tables.check_counts("sample", "| x | `build/test/test_sap_laws` | 1 tests |")) == 1 else ["a wrong number of tests is not found"])
report.check("sample of a program", [] if len(tables.check_page("sample", "`build/bench/no_such_bench --quick`")) == 1 else ["a missing program is not found"])
report.check("sample of marks", [] if tables.block("<!-- x: begin -->\n1\n<!-- x: end -->", "x") == "1\n" else ["marks are not found"])
report.check("sample of unlisted marks", [] if len(tables.unlisted("sample", "<!-- x: begin -->\n1\n<!-- x: end -->", [])) == 1 else ["marks without a command are not found"])
report.end()
