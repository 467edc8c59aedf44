#!/usr/bin/env bash
# From nothing to a paid order, with the commands of docs/gateway.md: a local ledger, the contract, the gateway, curl.
#
#   scripts/gateway-quickstart.sh [DATABASE]      sqlite:FILE (default, in a folder that is removed) or postgres://…
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
cd "$ESCROW_ROOT"
command -v curl >/dev/null || die 'no curl on PATH. Install it and run this again'

scripts/build-contract.sh
select_toolchain || true
build_command
wasm=$(target_dir)/contracts/program_escrow.wasm

work=$(mktemp -d)
gateway=
stop() {
	[ -z "$gateway" ] || { kill "$gateway" 2>/dev/null && wait "$gateway" || true; }
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT
use_own_settings
export XDG_STATE_HOME=$work GATEWAY_DATABASE=${1:-sqlite:$work/gateway.db} GATEWAY_LISTEN=127.0.0.1:0

start_local_ledger --close 1
escrow() { run "$STELLAR_ESCROW_BIN" "$@"; }

say 'the escrow'
for who in admin payout recipient; do run stellar keys generate "$who" --fund; done
escrow deploy --wasm "$wasm" --program-id hackathon-2026 --token native --payout-key payout --alias hackathon \
	--source admin --yes >"$work/out"
escrow lock 1000 --contract hackathon --source admin --yes >"$work/out"
escrow publish --contract hackathon --source admin --yes >"$work/out"
escrow lanes create 4 --source payout --yes >"$work/out"

say 'the gateway'
token=$("$STELLAR_ESCROW_BIN" serve keys create --for hackathon-2026 --scope submit --scope read --scope operate \
	2>"$work/talk")
"$STELLAR_ESCROW_BIN" serve --program hackathon-2026=hackathon --payout-key payout --lanes 4 \
	>"$work/gateway" 2>"$work/gateway-log" &
gateway=$!
for _ in $(seq 300); do
	url=$(sed -n 's/^Gateway  *//p' "$work/gateway")
	[ -z "$url" ] || break
	kill -0 "$gateway" 2>/dev/null || die "the gateway did not start: $(cat "$work/gateway-log")"
	sleep 0.1
done
[ -n "$url" ] || die 'the gateway did not start'

ask() { curl --silent --show-error --fail-with-body --header "Authorization: Bearer $token" "$@"; }
member() { node -e 'console.log(JSON.parse(require("fs").readFileSync(0))[process.argv[1]])' "$1"; }

say 'the order'
recipient=$(stellar keys address recipient)
submit() {
	ask --header 'Idempotency-Key: invoice-4711' \
		--json "{\"recipients\":[\"$recipient\"],\"amounts\":[\"12.5\"],\"unit\":\"token\"}" \
		"$url/v1/programs/hackathon-2026/payouts"
}
id=$(submit | member id)
again=$(submit | member id)
[ "$id" = "$again" ] || die "one key has two orders: $id and $again"
state=
for _ in $(seq 300); do
	state=$(ask "$url/v1/payouts/$id" | member state)
	[ "$state" != confirmed ] || break
	sleep 0.2
done
[ "$state" = confirmed ] || die "the order is $state: $(ask "$url/v1/payouts/$id")"

paid=$("$STELLAR_ESCROW_BIN" status --contract hackathon --output json 2>"$work/talk" | grep -o '"total_paid":"[^"]*"')
say "order $id is confirmed; the contract says $paid"
"$STELLAR_ESCROW_BIN" serve audit verify >"$work/out" 2>"$work/talk" || die "the audit log is broken: $(cat "$work/talk")"
say "audit log: $(tail -n 1 "$work/talk")"
