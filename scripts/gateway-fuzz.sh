#!/usr/bin/env bash
# An API fuzzer, driven by the OpenAPI document, against a running gateway: no answer with 5xx, and none outside the
# schema.
#
#   scripts/gateway-fuzz.sh [EXAMPLES [DATABASE]]     examples of each operation, default 100; sqlite (default), postgres (one
#                                                     of its own), or the address of one
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
# shellcheck source=scripts/gateway/gateway.sh
. "$ESCROW_ROOT/scripts/gateway/gateway.sh"
cd "$ESCROW_ROOT"
command -v python3 >/dev/null || die 'no python3 on PATH. Install it with its venv module and run this again'

tools=$ESCROW_TOOLS_DIR/schemathesis-$SCHEMATHESIS_VERSION
if ! [ -x "$tools/bin/schemathesis" ]; then
	say "installing schemathesis $SCHEMATHESIS_VERSION"
	python3 -m venv "$tools"
	"$tools/bin/pip" install --quiet "schemathesis==$SCHEMATHESIS_VERSION"
fi
prepare_gateway "${2:-sqlite}"
export GATEWAY_LOG=warn
program=hackathon-2026

start_local_ledger --close 1
make_escrow "$program" 1000 0
make_token submit read operate
printf '[limits]\nrequests_per_second = 100000\nburst = 100000\n' >"$work/gateway.toml"
start_gateway --config "$work/gateway.toml" --program "$program=escrow"
# Something to find: an order whose id and program the fuzzer is told.
id=$(submit seed "$(stellar keys address recipient)" 1 | member id)
until_confirmed "$id"
cat >"$work/schemathesis.toml" <<TOML
[parameters]
program = "$program"
"path.id" = "$id"
TOML

cd "$work" # it writes what it remembers where it is
"$tools/bin/schemathesis" --config-file "$work/schemathesis.toml" run "$url/openapi.json" \
	--header "Authorization: Bearer $token" \
	--checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,negative_data_rejection \
	--max-examples "${1:-100}" --seed 1
