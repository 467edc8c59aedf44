# Sourced by the other scripts: where the tools are, and which compiler builds what. Changes nothing on disk.
# shellcheck shell=bash

ESCROW_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/versions.env
. "$ESCROW_ROOT/scripts/versions.env"

# Tools live outside the work tree, one folder per version: `cargo clean` and a second clone cost nothing, and a
# `stellar` of another version that somebody uses elsewhere is left alone.
ESCROW_TOOLS_DIR=${ESCROW_TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/program-escrow-tools}
ESCROW_CHANNEL=$(sed -n 's/^channel *= *"\(.*\)"/\1/p' "$ESCROW_ROOT/rust-toolchain.toml")
ESCROW_DEBIAN_RUST=$ESCROW_TOOLS_DIR/debian-rust

# The scripts install toolchains themselves, with a message; rustup must not start a download behind their back.
export RUSTUP_AUTO_INSTALL=0
# The CLI asks for news of itself on every run otherwise.
export STELLAR_NO_UPDATE_CHECK=1
# Rust's own files are found through rustup's folder, which need not be on PATH in a non-interactive shell.
PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin

for _dir in "stellar-cli-$STELLAR_CLI_VERSION" "cargo-nextest-$NEXTEST_VERSION" "cargo-deny-$CARGO_DENY_VERSION" \
	"cargo-fuzz-$CARGO_FUZZ_VERSION"; do
	if [ -d "$ESCROW_TOOLS_DIR/$_dir/bin" ]; then PATH=$ESCROW_TOOLS_DIR/$_dir/bin:$PATH; fi
done
unset _dir
export PATH

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() {
	say "error: $*"
	exit 1
}

# rustc_is VERSION [TOOLCHAIN]: whether that compiler is exactly this version.
rustc_is() {
	local out
	if [ $# -gt 1 ]; then
		out=$(RUSTUP_TOOLCHAIN=$2 rustc --version 2>/dev/null) || return 1
	else
		out=$(cd "$ESCROW_ROOT" && rustc --version 2>/dev/null) || return 1
	fi
	case $out in "rustc $1 "*) return 0 ;; *) return 1 ;; esac
}

# Makes cargo and rustc be the pinned version, if it is installed under any name: a machine set up from an image
# often has it as `stable` only. A RUSTUP_TOOLCHAIN that the caller set is the caller's choice.
select_toolchain() {
	local name
	if [ -n "${RUSTUP_TOOLCHAIN:-}" ]; then return 0; fi
	if rustc_is "$ESCROW_CHANNEL"; then return 0; fi
	command -v rustup >/dev/null || return 1
	while read -r name _; do
		if rustc_is "$ESCROW_CHANNEL" "$name"; then
			export RUSTUP_TOOLCHAIN=$name
			return 0
		fi
	done < <(rustup toolchain list 2>/dev/null)
	return 1
}

# rustup_wasm_ready: whether the pinned compiler has the contract target.
rustup_wasm_ready() {
	local lib
	lib=$(cd "$ESCROW_ROOT" && rustc --print target-libdir --target "$WASM_TARGET" 2>/dev/null) || return 1
	compgen -G "$lib/libcore-*.rlib" >/dev/null && compgen -G "$lib/liballoc-*.rlib" >/dev/null
}

# debian_wasm_ready: whether Debian's compiler has been given the target, and is still the compiler it was built with.
debian_wasm_ready() {
	[ -f "$ESCROW_DEBIAN_RUST/rustc-version" ] && [ -x "$ESCROW_DEBIAN_RUST/bin/rustc" ] || return 1
	[ "$(cat "$ESCROW_DEBIAN_RUST/rustc-version")" = "$(/usr/bin/rustc --version 2>/dev/null)" ] &&
		[ -x "$(debian_wasm_linker)" ]
}

# wasm_compiler: prints `rustup` or `debian`, whichever compiles contracts here; fails where neither can.
wasm_compiler() {
	if [ "${ESCROW_FORCE_DEBIAN_WASM:-0}" != 1 ] && rustup_wasm_ready; then
		echo rustup
	elif debian_wasm_ready; then
		echo debian
	else
		return 1
	fi
}

# The linker for Wasm that fits Debian's compiler: that of the same LLVM.
debian_llvm() { /usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p'; }
debian_wasm_linker() { echo "/usr/bin/wasm-ld-$(debian_llvm)"; }

# stellar_ready: whether the `stellar` on PATH is exactly the pinned one.
stellar_ready() { [ "$(stellar version --only-version 2>/dev/null)" = "$STELLAR_CLI_VERSION" ]; }

wasm_opt_version() { "$1" --version 2>/dev/null | sed -n 's/^wasm-opt version \([0-9]*\).*/\1/p'; }

# find_wasm_opt: prints the wasm-opt to use: the caller's, the pinned one, or one of the same version on PATH.
find_wasm_opt() {
	local opt=$ESCROW_TOOLS_DIR/binaryen-$BINARYEN_NPM_VERSION/node_modules/binaryen/bin/wasm-opt
	if [ -n "${ESCROW_WASM_OPT:-}" ]; then
		[ -n "$(wasm_opt_version "$ESCROW_WASM_OPT")" ] ||
			die "ESCROW_WASM_OPT=$ESCROW_WASM_OPT is not a wasm-opt that runs; correct or unset it"
		echo "$ESCROW_WASM_OPT"
		return 0
	fi
	if [ -x "$opt" ]; then
		echo "$opt"
		return 0
	fi
	if opt=$(command -v wasm-opt) && [ "$(wasm_opt_version "$opt")" = "$BINARYEN_VERSION" ]; then
		echo "$opt"
		return 0
	fi
	return 1
}

# nextest_ready: this version of nextest or a newer one.
nextest_ready() {
	local have
	have=$(cargo nextest --version 2>/dev/null | sed -n 's/^cargo-nextest \([0-9.]*\).*/\1/p') || return 1
	[ -n "$have" ] && [ "$(printf '%s\n%s\n' "$NEXTEST_VERSION" "$have" | sort -V | head -n 1)" = "$NEXTEST_VERSION" ]
}

deny_ready() { [ "$(cargo deny --version 2>/dev/null)" = "cargo-deny $CARGO_DENY_VERSION" ]; }
fuzz_ready() { [ "$(cargo fuzz --version 2>/dev/null)" = "cargo-fuzz $CARGO_FUZZ_VERSION" ]; }

# cargo_fuzz ARGUMENT...: cargo fuzz with the pinned compiler. Its sanitizer flags are unstable, and RUSTC_BOOTSTRAP lets
# them through; so fuzzing needs no nightly, and finds what it finds with the compiler that everything else uses.
cargo_fuzz() { RUSTC_BOOTSTRAP=1 cargo fuzz "$@"; }

# cargo's own answer, so that CARGO_TARGET_DIR and a user's cargo configuration count.
target_dir() {
	(cd "$ESCROW_ROOT" && cargo metadata --no-deps --offline --format-version 1) |
		sed 's/.*"target_directory":"\([^"]*\)".*/\1/'
}
