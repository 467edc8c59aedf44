#!/usr/bin/env bash
# Builds contracts into the Wasm that is deployed and tested.
#
#   scripts/build-contract.sh [--all | PACKAGE...]     default: program-escrow
#
# --all adds every contract that only tests use (contracts/program-escrow/test-contracts).
#
# For each package, below cargo's target folder:
#   contracts/<name>.wasm   built by `stellar contract build`, then optimised
#   contracts/<name>.json   its sizes and hash, and the versions of what built it
# (<name> is the package's name with _ for -.) A file is replaced only if its content changes, so that nothing that
# embeds it is compiled again without need.
#
# Reproducible: the same source, Cargo.lock, compiler, stellar-cli and wasm-opt give the same bytes, in any folder and
# with any home folder. stellar-cli maps the paths of crates away and writes its own version into the contract's
# metadata; it can do so only where no RUSTFLAGS are set, so they are taken out here. Debian's compiler (see setup.sh)
# is another compiler and gives other bytes; the .json names it.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"

# What the ledger would take is more; these are the sizes that the project promises (docs/costs.md).
MAX_WASM=$((40 * 1024))
MAX_CODE=$((24 * 1024))

packages=()
for arg in "$@"; do
	case $arg in
	--all)
		packages+=(program-escrow)
		for manifest in contracts/program-escrow/test-contracts/*/Cargo.toml; do
			[ -f "$manifest" ] || continue
			packages+=("$(sed -n 's/^name *= *"\(.*\)"/\1/p' "$manifest" | head -n 1)")
		done
		;;
	-*) die "unknown option $arg; usage: scripts/build-contract.sh [--all | PACKAGE...]" ;;
	*) packages+=("$arg") ;;
	esac
done
[ ${#packages[@]} -gt 0 ] || packages=(program-escrow)

scripts/setup.sh wasm
select_toolchain || true # setup.sh has warned if it is not the pinned one
target=$(target_dir)
wasm_opt=$(find_wasm_opt)
compiler=$(wasm_compiler)

unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_WASM32V1_NONE_RUSTFLAGS
if [ "$compiler" = debian ]; then
	unset RUSTUP_TOOLCHAIN RUSTC
	PATH=$ESCROW_DEBIAN_RUST/bin:$PATH
	CARGO_TARGET_WASM32V1_NONE_LINKER=$(debian_wasm_linker)
	export CARGO_TARGET_WASM32V1_NONE_LINKER
	# Two compilers in one folder would undo each other's work at every turn.
	build=$target/wasm-debian
	# cargo knows the compiler by its version and does not see that its core library is another one.
	cmp -s "$ESCROW_DEBIAN_RUST/sysroot-id" "$build/sysroot-id" || rm -rf "$build"
	mkdir -p "$build"
	cp "$ESCROW_DEBIAN_RUST/sysroot-id" "$build/"
else
	build=$target
fi
rustc_version=$(rustc --version | sed 's/^rustc //')
mkdir -p "$target/contracts"
# One build at a time: two in one folder would move each other's files away.
if command -v flock >/dev/null; then
	exec 8>"$target/contracts/.lock"
	flock -n 8 || {
		say 'another build of the contract is running; waiting for it'
		flock 8
	}
fi

# replace NEW OLD: moves NEW over OLD if they differ.
replace() {
	if cmp -s "$1" "$2"; then rm "$1"; else mv "$1" "$2"; fi
}

for package in "${packages[@]}"; do
	name=${package//-/_}
	built=$build/$WASM_TARGET/release/$name.wasm
	final=$target/contracts/$name.wasm
	log=$target/contracts/$name.log

	[ -f "$final" ] || say "building $package; the first time takes some minutes"
	# Optimised by the wasm-opt of versions.env alone: a stellar-cli with its own optimiser must not give other bytes
	# than one without.
	if ! CARGO_TARGET_DIR=$build stellar contract build --package "$package" --locked --optimize=false >"$log" 2>&1; then
		cat "$log" >&2
		die "$package did not build; the compiler's messages are above"
	fi

	# The passes and features of `stellar contract build --optimize`. Names and debug sections go, as -g is not given;
	# the contract's own sections stay.
	"$wasm_opt" -Oz --converge --mvp-features --enable-mutable-globals --enable-sign-ext --enable-bulk-memory \
		"$built" -o "$final.new"
	sizes=$(node scripts/wasm-sections.mjs "$built" "$final.new")
	bytes=${sizes% *}
	code=${sizes#* }
	hash=$(sha256sum "$final.new" | cut -d ' ' -f 1)

	cat >"$target/contracts/$name.json.new" <<-JSON
		{
		  "package": "$package",
		  "bytes": $bytes,
		  "code_bytes": $code,
		  "sha256": "$hash",
		  "compiler": "$compiler",
		  "rustc": "$rustc_version",
		  "stellar_cli": "$(stellar version --only-version)",
		  "wasm_opt": "$(wasm_opt_version "$wasm_opt")"
		}
	JSON
	replace "$final.new" "$final"
	replace "$target/contracts/$name.json.new" "$target/contracts/$name.json"
	printf '%s\n  %s bytes, %s of them code\n  sha256 %s\n' "$final" "$bytes" "$code" "$hash"

	if [ "$package" = program-escrow ]; then
		[ "$bytes" -le $MAX_WASM ] || die "$name.wasm has $bytes bytes, more than the $MAX_WASM allowed"
		[ "$code" -le $MAX_CODE ] || die "$name.wasm has $code bytes of code, more than the $MAX_CODE allowed"
	fi
done
