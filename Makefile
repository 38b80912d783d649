# Shortcuts for those who have make. tools/demo and tools/test need nothing but a shell.
PREFIX ?= /usr/local

.PHONY: all demo test install bench coverage fuzz validate clean
all:
	tools/setup
	cmake --preset release >/dev/null
	cmake --build build

demo:
	tools/demo

test:
	tools/test

install: all
	cmake --install build --prefix $(PREFIX)

# convergence tables against closed forms and published figures: docs/validation.md
validate: all
	tools/tables make solids
	build/bench/validate_contact
	build/bench/validate_study
	tools/validate --docs

# line coverage of the library by the whole suite
coverage:
	tools/coverage

# longer runs of the fuzzers (libFuzzer, clang): make fuzz SECONDS_EACH=600
SECONDS_EACH ?= 60
fuzz:
	tools/fuzz $(SECONDS_EACH)

clean:
	rm -rf build build-*
