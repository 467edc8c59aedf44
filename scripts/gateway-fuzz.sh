#!/usr/bin/env bash
# An API fuzzer, driven by the OpenAPI document, against a running gateway: no answer with 5xx, and none outside the
# schema.
#
#   scripts/gateway-fuzz.sh [EXAMPLES]        examples of each operation, default 100
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
cd "$ESCROW_ROOT"
command -v python3 >/dev/null || die 'no python3 on PATH. Install it with its venv module and run this again'

tools=$ESCROW_TOOLS_DIR/schemathesis-$SCHEMATHESIS_VERSION
if ! [ -x "$tools/bin/schemathesis" ]; then
	say "installing schemathesis $SCHEMATHESIS_VERSION"
	python3 -m venv "$tools"
	"$tools/bin/pip" install --quiet "schemathesis==$SCHEMATHESIS_VERSION"
fi
scripts/build-contract.sh
select_toolchain || true
build_command
wasm=$(target_dir)/contracts/program_escrow.wasm

work=$(mktemp -d)
gateway=
stop() {
	[ -z "$gateway" ] || kill "$gateway" 2>/dev/null || true
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	rm -rf "$work"
}
trap stop EXIT
use_own_settings
export XDG_STATE_HOME=$work GATEWAY_DATABASE=sqlite:$work/gateway.db GATEWAY_LOG=warn
start_local_ledger --close 1
escrow() { run "$STELLAR_ESCROW_BIN" "$@"; }
for who in admin payout; do run stellar keys generate "$who" --fund; done
escrow deploy --wasm "$wasm" --program-id fuzz --token native --payout-key payout --alias fuzz --source admin --yes >"$work/out"
escrow lock 1000 --contract fuzz --source admin --yes >"$work/out"
escrow publish --contract fuzz --source admin --yes >"$work/out"
token=$("$STELLAR_ESCROW_BIN" serve keys create --scope submit --scope read --scope operate 2>"$work/talk")
cat >"$work/gateway.toml" <<TOML
[limits]
requests_per_second = 100000
burst = 100000
TOML
"$STELLAR_ESCROW_BIN" serve --config "$work/gateway.toml" --program fuzz=fuzz --payout-key payout --listen 127.0.0.1:0 \
	>"$work/gateway" 2>"$work/gateway-log" &
gateway=$!
for _ in $(seq 300); do
	url=$(sed -n 's/^Gateway  *//p' "$work/gateway")
	[ -z "$url" ] || break
	sleep 0.1
done
[ -n "$url" ] || die "the gateway did not start: $(cat "$work/gateway-log")"
# Readiness is 503 until the chain was read, which is right and is no finding.
curl --silent --fail --retry 60 --retry-delay 1 --retry-all-errors "$url/readyz" >"$work/ready"

"$tools/bin/schemathesis" run "$url/openapi.json" --header "Authorization: Bearer $token" \
	--checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,negative_data_rejection \
	--max-examples "${1:-100}" --seed 1
