#!/usr/bin/env bash
# How fast the gateway accepts requests, beside bare inserts of the same rows on the same PostgreSQL in the same run.
#
#   scripts/gateway-bench.sh [ORDERS [CLIENTS]]
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/gateway/postgres.sh
. "$ESCROW_ROOT/scripts/gateway/postgres.sh"
cd "$ESCROW_ROOT"
select_toolchain || true
cargo build --locked --quiet --profile dist -p payout-gateway --example accept_rate

work=$(mktemp -d)
stop() {
	kill_postgres
	rm -rf "$work"
}
trap stop EXIT
make_postgres
"$(target_dir)/dist/examples/accept_rate" "$postgres_url" "$@"
