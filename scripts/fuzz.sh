#!/usr/bin/env bash
# Fuzzes the contract against its model; ends with an error as soon as they disagree.
#
#   scripts/fuzz.sh [SECONDS] [ARGUMENT...]
#
# SECONDS: 60 if not given, 0 for ever. Further arguments go to libFuzzer, for example -jobs=4.
# What was found interesting is kept below cargo's target folder and used by the next run; a sequence that fails is
# kept in contracts/program-escrow/fuzz/artifacts. docs/testing.md says how to go on from there.
#
# Fuzzing needs a C++ compiler and unstable flags of the compiler. Where neither can be had,
# ESCROW_ALLOW_NO_FUZZ=1 makes this pass with a warning; no check that counts sets it.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"

seconds=${1:-60}
[ $# -eq 0 ] || shift
case $seconds in *[!0-9]*) die "usage: scripts/fuzz.sh [SECONDS] [ARGUMENT...]" ;; esac

if ! (scripts/setup.sh fuzz); then
	[ "${ESCROW_ALLOW_NO_FUZZ:-0}" = 1 ] || die "no fuzzing here; the reason is above"
	say "warning: no fuzzing here, and ESCROW_ALLOW_NO_FUZZ=1 accepts it"
	exit 0
fi
select_toolchain || true # setup.sh has warned if it is not the pinned one

fuzz=contracts/program-escrow/fuzz
target=$(target_dir)
corpus=$target/fuzz-corpus/scenarios
mkdir -p "$corpus"

# No sanitizer: there is no unsafe code of ours to watch, and the model finds what is wrong. Unoptimised, most of the
# time would go into the SDK.
export CARGO_PROFILE_DEV_OPT_LEVEL=1
say "building; the first time takes some minutes"
cargo_fuzz build --fuzz-dir "$fuzz" --target-dir "$target/fuzz" --dev --sanitizer none scenarios
say "running for $seconds s with $(find "$corpus" -type f | wc -l) sequences of earlier runs"
if ! cargo_fuzz run --fuzz-dir "$fuzz" --target-dir "$target/fuzz" --dev --sanitizer none scenarios "$corpus" -- \
	-max_total_time="$seconds" -max_len=2048 -len_control=0 -timeout=60 -print_final_stats=1 "$@"; then
	die "the contract and the model disagree, or the run broke off. Show the sequence:" \
		"cargo run -p program-escrow-fuzz -- $fuzz/artifacts/scenarios/FILE"
fi
