#!/usr/bin/env bash
# Two gateways on one PostgreSQL, clients that retry everything, every fault of the ledger, and plugs that are pulled at
# random: gateways and database. In the end every order is paid once, every key has one order, the audit chain is intact,
# reconciliation finds nothing, and the auditor agrees.
#
#   scripts/gateway-chaos.sh [ORDERS [LANES]]        default: 10000 orders, 48 lanes
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
# shellcheck source=scripts/gateway/gateway.sh
. "$ESCROW_ROOT/scripts/gateway/gateway.sh"
# shellcheck source=scripts/gateway/postgres.sh
. "$ESCROW_ROOT/scripts/gateway/postgres.sh"
cd "$ESCROW_ROOT"
orders=${1:-10000}
lanes=${2:-48}

scripts/build-contract.sh
select_toolchain || true
build_command

work=$(mktemp -d)
helpers=()
stop() {
	touch "$work/over"
	for helper in "${helpers[@]}"; do kill "$helper" 2>/dev/null || true; done
	for place in a b; do kill -9 "$(cat "$work/$place.pid" 2>/dev/null)" 2>/dev/null || true; done
	kill_postgres
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	wait 2>/dev/null || true
	if [ -n "${KEEP:-}" ]; then say "everything is kept in $work"; else rm -rf "$work"; fi
}
trap stop EXIT
use_own_settings
export XDG_STATE_HOME=$work

say 'ledger, escrow, database'
start_local_ledger --close 1
program=hackathon-2026
make_escrow "$program" 100 0
escrow lanes create "$lanes" --balance 100 --source admin --yes >"$work/out"
for number in $(seq 8); do
	run stellar keys generate "r$number" --fund
	stellar keys address "r$number"
done >"$work/recipients"
make_postgres
export GATEWAY_DATABASE=$postgres_url
make_token submit read operate

# The leases of a killed gateway run out in some seconds, not after the default minute.
printf '[worker]\nlease_seconds = 6\norders = %s\n' "$lanes" >"$work/gateway.toml"

# keep_running PLACE: runs a gateway again and again, and keeps its present address in a file.
keep_running() {
	local place=$1 line
	while ! [ -e "$work/over" ]; do
		: >"$work/$place.url"
		"$STELLAR_ESCROW_BIN" serve --config "$work/gateway.toml" --program "$program=escrow" --payout-key payout --lanes "$lanes" \
			--lane-source admin --listen 127.0.0.1:0 > >(
			while read -r line; do
				case $line in Gateway*) echo "${line#Gateway }" | tr -d ' ' >"$work/$place.url" ;; esac
			done
		) 2>>"$work/$place.log" &
		echo $! >"$work/$place.pid"
		{ wait $! || true; } 2>/dev/null
		sleep 0.2
	done
}
export GATEWAY_LOG=warn
keep_running a &
helpers+=($!)
keep_running b &
helpers+=($!)

tell faults '{"profile":"nasty"}'
say "$orders orders, every fault at 5%, and plugs that are pulled"
gateways_killed=0
databases_killed=0
node scripts/gateway/clients.mjs "$orders" "$token" "$work/recipients" "$work/a.url" "$work/b.url" &
clients=$!
while kill -0 "$clients" 2>/dev/null; do
	sleep $((8 + RANDOM % 16))
	kill -0 "$clients" 2>/dev/null || break
	if [ $((RANDOM % 6)) = 0 ]; then
		kill_postgres
		databases_killed=$((databases_killed + 1))
		sleep $((RANDOM % 3))
		run_postgres
	else
		place=$([ $((RANDOM % 2)) = 0 ] && echo a || echo b)
		kill -9 "$(cat "$work/$place.pid")" 2>/dev/null && gateways_killed=$((gateways_killed + 1)) || true
	fi
	# The last orders need some quiet: the windows of what was signed have to run out.
done
wait "$clients" || die 'the clients found a fault; their message is above'
say "killed: gateways $gateways_killed times, the database $databases_killed times"
curl --silent --show-error --fail --request DELETE "$STELLAR_RPC_URL/localnet/faults" >"$work/faults"

say 'the accounts'
ask() { curl --silent --show-error --fail-with-body --retry 20 --retry-all-errors --header "Authorization: Bearer $token" "$@"; }
# One that was killed last is back by then.
sleep 3
for _ in $(seq 100); do
	url=$(cat "$work/a.url")
	[ -z "$url" ] || break
	sleep 0.2
done
operation=$(ask --request POST --header 'Idempotency-Key: last' "$url/v1/programs/$program/reconciliations" | member id)
for _ in $(seq 600); do
	[ "$(ask "$url/v1/operations/$operation" | member state)" = open ] || break
	sleep 0.5
done
result=$(ask "$url/v1/operations/$operation")
[ "$(member state <<<"$result")" = done ] || die "not reconciled: $result"
[ "$(member result findings <<<"$result")" = 0 ] || die "findings: $(ask "$url/v1/programs/$program/findings")"
[ "$(member result paid <<<"$result")" = "$orders" ] || die "not every order is paid: $result"
[ "$(ask "$url/v1/programs/$program/double-payments" | member keys length)" = 0 ] || die 'a key has two orders'
"$STELLAR_ESCROW_BIN" serve audit verify >"$work/out" 2>"$work/talk" || die "the audit log: $(cat "$work/talk")"
say "audit log: $(tail -n 1 "$work/talk")"

expected=$(node -e 'let s=0;for(let i=0;i<+process.argv[1];i++)s+=1000+i%7;console.log(s)' "$orders")
count=$("$STELLAR_ESCROW_BIN" status --contract escrow --output json 2>"$work/talk" | member payout_count)
[ "$count" = "$orders" ] || die "the contract counts $count payouts"
say "the contract counts $count payouts; $expected units were ordered"

if "$STELLAR_ESCROW_BIN" audit --help >/dev/null 2>&1; then
	before=
	while :; do
		page=$(ask "$url/v1/payouts?program=$program&limit=500${before:+&before=$before}")
		node -e 'for(const p of JSON.parse(require("fs").readFileSync(0)).payouts)console.log(p.chain_key)' <<<"$page" >>"$work/keys"
		before=$(member next <<<"$page")
		[ "$before" != null ] || break
	done
	"$STELLAR_ESCROW_BIN" audit --contract escrow --archive "$work/archive" --keys "$work/keys" >"$work/audit" 2>"$work/talk" ||
		die "the auditor does not agree: $(cat "$work/talk" "$work/audit")"
	say "the auditor: $(tail -n 1 "$work/audit")"
fi
say "every one of $orders orders was paid once"
