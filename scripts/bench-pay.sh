#!/usr/bin/env bash
# How fast `pay` is, and how much memory it needs, on a local ledger of its own.
#
#   scripts/bench-pay.sh [ROWS...]      default: 1000 10000
#
# STELLAR_ESCROW_BIN: a command that is built already; else it is built optimised.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"
# shellcheck source=scripts/demo/escrow.sh
. scripts/demo/escrow.sh

CODE=USDC
PROGRAM=bench
counts=("$@")
[ $# -gt 0 ] || counts=(1000 10000)
[ "$(uname)" = Linux ] || die 'memory is read from /proc: this needs Linux'

scripts/build-contract.sh
select_toolchain || true
if [ -z "${STELLAR_ESCROW_BIN:-}" ]; then
	say 'building the command, optimised; the first time takes some minutes'
	cargo build --locked --quiet --profile dist -p stellar-escrow
	STELLAR_ESCROW_BIN=$(target_dir)/dist/stellar-escrow
fi

finish() {
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	node=
	rm -rf "${work:-}"
}
trap finish EXIT

printf '%8s %8s %10s %12s %16s %10s\n' rows ledgers seconds 'rows/second' 'rows a ledger' 'peak MiB'
for count in "${counts[@]}"; do
	work=$(mktemp -d)
	use_own_settings
	start_local_ledger
	make_asset
	node scripts/demo/many.mjs "$count" >"$work/prizes.csv"
	open_wallets "$work/prizes.csv"
	deploy_escrow "$PROGRAM" 100000000000000
	export STELLAR_CONTRACT_ID=$escrow STELLAR_ACCOUNT=payout
	before=$(stellar_run ledger latest --output json | sed 's/.*"sequence":\([0-9]*\).*/\1/')
	read -r seconds peak < <(node scripts/demo/measure.mjs "$STELLAR_ESCROW_BIN" pay "$work/prizes.csv" --run bench --yes --poll 10)
	after=$(stellar_run ledger latest --output json | sed 's/.*"sequence":\([0-9]*\).*/\1/')
	node scripts/demo/books.mjs "$work/prizes.csv" "$(invoke payout get_program)" >&2
	awk -v rows="$count" -v ledgers=$((after - before)) -v seconds="$seconds" -v peak="$peak" 'BEGIN {
		printf "%8d %8d %10.1f %12.0f %16.1f %10.1f\n", rows, ledgers, seconds, rows / seconds, rows / ledgers, peak / 1024 }'
	finish
done
