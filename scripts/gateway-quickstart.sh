#!/usr/bin/env bash
# From nothing to a paid order, stopped, and gone on with the next day: the blocks of docs/gateway.md's quick start, as
# they are there, in one shell, on free ports. Fails at the first command that fails, and if in the end the order was not
# paid once.
#
#   scripts/gateway-quickstart.sh [DATABASE]      sqlite (default), postgres (one of its own, started and removed), or the
#                                                 address of one: sqlite:FILE, postgres://…
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
# shellcheck source=scripts/gateway/gateway.sh
. "$ESCROW_ROOT/scripts/gateway/gateway.sh"
cd "$ESCROW_ROOT"
command -v curl >/dev/null || die 'no curl on PATH. Install it and run this again'

prepare_gateway "$@"
# The page's own: a file in the folder where it is pasted.
[ "${1:-sqlite}" != sqlite ] || unset GATEWAY_DATABASE
# A page that says `target` means cargo's default; a clone may have another.
target=$(target_dir)
ledger=$(free_port)
door=$(free_port)
export GATEWAY_LISTEN=127.0.0.1:$door TMPDIR=$work

# page HEADING: its shell blocks, with the ports that are free here.
# shellcheck disable=SC2016 # the ticks are the page's
page() {
	sed -n "/^##* $1\$/,/^##/p" docs/gateway.md | sed -n '/^```sh$/,/^```$/p' | sed '/^```/d' |
		sed "s|\$PWD/target/debug|$(dirname "$STELLAR_ESCROW_BIN")|; s|\$PWD/target|$target|; s|localnet --close|localnet --port $ledger --close|; s|127.0.0.1:8000|127.0.0.1:$ledger|; s|127.0.0.1:8080|127.0.0.1:$door|"
}

{
	# What the page starts ends with it, however it ends: each job is a group of processes.
	# shellcheck disable=SC2016 # the inner shell expands it
	printf '%s\n' 'set -euo pipefail -m' 'trap '\''for job in $(jobs -p); do kill -- "-$job"; done 2>/dev/null'\'' EXIT'
	# A command that is built already is not built again with other features.
	printf 'cargo() { :; }\n'
	# Names that somebody has from docs/pay.md.
	printf 'stellar keys generate admin\nstellar keys generate payout\n'
	page 'Quick start'
	printf '%s\n' \
		'stellar escrow status --contract hackathon --output json >status.json' \
		'stellar escrow serve audit verify >noted' \
		'echo "--- the next day ---"'
	page 'Stop, and go on'
	# shellcheck disable=SC2016
	printf '%s\n' 'stellar escrow serve audit verify --noted "$(cat noted)"' "cp status.json '$work'"
} >"$work/page.sh"
[ "$(grep -c 'stellar escrow localnet' "$work/page.sh")" = 2 ] ||
	die 'docs/gateway.md has no longer the blocks that this script looks for'

say "docs/gateway.md, with its database in ${1:-sqlite}"
if ! bash "$work/page.sh" >"$work/log" 2>&1; then
	tail -n 60 "$work/log" >&2
	die 'docs/gateway.md does not work; its last words are above'
fi
[ "$(member payout_count <"$work/status.json")" = 1 ] || die "not paid once: $(cat "$work/status.json")"
# The next day's request is answered with the paid order.
tr -d '\r' <"$work/log" | sed '1,/^--- the next day ---$/d' >"$work/again"
for sign in '^HTTP/1.1 200' '^idempotent-replayed: true' '"state":"confirmed"'; do
	grep -q "$sign" "$work/again" ||
		die "the repeated request was not answered with the paid order: $(cat "$work/again")"
done
say 'docs/gateway.md works: one order, paid once, and the same the next day'
