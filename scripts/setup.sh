#!/usr/bin/env bash
# Installs what the project needs and is not there yet; says nothing where everything is.
#
#   scripts/setup.sh [PART...]      parts: wasm test browser postgres lint fuzz (default: all)
#
#   wasm     compile contracts: the Wasm target, stellar-cli, wasm-opt
#   test     cargo-nextest, curl for the demo
#   browser  Chromium, for the TypeScript client's page
#   postgres PostgreSQL's programs, for the gateway's tests
#   lint     rustfmt, clippy, cargo-deny
#   fuzz     cargo-fuzz
#
# Environment:
#   ESCROW_TOOLS_DIR            where tools go (default: the user's cache folder, program-escrow-tools)
#   ESCROW_FORCE_DEBIAN_WASM=1  compile contracts with Debian's compiler even where rustup has the target
#   ESCROW_WASM_OPT=FILE        use this wasm-opt instead of the pinned one
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ESCROW_ROOT"

parts=("$@")
[ $# -gt 0 ] || parts=(wasm test browser postgres lint fuzz)

# One installation at a time: two clones of one user share the tools.
locked=0
lock() {
	[ "$locked" = 0 ] || return 0
	locked=1
	mkdir -p "$ESCROW_TOOLS_DIR"
	command -v flock >/dev/null || return 0
	exec 9>"$ESCROW_TOOLS_DIR/.lock"
	flock -n 9 && return 0
	say "another set-up is running; waiting for it"
	flock 9
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		return 1
	fi
}

apt_updated=0
# apt_install WHY PACKAGE...
apt_install() {
	local why=$1
	shift
	command -v apt-get >/dev/null || return 1
	say "installing $* ($why)"
	if [ "$apt_updated" = 0 ]; then
		# A stale list names packages that are gone; a failure here may still leave a usable one.
		as_root apt-get update -qq >&2 || say "apt-get update failed; going on with the lists that are there"
		apt_updated=1
	fi
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# cargo_tool CRATE VERSION [FLAG...]: into a folder of its own, unoptimised. Compiling is most of what a new machine
# waits for, and none of these tools is ever busy for long. The target folder is removed only on success: an
# interrupted installation goes on where it was.
cargo_tool() {
	local crate=$1 version=$2 build=$ESCROW_TOOLS_DIR/build/$1-$2 root=$ESCROW_TOOLS_DIR/$1-$2 start=$SECONDS
	shift 2
	if ! env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS -u CARGO_BUILD_TARGET \
		CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 CARGO_TARGET_DIR="$build" \
		cargo install "$crate" --version "$version" --locked --debug --force --quiet --root "$root" "$@" >&2; then
		die "could not install $crate $version. Cargo's own message is above; run this script again, it goes on" \
			"where it stopped"
	fi
	rm -rf "$build"
	PATH=$root/bin:$PATH
	say "installed $crate $version in $((SECONDS - start)) s"
}

setup_rust() {
	if ! command -v cargo >/dev/null || ! command -v rustc >/dev/null; then
		die "no cargo and rustc on PATH. Install Rust $ESCROW_CHANNEL with rustup, or any other way, and run this again"
	fi
	if ! command -v cc >/dev/null; then
		apt_install "build scripts and linking need a C compiler" gcc libc6-dev ||
			die "no C compiler (cc) on PATH. Install gcc or clang and run this again"
	fi
	if select_toolchain; then
		rustc_is "$ESCROW_CHANNEL" ||
			say "warning: RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-} is not Rust $ESCROW_CHANNEL; the Wasm will differ"
		return 0
	fi
	command -v rustup >/dev/null ||
		die "this is $(rustc --version), the project needs $ESCROW_CHANNEL and there is no rustup to fetch it." \
			"Install Rust $ESCROW_CHANNEL"
	lock
	say "installing Rust $ESCROW_CHANNEL (rust-toolchain.toml)"
	rustup toolchain install "$ESCROW_CHANNEL" --profile minimal --no-self-update >&2 ||
		die "rustup cannot fetch Rust $ESCROW_CHANNEL and no installed toolchain has that version." \
			"Install it another way and link it: rustup toolchain link NAME FOLDER"
}

# Debian's compiler is used only where it was asked for or where rustup has failed once. That failure is remembered: on a
# machine cut off from rustup's server each try may hang. `rustup target add` by hand ends it.
setup_wasm_target() {
	local remembered=$ESCROW_DEBIAN_RUST/rustup-failed
	if [ "${ESCROW_FORCE_DEBIAN_WASM:-0}" = 1 ]; then
		if ! debian_wasm_ready; then setup_debian_wasm; fi
		return 0
	fi
	if rustup_wasm_ready || { debian_wasm_ready && [ -f "$remembered" ]; }; then return 0; fi
	lock
	if command -v rustup >/dev/null; then
		say "installing the target $WASM_TARGET (contracts are compiled for it)"
		# Bounded: a network that swallows packets must not stop the script for ever.
		timeout 300 rustup target add "$WASM_TARGET" >&2 || true
		if rustup_wasm_ready; then return 0; fi
	fi
	say "rustup cannot provide $WASM_TARGET here; falling back to Debian's compiler"
	if ! debian_wasm_ready; then setup_debian_wasm; fi
	touch "$remembered"
}

# Debian packages a compiler with the source of its library. The two crates that a contract needs are built from it
# once, into a sysroot of our own; nothing under /usr is touched, and rustup is not involved.
setup_debian_wasm() {
	lock
	local work start=$SECONDS crate new=$ESCROW_TOOLS_DIR/debian-rust.new
	if ! [ -x /usr/bin/rustc ] || ! [ -x /usr/bin/cargo ] || ! [ -d /usr/lib/rustlib/src/rust/library ]; then
		apt_install "a compiler with the source of its library, for $WASM_TARGET" cargo-web rustc-web rust-web-src ||
			die "no way to get $WASM_TARGET: rustup cannot add it and Debian's packages cargo-web, rustc-web and" \
				"rust-web-src cannot be installed. Make 'rustup target add $WASM_TARGET' work"
	fi
	if ! [ -x "$(debian_wasm_linker)" ]; then
		apt_install "the linker of that compiler's LLVM" "lld-$(debian_llvm)" ||
			die "no $(debian_wasm_linker); install the package lld-$(debian_llvm) and run this again"
	fi
	say "building core and alloc for $WASM_TARGET with $(/usr/bin/rustc --version)"
	work=$(mktemp -d)
	mkdir "$work/src"
	cat >"$work/Cargo.toml" <<-TOML
		[package]
		name = "empty"
		version = "0.0.0"
		edition = "2021"

		[workspace]
	TOML
	echo '#![no_std]' >"$work/src/lib.rs"
	# RUSTC_BOOTSTRAP: building the library from source is an unstable flag, whatever the compiler. embed-bitcode: the
	# contract is linked with link-time optimisation, which needs it.
	(cd "$work" && env -u CARGO_ENCODED_RUSTFLAGS -u RUSTUP_TOOLCHAIN RUSTFLAGS=-Cembed-bitcode=yes \
		PATH="/usr/bin:$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$work/target" \
		/usr/bin/cargo build --quiet --release --target "$WASM_TARGET" -Zbuild-std=core,alloc >&2) ||
		die "Debian's compiler could not build core and alloc for $WASM_TARGET; its message is above"

	rm -rf "$new"
	mkdir -p "$new/bin" "$new/lib/rustlib/$WASM_TARGET/lib"
	for crate in core alloc compiler_builtins; do
		cp "$work/target/$WASM_TARGET/release/deps/lib$crate"-*.rlib "$new/lib/rustlib/$WASM_TARGET/lib/"
	done
	ln -s "/usr/lib/rustlib/$(/usr/bin/rustc -vV | sed -n 's/^host: //p')" "$new/lib/rustlib/"
	ln -s /usr/bin/cargo "$new/bin/cargo"
	cat >"$new/bin/rustc" <<-SH
		#!/bin/sh
		exec /usr/bin/rustc --sysroot '$ESCROW_DEBIAN_RUST' "\$@"
	SH
	chmod +x "$new/bin/rustc"
	/usr/bin/rustc --version >"$new/rustc-version"
	cat "$new/lib/rustlib/$WASM_TARGET/lib"/*.rlib | sha256sum | cut -d ' ' -f 1 >"$new/sysroot-id"
	rm -rf "$ESCROW_DEBIAN_RUST" "$work"
	mv "$new" "$ESCROW_DEBIAN_RUST"
	debian_wasm_ready || die "Debian's compiler was given $WASM_TARGET and still cannot compile for it"
	say "built core and alloc in $((SECONDS - start)) s"
}

setup_stellar() {
	if stellar_ready; then return 0; fi
	lock
	if stellar_ready; then return 0; fi
	say "installing stellar-cli $STELLAR_CLI_VERSION (builds the contract); takes some minutes"
	# Without its optional libraries: they are ten times the compile time, and wasm-opt comes ready-made below.
	cargo_tool stellar-cli "$STELLAR_CLI_VERSION" --no-default-features
	stellar_ready || die "stellar-cli was installed, but 'stellar' is not version $STELLAR_CLI_VERSION"
}

# The pinned wasm-opt is JavaScript: Node runs it on every platform, so the same bytes come out everywhere.
setup_wasm_opt() {
	local dir=$ESCROW_TOOLS_DIR/binaryen-$BINARYEN_NPM_VERSION got
	if ! command -v node >/dev/null; then
		lock
		apt_install "Node.js runs wasm-opt and reads the Wasm's sections" nodejs ||
			die "no Node.js on PATH. Install Node.js 20 or newer and run this again"
	fi
	if find_wasm_opt >/dev/null; then return 0; fi
	lock
	if find_wasm_opt >/dev/null; then return 0; fi
	if ! command -v npm >/dev/null; then
		apt_install "npm fetches wasm-opt" npm ||
			die "no npm on PATH. Install it, or set ESCROW_WASM_OPT to a wasm-opt of version $BINARYEN_VERSION"
	fi
	say "installing wasm-opt $BINARYEN_VERSION (npm package binaryen $BINARYEN_NPM_VERSION)"
	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	echo '{"private":true}' >"$dir.new/package.json"
	npm install --prefix "$dir.new" --ignore-scripts --no-audit --no-fund --save-exact --loglevel=error \
		"binaryen@$BINARYEN_NPM_VERSION" >&2 ||
		die "npm could not install binaryen@$BINARYEN_NPM_VERSION; its message is above. Or set ESCROW_WASM_OPT to a" \
			"wasm-opt of version $BINARYEN_VERSION"
	got=$(sed -n 's/.*"integrity": "\(.*\)".*/\1/p' "$dir.new/package-lock.json")
	[ "$got" = "$BINARYEN_NPM_INTEGRITY" ] ||
		die "binaryen@$BINARYEN_NPM_VERSION came with the checksum $got, scripts/versions.env has" \
			"$BINARYEN_NPM_INTEGRITY. Do not use it before you know why"
	rm -rf "$dir"
	mv "$dir.new" "$dir"
	[ "$(wasm_opt_version "$(find_wasm_opt)")" = "$BINARYEN_VERSION" ] ||
		die "the wasm-opt of binaryen@$BINARYEN_NPM_VERSION does not run here ($(node --version)); is Node.js older than 18?"
}

setup_nextest() {
	if nextest_ready; then return 0; fi
	lock
	if nextest_ready; then return 0; fi
	say "installing cargo-nextest $NEXTEST_VERSION (runs the tests)"
	cargo_tool cargo-nextest "$NEXTEST_VERSION" --no-default-features --features default-no-update
	nextest_ready || die "cargo-nextest was installed, but 'cargo nextest' is older than $NEXTEST_VERSION"
}

setup_lint() {
	local tool
	for tool in fmt:rustfmt clippy:clippy; do
		if cargo "${tool%:*}" --version >/dev/null 2>&1; then continue; fi
		lock
		say "installing ${tool#*:} (checks the source)"
		rustup component add "${tool#*:}" >&2 || die "rustup cannot add ${tool#*:} to Rust $ESCROW_CHANNEL"
	done
	if deny_ready; then return 0; fi
	lock
	if deny_ready; then return 0; fi
	say "installing cargo-deny $CARGO_DENY_VERSION (checks licences and sources of dependencies)"
	cargo_tool cargo-deny "$CARGO_DENY_VERSION" --no-default-features
	deny_ready || die "cargo-deny was installed, but 'cargo deny' is not version $CARGO_DENY_VERSION"
}

setup_fuzz() {
	if ! command -v c++ >/dev/null; then
		lock
		apt_install "libFuzzer is C++" g++ || die "no C++ compiler (c++) on PATH. Install g++ or clang and run this again"
	fi
	if fuzz_ready; then return 0; fi
	lock
	if fuzz_ready; then return 0; fi
	say "installing cargo-fuzz $CARGO_FUZZ_VERSION (drives the fuzz target)"
	cargo_tool cargo-fuzz "$CARGO_FUZZ_VERSION"
	fuzz_ready || die "cargo-fuzz was installed, but 'cargo fuzz' is not version $CARGO_FUZZ_VERSION"
}

setup_curl() {
	if command -v curl >/dev/null; then return 0; fi
	lock
	apt_install "the demo drives the local ledger over HTTP" curl || die "no curl on PATH. Install it and run this again"
}

# Any Chromium will do; CHROMIUM names one that is not on PATH.
setup_browser() {
	local name
	for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome; do
		if command -v "$name" >/dev/null; then return 0; fi
	done
	lock
	apt_install "the TypeScript client's page is tested in a real browser" chromium ||
		die "no Chromium on PATH. Install it, or name it in CHROMIUM, and run this again"
}

# The tests start a server of their own; the packages' own one need not run.
setup_postgres() {
	if command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then return 0; fi
	lock
	apt_install "the gateway is tested on PostgreSQL" postgresql postgresql-client ||
		die "no PostgreSQL. Install it (initdb, postgres, pg_dump on PATH) and run this again"
}

setup_rust
for part in "${parts[@]}"; do
	case $part in
	wasm)
		setup_wasm_target
		setup_stellar
		setup_wasm_opt
		;;
	test)
		setup_curl
		setup_nextest
		;;
	browser) setup_browser ;;
	postgres) setup_postgres ;;
	lint) setup_lint ;;
	fuzz) setup_fuzz ;;
	*) die "unknown part '$part'; the parts are: wasm test browser postgres lint fuzz" ;;
	esac
done
