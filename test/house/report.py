"""report.py: checks with the counts that tools/test reads, and skips by the rule of test/check.h."""
import os
import sys


class Report:
    def __init__(self, name):
        self.name, self.passed, self.failed = name, 0, 0

    def check(self, what, problems):
        """One check: it passes where the list of problems is empty."""
        if problems:
            self.failed += 1
            print(f"{what}: {len(problems)} problems")
            for problem in problems[:50]:
                print("  " + problem)
        else:
            self.passed += 1

    def end(self):
        print(f"{self.name}: {self.passed} passed, {self.failed} failed, 0 skipped")
        sys.exit(1 if self.failed else 0)

    def skip(self, why):
        """Skips everything; a failure where nothing may be skipped and all could be installed."""
        fails = os.environ.get("PLIANT_NO_SKIP") == "1" and not os.environ.get("PLIANT_SETUP_FAILED")
        print(f"SKIP: {why}")
        print(f"{self.name}: 0 passed, {int(fails)} failed, {int(not fails)} skipped")
        sys.exit(1 if fails else 77)
