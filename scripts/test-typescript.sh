#!/usr/bin/env bash
# Installs, builds, checks and tests the TypeScript client against the local ledger and in Chromium.
#
#   scripts/test-typescript.sh
#
# Environment:
#   STELLAR_ESCROW_BIN        the command that runs the local ledger (default: in cargo's target folder)
#   PROGRAM_ESCROW_WASM_DIR   where program_escrow.wasm is (default: contracts/ in cargo's target folder)
#   CHROMIUM                  the browser (default: the first one on PATH)
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT/clients/typescript"

CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$(target_dir)}
export CARGO_TARGET_DIR

say 'installing'
npm ci --no-audit --no-fund --silent
say 'building, checking types, linting'
npm run --silent build
npm run --silent check
npm run --silent lint
say 'testing'
npm test --silent
