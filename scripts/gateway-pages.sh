#!/usr/bin/env bash
# The operator's pages in a real browser, on a gateway with a paid and a refused order.
#
#   scripts/gateway-pages.sh [FOLDER]        with a folder, screenshots go there
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/demo/escrow.sh
. "$ESCROW_ROOT/scripts/demo/escrow.sh"
# shellcheck source=scripts/gateway/gateway.sh
. "$ESCROW_ROOT/scripts/gateway/gateway.sh"
cd "$ESCROW_ROOT"
SCREENSHOTS=${1:+$(realpath "$1")}

scripts/setup.sh browser
for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome; do
	CHROMIUM=$(command -v "$name") && break
done
npm ci --prefix crates/payout-gateway/tests/pages --no-audit --no-fund --silent
prepare_gateway sqlite
program=hackathon-2026

start_local_ledger --close 1
make_escrow "$program" 1000 2
make_token submit read operate
start_gateway --program "$program=escrow" --lanes 2
recipient=$(stellar keys address recipient)
PAID=$(submit paid "$recipient" 12.5 | member id)
UNPAID=$(submit more-than-there-is "$recipient" 5000 | member id)
until_confirmed "$PAID"
GATEWAY_URL=$url GATEWAY_TOKEN=$token
export GATEWAY_URL GATEWAY_TOKEN PAID UNPAID CHROMIUM SCREENSHOTS
npm test --prefix crates/payout-gateway/tests/pages --silent
