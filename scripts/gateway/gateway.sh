# Sourced after demo/escrow.sh: an escrow that pays the native token, and a gateway in front of it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # `STELLAR_ESCROW_BIN` comes from demo/escrow.sh

# shellcheck source=scripts/gateway/postgres.sh
. "$ESCROW_ROOT/scripts/gateway/postgres.sh"

# prepare_gateway [DATABASE]: contract and command are built; leaves a folder in `work` and an empty database in
# GATEWAY_DATABASE: sqlite (default), postgres (one of our own), or the address of one. All of it ends with the script.
prepare_gateway() {
	scripts/build-contract.sh
	select_toolchain || true
	build_command
	work=$(mktemp -d)
	trap stop_all EXIT
	use_own_settings
	export XDG_STATE_HOME=$work GATEWAY_LISTEN=127.0.0.1:0 GATEWAY_DATABASE
	case ${1:-sqlite} in
	sqlite) GATEWAY_DATABASE=sqlite:$work/gateway.db ;;
	postgres)
		make_postgres
		GATEWAY_DATABASE=$postgres_url
		;;
	sqlite:* | postgres://* | postgresql://*) GATEWAY_DATABASE=$1 ;;
	*) die "$1 is no database; write sqlite, postgres, sqlite:FILE or postgres://…" ;;
	esac
}

escrow() { run "$STELLAR_ESCROW_BIN" "$@"; }

# make_escrow PROGRAM TOKENS LANES: keys of everybody, the contract funded and published, lanes from the payout key.
make_escrow() {
	local who
	for who in admin payout recipient; do run stellar keys generate "$who" --fund; done
	escrow deploy --wasm "$(target_dir)/contracts/program_escrow.wasm" --program-id "$1" --token native \
		--payout-key payout --alias escrow --source admin --yes >"$work/out"
	escrow lock "$2" --contract escrow --source admin --yes >"$work/out"
	escrow publish --contract escrow --source admin --yes >"$work/out"
	[ "$3" = 0 ] || escrow lanes create "$3" --source payout --yes >"$work/out"
}

# make_token SCOPE...: leaves a bearer key in `token`.
make_token() {
	local scopes=() scope
	for scope in "$@"; do scopes+=(--scope "$scope"); done
	token=$("$STELLAR_ESCROW_BIN" serve keys create "${scopes[@]}" 2>"$work/talk") || die "no key: $(cat "$work/talk")"
}

# start_gateway [FLAG...]: leaves its process in `gateway` and its address in `url`; it has read the chain.
start_gateway() {
	: >"$work/gateway"
	"$STELLAR_ESCROW_BIN" serve --payout-key payout "$@" >"$work/gateway" 2>"$work/gateway-log" &
	gateway=$!
	for _ in $(seq 300); do
		url=$(sed -n 's/^Gateway  *//p' "$work/gateway")
		[ -z "$url" ] || break
		kill -0 "$gateway" 2>/dev/null || break
		sleep 0.1
	done
	[ -n "$url" ] || die "the gateway did not start: $(cat "$work/gateway-log")"
	curl --silent --fail --retry 120 --retry-delay 1 --retry-all-errors "$url/readyz" >"$work/ready" ||
		die "the gateway does not become ready: $(curl --silent "$url/readyz")"
}

ask() { curl --silent --show-error --fail-with-body --header "Authorization: Bearer $token" "$@"; }

# member NAME...: a member of the JSON on stdin.
member() { node -e 'let v=JSON.parse(require("fs").readFileSync(0));for(const n of process.argv.slice(1))v=v?.[n];console.log(v)' "$@"; }

# submit KEY RECIPIENT AMOUNT: a payout of whole tokens by the program of the same name as `program`.
submit() {
	ask --header "Idempotency-Key: $1" --json "{\"recipients\":[\"$2\"],\"amounts\":[\"$3\"],\"unit\":\"token\"}" \
		"$url/v1/programs/$program/payouts"
}

# until_confirmed ID
until_confirmed() {
	local state=
	for _ in $(seq 300); do
		state=$(ask "$url/v1/payouts/$1" | member state)
		[ "$state" != confirmed ] || return 0
		sleep 0.2
	done
	die "the order is $state: $(ask "$url/v1/payouts/$1")"
}

# stop_all: the gateway politely, then the ledger, the database and what was written.
stop_all() {
	[ -z "${gateway:-}" ] || { kill "$gateway" 2>/dev/null && wait "$gateway" || true; }
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	kill_postgres
	rm -rf "$work"
}
