#!/usr/bin/env bash
# The main job on real input, as a platform's backend does it with the `stellar` command: keys, funding, an asset, the
# contract, then examples/hackathon-2026.csv (or the file given) paid in batches, every batch retried, and everything
# read back from the ledger. On a local ledger of its own: no container, no network.
#
#   scripts/demo.sh [PRIZES.csv]
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"

PROGRAM=hackathon-2026
CODE=USDC
# Recipients of one payout: what `max_batch_size` answers.
BATCH=60

file=${1:-$ESCROW_ROOT/examples/hackathon-2026.csv}
[ -f "$file" ] || die "$file is not there; give a CSV file with the columns walletAddress, id, amount"
file=$(realpath "$file")
cd "$ESCROW_ROOT"

scripts/build-contract.sh
select_toolchain || true # setup.sh has warned if it is not the pinned one
cargo build --locked --quiet -p stellar-escrow
target=$(target_dir)

work=$(mktemp -d)
stop() {
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT

# Identities and aliases of its own: the user's stay as they are.
export XDG_CONFIG_HOME=$work STELLAR_CONFIG_HOME=$work
export STELLAR_NETWORK_PASSPHRASE='Standalone Network ; February 2017'
unset STELLAR_NETWORK STELLAR_ACCOUNT STELLAR_RPC_HEADERS

# run COMMAND...: quiet while it works; all of its talk when it fails.
run() {
	if ! "$@" 2>"$work/talk"; then
		cat "$work/talk" >&2
		die "failed: $1 $2 $3"
	fi
}
stellar_run() { run stellar "$@"; }
address() { stellar keys address "$1"; }
units() { node -e 'import("./scripts/demo/prizes.mjs").then(({ units }) => console.log(units(process.argv[1])))' "$1"; }
# topic JSON: a segment of a topic filter.
topic() { stellar xdr encode --type ScVal "$1"; }

say 'starting a local ledger'
"$target/debug/stellar-escrow" localnet --port 0 >"$work/node" &
node=$!
for _ in $(seq 50); do
	STELLAR_RPC_URL=$(sed -n 's/^RPC  *//p' "$work/node")
	[ -z "$STELLAR_RPC_URL" ] || break
	sleep 0.1
done
[ -n "$STELLAR_RPC_URL" ] || die 'the local ledger did not start'
export STELLAR_RPC_URL

say 'keys, asset, accounts'
for who in admin payout sponsor issuer; do run stellar keys generate "$who" --fund; done
issuer=$(address issuer)
token=$(stellar_run contract asset deploy --asset "$CODE:$issuer" --source issuer)
node scripts/demo/accounts.mjs "$file" "$CODE" "$issuer" |
	curl --silent --show-error --fail --json @- "$STELLAR_RPC_URL/localnet/entries" >"$work/status" ||
	die "the local ledger did not take the accounts of $file"
node scripts/demo/batches.mjs "$file" "$PROGRAM" "$BATCH" >"$work/batches"
total=$(cut -f 3 "$work/batches" | paste -sd + | node -e 'console.log(String(require("fs").readFileSync(0, "utf8").split("+").reduce((sum, part) => sum + BigInt(part), 0n)))')
stellar_run tx new change-trust --source sponsor --line "$CODE:$issuer" >"$work/out"
stellar_run tx new payment --source issuer --destination sponsor --asset "$CODE:$issuer" --amount "$total" >"$work/out"

say 'contract: deploy, lock, publish'
escrow=$(stellar_run contract deploy --wasm "$target/contracts/program_escrow.wasm" --optimize=false --source admin -- \
	--admin admin --program_id "$PROGRAM" --authorized_payout_key payout --token "$token")
invoke() { stellar_run contract invoke --id "$escrow" --source "$1" -- "${@:2}"; }
invoke sponsor lock_program_funds --from sponsor --amount "$total" >"$work/out"
invoke admin publish_program >"$work/out"
printf '\n%s %s: %s %s locked and published\n\n' "$PROGRAM" "$escrow" "$(units "$total")" "$CODE"

# pay KEY RECIPIENTS AMOUNTS: one payout; leaves the transaction's hash in `hash` and the fee charged in `fee`.
pay() {
	invoke payout batch_payout_idempotent --idempotency_key "$1" --recipients "$2" --amounts "$3" >"$work/out"
	hash=$(sed -n 's/.*Signing transaction: \([0-9a-f]*\).*/\1/p' "$work/talk" | tail -n 1)
	fee=$(stellar_run tx fetch result --hash "$hash" --output json | sed 's/.*"fee_charged":"\([0-9]*\)".*/\1/')
}
# events KEY: names of the contract's events under a key, filtered by the node.
events() {
	stellar_run events --start-ledger 2 --count 100 --output raw --id "$escrow" --topic "*,$(topic "{\"string\":\"$1\"}")" |
		tr ',' '\n' | grep -oE 'BatchPay|BatPayRp|IdmConfl' | paste -sd ' '
}

printf '%-52s %10s %16s %11s %11s  %s\n' 'idempotency key' recipients "$CODE" 'fee XLM' 'retry XLM' events
while IFS=$'\t' read -r key count sum recipients amounts; do
	pay "$key" "$recipients" "$amounts"
	paid=$fee
	before=$(invoke payout get_remaining_balance)
	pay "$key" "$recipients" "$amounts"
	after=$(invoke payout get_remaining_balance)
	[ "$before" = "$after" ] || die "the retry of $key moved money"
	printf '%-52s %10s %16s %11s %11s  %s\n' "$key" "$count" "$(units "$sum")" "$(units "$paid")" "$(units "$fee")" "$(events "$key")"
done <"$work/batches"

printf '\nby topic, as an auditor filters:\n'
for name in BatchPay BatPayRp; do
	found=$(stellar_run events --start-ledger 2 --count 1000 --output raw --id "$escrow" --topic "$(topic "{\"symbol\":\"$name\"}"),*" | grep -c "$name" || true)
	printf '  %-9s %s events\n' "$name" "$found"
	[ "$found" -eq "$(wc -l <"$work/batches")" ] || die "there is not one $name a batch"
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
node scripts/demo/wallets.mjs "$file" | xargs -P 4 -I WALLET bash -c 'balance WALLET "$0"' "$CODE:$issuer" | node scripts/demo/settle.mjs "$file"
left=$(stellar_run contract invoke --id "$token" --source payout -- balance --id "$escrow" | tr -d '"')
[ "$left" = 0 ] || die "the escrow still holds $left stroops"
echo 'the escrow holds nothing more, and no retry moved a stroop'
