#!/usr/bin/env bash
# The main job on real input: pays examples/hackathon-2026.csv (or the file given) through the compiled contract on the
# Soroban host, in one process, and retries every batch. No network.
#
#   scripts/demo.sh [PRIZES.csv]
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
file=${1:-$ESCROW_ROOT/examples/hackathon-2026.csv}
[ -f "$file" ] || die "$file is not there; give a CSV file with the columns walletAddress, id, amount"
file=$(realpath "$file")
cd "$ESCROW_ROOT"
scripts/build-contract.sh
select_toolchain || true # setup.sh has warned if it is not the pinned one
cargo run --locked --quiet -p program-escrow --example hackathon -- "$(target_dir)/contracts/program_escrow.wasm" "$file"
