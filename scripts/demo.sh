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
-*) die "$usage" ;;
?*)
	[ $# -eq 1 ] || die "$usage"
	file=$(realpath "$1") || die "$1 is not there; give a CSV file with the columns walletAddress, id, amount"
	;;
esac
cd "$ESCROW_ROOT"

scripts/build-contract.sh
select_toolchain || true # setup.sh has warned if it is not the pinned one
target=$(target_dir)
# STELLAR_ESCROW_BIN: a command that is built already.
if [ -z "$network" ] && [ -z "${STELLAR_ESCROW_BIN:-}" ]; then
	say 'building the local ledger; the first time takes some minutes'
	cargo build --locked --quiet -p stellar-escrow
	STELLAR_ESCROW_BIN=$target/debug/stellar-escrow
fi

work=$(mktemp -d)
stop() {
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT

# Identities and aliases of its own: the user's stay as they are.
export XDG_CONFIG_HOME=$work STELLAR_CONFIG_HOME=$work
unset STELLAR_ACCOUNT STELLAR_RPC_HEADERS STELLAR_RPC_URL STELLAR_NETWORK STELLAR_NETWORK_PASSPHRASE

# run COMMAND...: quiet while it works; all of its talk when it fails.
run() {
	if ! "$@" 2>"$work/talk"; then
		cat "$work/talk" >&2
		die "failed: $1 $2 $3"
	fi
}
stellar_run() { run stellar "$@"; }
units() { node -e 'import("./scripts/demo/prizes.mjs").then(({ units }) => console.log(units(process.argv[1])))' "$1"; }
# topic JSON: a segment of a topic filter.
topic() { stellar xdr encode --type ScVal "$1"; }

start_local_ledger() {
	say 'starting a local ledger'
	"$STELLAR_ESCROW_BIN" localnet --port 0 >"$work/node" &
	node=$!
	for _ in $(seq 100); do
		STELLAR_RPC_URL=$(sed -n 's/^RPC  *//p' "$work/node")
		[ -z "$STELLAR_RPC_URL" ] || break
		sleep 0.1
	done
	[ -n "$STELLAR_RPC_URL" ] || die 'the local ledger did not start'
	export STELLAR_RPC_URL STELLAR_NETWORK_PASSPHRASE='Standalone Network ; February 2017'
}

# The file's wallets get accounts and trustlines past all rules, as only a local ledger can.
open_wallets() {
	node scripts/demo/accounts.mjs "$file" "$CODE" "$issuer" |
		curl --silent --show-error --fail --json @- "$STELLAR_RPC_URL/localnet/entries" >"$work/status" ||
		die "the local ledger did not take the accounts of $file"
}

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

if [ -n "$network" ]; then export STELLAR_NETWORK=$network; else start_local_ledger; fi
first=$(stellar_run ledger latest --output json | sed 's/.*"sequence":\([0-9]*\).*/\1/')

say 'keys, asset, accounts'
for who in admin payout sponsor issuer; do run stellar keys generate "$who" --fund; done
issuer=$(stellar keys address issuer)
token=$(stellar_run contract asset deploy --asset "$CODE:$issuer" --source issuer)
if [ -n "$network" ]; then make_wallets; else open_wallets; fi
node scripts/demo/batches.mjs "$file" "$PROGRAM" "$BATCH" >"$work/batches"
total=0
while IFS=$'\t' read -r _ _ sum _; do total=$((total + sum)); done <"$work/batches"
stellar_run tx new change-trust --source sponsor --line "$CODE:$issuer" >"$work/out"
stellar_run tx new payment --source issuer --destination sponsor --asset "$CODE:$issuer" --amount "$total" >"$work/out"

say 'contract: deploy, lock, publish'
escrow=$(stellar_run contract deploy --wasm "$target/contracts/program_escrow.wasm" --optimize=false --source admin -- \
	--admin admin --program_id "$PROGRAM" --authorized_payout_key payout --token "$token")
invoke() { stellar_run contract invoke --id "$escrow" --source "$1" -- "${@:2}"; }
invoke sponsor lock_program_funds --from sponsor --amount "$total" >"$work/out"
invoke admin publish_program >"$work/out"
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

# balance WALLET: the wallet and what its trustline holds, in stroops.
balance() {
	printf '%s %s\n' "$1" "$(stellar ledger entry fetch trustline --account "$1" --asset "$2" | sed 's/.*"balance":"\([0-9]*\)".*/\1/')"
}
export -f balance
# shellcheck disable=SC2016 # the inner shell expands it
node scripts/demo/wallets.mjs "$file" | xargs -P 4 -I WALLET bash -c 'balance WALLET "$0"' "$CODE:$issuer" >"$work/balances"
node scripts/demo/settle.mjs "$file" <"$work/balances"
left=$(stellar_run contract invoke --id "$token" --source payout -- balance --id "$escrow" | tr -d '"')
[ "$left" = 0 ] || die "the escrow still holds $left stroops"
echo 'the escrow holds nothing more, and no retry moved a stroop'
