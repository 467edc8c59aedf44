#!/usr/bin/env bash
# Says, before anything is uploaded, whether an upgrade would strand or break what is deployed.
#
#   scripts/check-upgrade.sh OLD.wasm NEW.wasm OLD_COMMIT
#
# OLD.wasm is what is deployed (stellar contract fetch), OLD_COMMIT what it was built from. Refused:
#   - an entrypoint, event, type or error that is gone or changed: callers rely on it, and a Wasm without `upgrade` could
#     never be corrected again;
#   - a storage schema that lost or changed a line: entries under a renamed key look absent, and an absent record pays
#     again. Ledger keys stand in no Wasm, so this compares the golden file.
# A refusal is no proof that the upgrade is wrong, but it then needs a migration and a test from the old Wasm.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"

[ $# -eq 3 ] || die "usage: scripts/check-upgrade.sh OLD.wasm NEW.wasm OLD_COMMIT"
old=$(realpath "$1")
new=$(realpath "$2")
cd "$ESCROW_ROOT"
select_toolchain || true
schema=contracts/program-escrow/testdata/golden/storage-schema.txt

failed=0
say "spec: lines of the old Wasm that the new one does not have"
cargo run --quiet --locked -p program-escrow --example spec -- "$old" "$new" || failed=1

git cat-file -e "$3:$schema" || die "$3 has no $schema"
say "storage schema: lines of $3 that are gone or moved"
# Additions alone leave every old line where it was, in the same order.
if git diff --no-color --unified=0 "$3" -- "$schema" | grep '^-[^-]'; then failed=1; fi

[ $failed = 0 ] || die "this upgrade takes something away; see above"
say "nothing is taken away"
