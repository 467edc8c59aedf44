# Sourced after env.sh: a local ledger of its own, and an escrow on it that is funded and published.
# shellcheck shell=bash
# shellcheck disable=SC2154 # `work` and `CODE` belong to the script that sources this

# Identities and aliases of its own: the user's stay as they are.
use_own_settings() {
	export XDG_CONFIG_HOME=$work STELLAR_CONFIG_HOME=$work
	unset STELLAR_ACCOUNT STELLAR_RPC_HEADERS STELLAR_RPC_URL STELLAR_NETWORK STELLAR_NETWORK_PASSPHRASE STELLAR_CONTRACT_ID
}

# build_command: leaves the command in STELLAR_ESCROW_BIN, unless one that is built already was given there.
build_command() {
	[ -z "${STELLAR_ESCROW_BIN:-}" ] || return 0
	say 'building the command; the first time takes some minutes'
	cargo build --locked --quiet -p stellar-escrow
	STELLAR_ESCROW_BIN=$(target_dir)/debug/stellar-escrow
}

# run COMMAND...: quiet while it works; all of its talk when it fails.
run() {
	if ! "$@" 2>"$work/talk"; then
		cat "$work/talk" >&2
		die "failed: $1 $2 $3"
	fi
}
stellar_run() { run stellar "$@"; }
invoke() { stellar_run contract invoke --id "$escrow" --source "$1" -- "${@:2}"; }

# start_local_ledger [FLAG...]: leaves its process in `node`.
start_local_ledger() {
	: >"$work/node" # it is read below, perhaps before the ledger has opened it
	"$STELLAR_ESCROW_BIN" localnet --port 0 "$@" >"$work/node" 2>"$work/node-talk" &
	node=$!
	for _ in $(seq 100); do
		STELLAR_RPC_URL=$(sed -n 's/^RPC  *//p' "$work/node")
		[ -z "$STELLAR_RPC_URL" ] || break
		sleep 0.1
	done
	if [ -z "$STELLAR_RPC_URL" ]; then
		cat "$work/node-talk" >&2
		die 'the local ledger did not start'
	fi
	export STELLAR_RPC_URL STELLAR_NETWORK_PASSPHRASE='Standalone Network ; February 2017'
}

# tell PATH JSON: tells the local ledger something beside its protocol.
tell() {
	curl --silent --show-error --fail-with-body --json "$2" "$STELLAR_RPC_URL/localnet/$1" >"$work/status" ||
		die "the local ledger refused $1: $(cat "$work/status")"
}

# open_wallets FILE: its wallets get accounts and trustlines past all rules, as only a local ledger can.
open_wallets() {
	local request
	node scripts/demo/accounts.mjs "$1" "$CODE" "$issuer" >"$work/wallets"
	while IFS= read -r request; do
		printf '%s' "$request" >"$work/entries"
		tell entries "@$work/entries"
	done <"$work/wallets"
}

# make_asset: keys and accounts of everybody; leaves the asset's `issuer` and `token`.
make_asset() {
	local who
	for who in admin payout sponsor issuer; do run stellar keys generate "$who" --fund; done
	issuer=$(stellar keys address issuer)
	token=$(stellar_run contract asset deploy --asset "$CODE:$issuer" --source issuer)
}

# deploy_escrow PROGRAM UNITS: leaves the contract in `escrow`, with so much locked, and published.
deploy_escrow() {
	stellar_run tx new change-trust --source sponsor --line "$CODE:$issuer" >"$work/out"
	stellar_run tx new payment --source issuer --destination sponsor --asset "$CODE:$issuer" --amount "$2" >"$work/out"
	escrow=$(stellar_run contract deploy --wasm "$(target_dir)/contracts/program_escrow.wasm" --optimize=false \
		--source admin -- --admin admin --program_id "$1" --authorized_payout_key payout --token "$token")
	invoke sponsor lock_program_funds --from sponsor --amount "$2" >"$work/out"
	invoke admin publish_program >"$work/out"
}

# balance WALLET ASSET: the wallet and what its trustline holds, in stroops.
balance() {
	printf '%s %s\n' "$1" "$(stellar ledger entry fetch trustline --account "$1" --asset "$2" | sed 's/.*"balance":"\([0-9]*\)".*/\1/')"
}
export -f balance

# settle FILE: every wallet of the file holds exactly what the file owes it.
settle() {
	# shellcheck disable=SC2016 # the inner shell expands it
	node scripts/demo/wallets.mjs "$1" | xargs -P 4 -I WALLET bash -c 'balance WALLET "$0"' "$CODE:$issuer" >"$work/balances"
	node scripts/demo/settle.mjs "$1" <"$work/balances"
}
