#!/usr/bin/env bash
# Checks the documentation against the repository: every relative link and every anchor in it leads somewhere, every
# script and test that is named exists, and docs/costs.md shows the golden costs.
#
#   scripts/check-docs.sh
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
complain() {
	printf '%s\n' "$*" >&2
	failed=1
}

# anchors FILE: the anchors of its headings, as GitHub makes them.
anchors() {
	sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

while read -r page; do
	folder=$(dirname "$page")
	while read -r link; do
		case $link in *://* | mailto:*) continue ;; esac
		path=${link%%#*}
		target=$folder/$path
		[ -n "$path" ] || target=$page
		if ! [ -e "$target" ]; then
			complain "$page: $link leads nowhere"
		elif [[ $link == *#* && $target == *.md ]] && ! anchors "$target" | grep -qxF -- "${link#*#}"; then
			complain "$page: $target has no heading for #${link#*#}"
		fi
	done < <(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//')

	while read -r script; do
		[ -e "$script" ] || complain "$page: $script is not there"
	done < <(grep -o '\bscripts/[a-z-]*\.[a-z]*' "$page" | sort -u)

	# Tests are named by their path in the crate, the last part being the function or a module.
	while read -r test; do
		module=contracts/program-escrow/src/${test//:://}
		grep -rqw "fn ${test##*::}" contracts/*/src || [ -e "$module.rs" ] || [ -d "$module" ] ||
			complain "$page: no test $test"
	done < <(grep -o '\btests::[a-z0-9_:]*' "$page" | sort -u)
done < <(git ls-files --cached --others --exclude-standard '*.md')

node scripts/cost-tables.mjs --check || failed=1
exit $failed
