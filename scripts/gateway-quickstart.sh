#!/usr/bin/env bash
# From nothing to a paid order, with the commands of docs/gateway.md: a local ledger, the contract, the gateway, curl.
#
#   scripts/gateway-quickstart.sh [DATABASE]      sqlite:FILE (default, in a folder that is removed) or postgres://…
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
# shellcheck source=scripts/gateway/gateway.sh
. "$ESCROW_ROOT/scripts/gateway/gateway.sh"
cd "$ESCROW_ROOT"
command -v curl >/dev/null || die 'no curl on PATH. Install it and run this again'

scripts/build-contract.sh
select_toolchain || true
build_command
work=$(mktemp -d)
trap stop_all EXIT
use_own_settings
export XDG_STATE_HOME=$work GATEWAY_DATABASE=${1:-sqlite:$work/gateway.db} GATEWAY_LISTEN=127.0.0.1:0
program=hackathon-2026

say 'ledger and escrow'
start_local_ledger --close 1
make_escrow "$program" 1000 4

say 'the gateway'
make_token submit read operate
start_gateway --program "$program=escrow" --lanes 4

say 'the order'
recipient=$(stellar keys address recipient)
id=$(submit invoice-4711 "$recipient" 12.5 | member id)
again=$(submit invoice-4711 "$recipient" 12.5 | member id)
[ "$id" = "$again" ] || die "one key has two orders: $id and $again"
until_confirmed "$id"

paid=$(escrow status --contract escrow --output json | member total_paid)
say "order $id is confirmed; the contract has paid $paid"
"$STELLAR_ESCROW_BIN" serve audit verify >"$work/out" 2>"$work/talk" || die "the audit log is broken: $(cat "$work/talk")"
say "audit log: $(tail -n 1 "$work/talk")"
