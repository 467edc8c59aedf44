#!/usr/bin/env bash
# Runs docs/pay.md as a newcomer would: every shell block, in one shell, in order. Fails at the first command that fails,
# and if at the end the three winners do not have their prizes.
#
#   scripts/check-quickstart.sh
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work/config STELLAR_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state TMPDIR=$work
unset STELLAR_ACCOUNT STELLAR_RPC_HEADERS STELLAR_RPC_URL STELLAR_NETWORK STELLAR_NETWORK_PASSPHRASE STELLAR_CONTRACT_ID

# A page that says `target` means cargo's default; a clone may have another.
target=$(target_dir)
{
	printf 'set -euo pipefail -m\n'
	# A command that is built already is not built again with other features.
	if [ -n "${STELLAR_ESCROW_BIN:-}" ]; then printf 'cargo() { :; }\n'; fi
	sed -n '/^```sh$/,/^```$/p' docs/pay.md | sed '/^```/d' | sed "s|\$PWD/target|$target|g"
} >"$work/page.sh"
# The last block stops the network, so what is owed is looked up right before.
sed -i '/^kill %1$/i for who in alice bob carol; do stellar ledger entry fetch trustline --account "$who" --asset "$asset" --output json | sed "s/.*\\"balance\\":\\"\\([0-9]*\\)\\".*/\\1/"; done >owned' "$work/page.sh"
sed -i '/^kill %1$/i printf "10000000000\\n5005000000\\n3495000000\\n" | diff - owned' "$work/page.sh"

if ! bash "$work/page.sh" >"$work/log" 2>&1; then
	cat "$work/log" >&2
	die 'docs/pay.md does not work; its last words are above'
fi
say 'docs/pay.md works, and the three winners have their prizes'
