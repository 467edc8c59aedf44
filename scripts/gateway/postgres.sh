# Sourced: a PostgreSQL of our own in "$work/pg", on a free port. It refuses to run as root, so it runs as nobody then.
# shellcheck shell=bash
# shellcheck disable=SC2154 # `work` belongs to the script that sources this

# pg_program NAME: on PATH, or where Debian puts them.
pg_program() {
	local file
	command -v "$1" 2>/dev/null && return 0
	for file in /usr/lib/postgresql/*/bin/"$1"; do
		[ -x "$file" ] || continue
		echo "$file"
		return 0
	done
	return 1
}

# The words that make a command run as nobody, where we are root.
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# free_port: prints a port that nobody listens on.
free_port() {
	node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}

# make_postgres: leaves its address in `postgres_url`.
make_postgres() {
	pg_program postgres >/dev/null || scripts/setup.sh postgres
	mkdir -p "$work/pg"
	chmod 711 "$work"
	[ "$(id -u)" != 0 ] || chown 65534:65534 "$work/pg"
	(cd "$work/pg" && "${nobody[@]}" "$(pg_program initdb)" --auth=trust --username=gateway -D "$work/pg/data" >"$work/initdb")
	postgres_port=$(free_port)
	postgres_url=postgres://gateway@127.0.0.1:$postgres_port/postgres
	run_postgres
}

# run_postgres: leaves its process, the leader of a group, in `postgres`.
run_postgres() {
	rm -f "$work/pg/data/postmaster.pid"
	setsid "${nobody[@]}" "$(pg_program postgres)" -D "$work/pg/data" -p "$postgres_port" -k "$work/pg" \
		-c listen_addresses=127.0.0.1 -c max_connections=200 >>"$work/postgres-log" 2>&1 &
	postgres=$!
	for _ in $(seq 300); do
		if "$(pg_program pg_isready)" -q -h 127.0.0.1 -p "$postgres_port"; then return 0; fi
		sleep 0.1
	done
	die "PostgreSQL did not start: $(tail -n 5 "$work/postgres-log")"
}

# kill_postgres: the plug is pulled; its workers go with it.
kill_postgres() {
	[ -n "${postgres:-}" ] || return 0
	kill -9 -- "-$postgres" 2>/dev/null || kill -9 "$postgres" 2>/dev/null || true
	wait "$postgres" 2>/dev/null || true
	postgres=
}
