#!/usr/bin/env bash
# Runs the tests, all of them by default; on a new machine, installs what they need first.
#
#   scripts/test.sh [ARGUMENT...]      arguments go to `cargo nextest run`, for example: -p program-escrow test_idempotent
#
# Without arguments, after the Rust tests: the JavaScript SDK and the TypeScript client against the local ledger, the demo,
# the page docs/pay.md, `pay` killed at random, and the page docs/gateway.md on both databases.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"

scripts/setup.sh wasm test browser postgres
scripts/build-contract.sh --all
select_toolchain || true # setup.sh has warned if it is not the pinned one

# Tests read the Wasm below this folder; they need not guess where it is.
CARGO_TARGET_DIR=$(target_dir)
export CARGO_TARGET_DIR

if [ $# -gt 0 ]; then
	exec cargo nextest run --locked "$@"
fi

# nextest leaves the examples in the documentation to cargo.
if cargo metadata --no-deps --offline --format-version 1 | grep -q '"doctest":true'; then
	cargo test --doc --workspace --locked
fi
cargo nextest run --workspace --locked

# The command that the tests just built. Asked for alone, cargo would compile the host anew: without the tests' own
# dependencies its features are others.
export STELLAR_ESCROW_BIN=$CARGO_TARGET_DIR/debug/stellar-escrow
say 'the JavaScript SDK against the local ledger'
npm ci --prefix crates/localnet/tests/node --no-audit --no-fund --silent
npm test --prefix crates/localnet/tests/node --silent

say 'the TypeScript client'
scripts/test-typescript.sh

say "a backend's day with the stellar command"
scripts/demo.sh

say 'from the README to a paid file'
scripts/check-quickstart.sh

say 'paying while it is killed, on a ledger that loses and forgets'
ESCROW_KILLS=${ESCROW_KILLS:-25} scripts/pay-crash.sh

say 'the gateway, from nothing to a paid order'
scripts/gateway-quickstart.sh sqlite
scripts/gateway-quickstart.sh postgres
