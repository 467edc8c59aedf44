#!/usr/bin/env bash
# The main job on real input, as a platform's backend does it with the `stellar` command: keys, funding, an asset, the
# contract, then examples/hackathon-2026.csv (or the file given) paid in batches, every batch retried, and everything
# read back from the ledger. On a local ledger of its own: no container, no network.
#
#   scripts/demo.sh [PRIZES.csv]
#   scripts/demo.sh --network NAME     the same on a network that `stellar` knows and that has a friendbot, `local` or
#                                      `testnet`. Nobody but their owners can open the wallets of a file there, so it
#                                      makes five of its own.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"

PROGRAM=hackathon-2026
CODE=USDC
# Recipients of one payout: what `max_batch_size` answers. Fewer for the five wallets, so that there are two batches.
BATCH=60
usage='usage: scripts/demo.sh [PRIZES.csv | --network NAME]'

network=
file=$ESCROW_ROOT/examples/hackathon-2026.csv
case ${1:-} in
--network)
	network=${2:-}
	[ $# -eq 2 ] || die "$usage"
	BATCH=3
	;;
-h | --help)
	echo "$usage"
	exit
	;;
-*) die "$usage" ;;
?*)
	[ $# -eq 1 ] || die "$usage"
	[ -f "$1" ] || die "there is no file $1; give a CSV file with the columns walletAddress, id, amount"
	file=$(realpath "$1")
	;;
esac
command -v curl >/dev/null || die 'no curl on PATH. Install it and run this again'
cd "$ESCROW_ROOT"

scripts/build-contract.sh
select_toolchain || true # setup.sh has warned if it is not the pinned one

work=$(mktemp -d)
stop() {
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT

# plan_batches: what is paid, into a file. A table that cannot be paid is refused here, before anything is made for it.
plan_batches() { node scripts/demo/batches.mjs "$file" "$PROGRAM" "$BATCH" >"$work/batches"; }
[ -n "$network" ] || plan_batches || die "$file cannot be paid; the reason is above"

if [ -z "$network" ]; then build_command; fi
use_own_settings

units() { node -e 'import("./scripts/demo/prizes.mjs").then(({ units }) => console.log(units(process.argv[1])))' "$1"; }
# topic JSON: a segment of a topic filter.
topic() { stellar xdr encode --type ScVal "$1"; }

make_wallets() {
	file=$work/prizes.csv
	echo 'walletAddress,id,amount' >"$file"
	local number name wallet
	for number in 1 2 3 4 5; do
		name=winner-$number
		run stellar keys generate "$name" --fund
		stellar_run tx new change-trust --source "$name" --line "$CODE:$issuer" >"$work/out"
		wallet=$(stellar keys address "$name")
		echo "$wallet,$name,$((number * 100)).$number" >>"$file"
	done
}

if [ -n "$network" ]; then
	export STELLAR_NETWORK=$network
else
	say 'starting a local ledger'
	start_local_ledger
fi
first=$(stellar_run ledger latest --output json | sed 's/.*"sequence":\([0-9]*\).*/\1/')

say 'keys, asset, accounts'
make_asset
if [ -n "$network" ]; then
	make_wallets
	plan_batches
else
	open_wallets "$file"
fi
total=0
while IFS=$'\t' read -r _ _ sum _; do total=$((total + sum)); done <"$work/batches"

say 'contract: deploy, lock, publish'
deploy_escrow "$PROGRAM" "$total"
printf '\n%s %s: %s %s locked and published\n\n' "$PROGRAM" "$escrow" "$(units "$total")" "$CODE"

# pay KEY RECIPIENTS AMOUNTS: one payout; leaves the fee that the ledger charged in `fee`.
pay() {
	local hash
	invoke payout batch_payout_idempotent --idempotency_key "$1" --recipients "$2" --amounts "$3" >"$work/out"
	hash=$(sed -n 's/.*Signing transaction: \([0-9a-f]*\).*/\1/p' "$work/talk" | tail -n 1)
	fee=$(stellar_run tx fetch result --hash "$hash" --output json | sed 's/.*"fee_charged":"\([0-9]*\)".*/\1/')
}
# events TOPICS: the contract's events, filtered by the node.
events() { stellar_run events --start-ledger "$first" --count 1000 --output raw --id "$escrow" --topic "$1"; }

printf '%-52s %10s %16s %11s %11s  %s\n' 'idempotency key' recipients "$CODE" 'fee XLM' 'retry XLM' 'events of the key'
while IFS=$'\t' read -r key count sum recipients amounts; do
	pay "$key" "$recipients" "$amounts"
	paid=$fee
	before=$(invoke payout get_remaining_balance)
	pay "$key" "$recipients" "$amounts"
	after=$(invoke payout get_remaining_balance)
	[ "$before" = "$after" ] || die "the retry of $key moved money"
	names=$(events "*,$(topic "{\"string\":\"$key\"}")" | grep -oE 'BatchPay|BatPayRp|IdmConfl' | paste -sd ' ')
	[ "$names" = 'BatchPay BatPayRp' ] || die "$key has the events $names, not one payout and one replay"
	printf '%-52s %10s %16s %11s %11s  %s\n' "$key" "$count" "$(units "$sum")" "$(units "$paid")" "$(units "$fee")" "$names"
done <"$work/batches"

printf '\nby topic, as an auditor filters:\n'
for name in BatchPay BatPayRp; do
	found=$(events "$(topic "{\"symbol\":\"$name\"}"),*" | grep -c "$name" || true)
	[ "$found" -eq "$(wc -l <"$work/batches")" ] || die "there is not one $name a batch, but $found"
	printf '  %-9s %s events\n' "$name" "$found"
done
key=$(head -n 1 "$work/batches" | cut -f 1)
record=$(invoke payout get_idempotency_record --idempotency_key "$key")
books=$(invoke payout get_program)
printf '\nthe record of the first key:\n  %s\n\nthe books:\n  %s\n\n' "$record" "$books"

settle "$file"
left=$(stellar_run contract invoke --id "$token" --source payout -- balance --id "$escrow" | tr -d '"')
[ "$left" = 0 ] || die "the escrow still holds $left stroops"
echo 'the escrow holds nothing more, and no retry moved a stroop'
