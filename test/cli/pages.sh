# pages.sh: the man page and the completions know every option that --help knows, and no other.
. "$(dirname "$0")/check.sh"

bash_completion=$SOURCE/tools/completion/pliant.bash zsh_completion=$SOURCE/tools/completion/_pliant man=$SOURCE/docs/pliant.1
for command in new run view bench info mesh sweep export; do
  "$PLIANT" $command --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort >help
  true_that "$command has options" test -s help
  # bash: the line of the command
  sed -n "s/^ *$command) options=\"\(.*\)\" ;;/\1/p" "$bash_completion" | tr ' ' '\n' | sort >bash
  true_that "bash completion of $command" cmp -s help bash
  # zsh: the block of the command
  sed -n "/^ *$command)/,/;;/p" "$zsh_completion" | grep -oE -e '--[a-z-]+\[' | tr -d '[' | sort >zsh
  true_that "zsh completion of $command" cmp -s help zsh
  # man: the section of the command
  section=$(echo "$command" | tr a-z A-Z)
  { sed -n "/^\.SH PLIANT $section/,/^\.SH [^P]/p" "$man" | sed "1!{/^\.SH/,\$d}" | sed -n 's/^\.BI* \(\\-\\-[a-z\\-]*\).*/\1/p' | tr -d '\\'
    echo --help; } | sort >page
  true_that "man page of $command" cmp -s help page
  cmp -s help page || diff help page
done

# The completion works in bash, and the page is well formed where a checker is there.
if command -v bash >/dev/null; then
  cat >try.bash <<'TRY'
. "$1"
COMP_WORDS=("$2" run --rec); COMP_CWORD=2; _pliant; [ "${COMPREPLY[0]}" = --record ] || exit 1
COMP_WORDS=("$2" r); COMP_CWORD=1; _pliant; [ "${COMPREPLY[0]}" = run ] || exit 2
COMP_WORDS=("$2" run cantil); COMP_CWORD=2; _pliant; [ "${COMPREPLY[0]}" = cantilever ] || exit 3
TRY
  true_that "bash completes" bash try.bash "$bash_completion" "$PLIANT"
else
  skip "no bash"
fi
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww -z "$man" 2>err
  true_that "groff has nothing to say" test ! -s err
else
  skip "no groff (Debian: groff-base)"
fi
end
