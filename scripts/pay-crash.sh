#!/usr/bin/env bash
# Pays examples/hackathon-2026.csv on a local ledger that loses, delays and forgets (the fault profile `nasty`), and
# kills `pay` with SIGKILL every 100 to 500 ms until it is done. At the end every wallet has to hold exactly what the
# file owes it, every payout of the contract has to be one of the run's, and the audit has to say clean.
#
#   scripts/pay-crash.sh [--seed N] [SCENARIO...]     default: all, with seed 1
#
# Environment: ESCROW_KILLS=N lets it run to its end after N kills (400, so that it is done before);
# ESCROW_CLOSE=SECONDS closes ledgers by time instead of with every transaction.
#
#   killed         killed and started again
#   lost-journal   the same; halfway journal and receipts are deleted
#   two-machines   the same on two machines at once, each with its own journal and account
#   edited         the same; halfway rows are reordered, appended and removed, one is renamed, one that is paid gets
#                  another amount; two ids have one wallet and amount
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"
# shellcheck source=scripts/demo/escrow.sh
. scripts/demo/escrow.sh

CODE=USDC
PROGRAM=hackathon-2026
UNITS=1000000000000
KILLS=${ESCROW_KILLS:-400}
seed=1
scenarios=()
while [ $# -gt 0 ]; do
	case $1 in
	--seed)
		seed=$2
		shift 2
		;;
	killed | lost-journal | two-machines | edited)
		scenarios+=("$1")
		shift
		;;
	*) die 'usage: scripts/pay-crash.sh [--seed N] [killed|lost-journal|two-machines|edited]...' ;;
	esac
done
[ ${#scenarios[@]} -gt 0 ] || scenarios=(killed lost-journal two-machines edited)
command -v curl >/dev/null || die 'no curl on PATH. Install it and run this again'

scripts/build-contract.sh
select_toolchain || true
build_command

begin() {
	work=$(mktemp -d)
	use_own_settings
	# shellcheck disable=SC2086 # two flags, or none
	start_local_ledger ${ESCROW_CLOSE:+--close $ESCROW_CLOSE --manual-clock 1790000000} --seed "$seed"
	make_asset
	run stellar keys generate lane --fund
	cp examples/hackathon-2026.csv "$work/prizes.csv"
	node scripts/demo/edit.mjs twins "$work/prizes.csv"
	cp "$work/prizes.csv" "$work/owed.csv"
	open_wallets "$work/prizes.csv"
	deploy_escrow "$PROGRAM" "$UNITS"
	export STELLAR_CONTRACT_ID=$escrow STELLAR_ACCOUNT=payout
	# A node that lags shall not be older than what was set up.
	tell close '{"ledgers": 10}'
	tell faults '{"profile": "nasty"}'
}
finish() {
	[ -z "${node:-}" ] || kill "$node" 2>/dev/null || true
	node=
	until rm -rf "${work:-}" 2>/dev/null; do sleep 0.2; done
}
trap finish EXIT

# pay MACHINE KILLS [FLAG...]: until it ends by itself, each machine with its own folder.
pay() {
	local machine=$1 kills=$2
	shift 2
	node scripts/demo/killer.mjs "$seed" "$kills" "$STELLAR_ESCROW_BIN" pay "$work/prizes.csv" --run prizes --yes \
		--max-batch 20 --poll 50 --folder "$work/$machine" "$@"
}

# half: waits until the contract has paid some slots, while `pay` runs in the background.
half() {
	local count=0
	while [ "$count" -lt 5 ]; do
		count=$(stellar contract invoke --id "$escrow" --source payout --send=no -- get_program 2>/dev/null |
			sed -n 's/.*"payout_count":\([0-9]*\).*/\1/p') || true
		count=${count:-0}
	done
}

# proven FILE: with the faults switched off, everybody has what the file owes them, and nothing else was paid.
proven() {
	tell faults '{"profile": "calm"}'
	settle "$1"
	node scripts/demo/books.mjs "$1" "$(invoke payout get_program)"
	audited "$1"
}

# audited FILE: events, a list of keys, and both with what the file owes come to the same verdict.
audited() {
	"$STELLAR_ESCROW_BIN" receipts "$work/prizes.csv" --run prizes --output csv --folder "$work/one" \
		>"$work/keys.csv" 2>"$work/talk" || true
	node scripts/demo/owed.mjs "$1" >"$work/obligations.csv"
	audit --archive "$work/events"
	audit --keys "$work/keys.csv"
	audit --archive "$work/events" --keys "$work/keys.csv" --obligations "$work/obligations.csv" --run prizes
}
audit() {
	"$STELLAR_ESCROW_BIN" audit "$@" >"$work/report" 2>"$work/talk" ||
		die "the audit ended with $?: $(cat "$work/report" "$work/talk")"
	head -n 1 "$work/report"
}

killed() { pay one "$KILLS"; }

lost-journal() {
	pay one "$KILLS" >"$work/first" &
	local first=$!
	half
	# While it is being started again and again, a file may be made while the folder is emptied.
	until rm -rf "$work/one" 2>/dev/null; do :; done
	wait "$first" || die "pay ended with $?: $(cat "$work/first")"
	cat "$work/first"
}

two-machines() {
	pay one "$KILLS" >"$work/first" &
	local first=$!
	pay two "$KILLS" --lane lane
	wait "$first" || die "the first machine ended with $?: $(cat "$work/first")"
	cat "$work/first"
}

edited() {
	# Interrupted for good somewhere in the middle.
	pay one 100000 >"$work/first" 2>&1 &
	local first=$!
	half
	pkill -P "$first" 2>/dev/null || true
	kill "$first" 2>/dev/null || true
	wait "$first" 2>/dev/null || true
	pkill -f "$work/prizes.csv" || true
	tell faults '{"profile": "calm"}'
	"$STELLAR_ESCROW_BIN" receipts "$work/prizes.csv" --run prizes --output json --folder "$work/one" >"$work/paid.json"
	tell faults '{"profile": "nasty"}'
	# A renamed id is another obligation by its name and the same by wallet and amount: it stops and says so.
	node scripts/demo/edit.mjs halfway "$work/prizes.csv" "$work/paid.json" "$work/owed.csv"
	set +e
	pay one "$KILLS"
	local code=$?
	set -e
	[ "$code" -eq 6 ] || die "a renamed id has to stop the run with 6, and it ended with $code"
	# Its old name again: nothing is in doubt, and the rest is paid.
	node scripts/demo/edit.mjs restore-name "$work/prizes.csv"
	set +e
	pay one "$KILLS"
	code=$?
	set -e
	# Not 0: the file asks for another amount than was paid.
	[ "$code" -eq 3 ] || die "a row that was edited after it was paid has to be told with 3, and it ended with $code"
}

for scenario in "${scenarios[@]}"; do
	say "$scenario, seed $seed"
	begin
	"$scenario"
	proven "$work/owed.csv"
	finish
done
echo "${#scenarios[@]} scenarios: everybody was paid once"
