# Shared by tools/start, tools/check and .ci/run: install what is missing, then
# configure and build in ./build. Sourced, never run; works in any POSIX shell.
#
# Nothing here needs a network once the packages are there, and a second run
# only asks make whether something changed.

# What building needs, what the tests need, what .ci/run needs: Debian names.
packages_build="gcc make autoconf automake pkg-config libc6-dev libncurses-dev libreadline-dev libyaml-dev libpcre2-dev libunistring-dev libmd4c-dev libsqlite3-dev libssl-dev"
packages_test="libcriterion-dev libvterm-dev libmicrohttpd-dev"
packages_ci="clang libclang-rt-dev"
# Any flavour of libcurl will do, and installing one would remove another.
pkg-config --exists "libcurl >= 7.85" 2>/dev/null || packages_build="$packages_build libcurl4-openssl-dev"

say() {
	printf 'sotto: %s\n' "$*" >&2
}

die() {
	say "$*"
	exit 1
}

# Installs those of the given packages that are missing, after saying which.
install_packages() {
	if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
		# Not a Debian: configure will name what is missing, with Fedora's names too.
		return 0
	fi
	missing=
	for package in "$@"; do
		case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
		installed) ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	say "these packages are missing and will be installed with apt-get:"
	say "  $missing"
	sudo=
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null 2>&1 ||
			die "that needs root, and there is no sudo; as root run: apt-get install$missing"
		sudo="sudo"
	fi
	# A stale package list is the usual reason for a failing install, so it is
	# renewed first; a failure there is reported by the install itself.
	$sudo apt-get -qq update >&2 || say "apt-get update failed; trying with the list at hand"
	mkdir -p build
	# shellcheck disable=SC2086
	run_logged build/setup.log $sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
		apt-get -qq -y --no-install-recommends install $missing
}

# Configures (once, with the options in $CONFIGURE_OPTIONS) and builds in ./build. Quiet unless
# something fails.
build() {
	mkdir -p build
	if [ ! -f build/Makefile ] || [ ! -x configure ]; then
		say "configuring in $(pwd)/build (once)"
		run_logged build/setup.log autoreconf -i
		# shellcheck disable=SC2016
		run_logged build/setup.log sh -c 'cd build && ../configure ${CONFIGURE_OPTIONS-}'
	fi
	[ -x build/sotto ] || say "building (about a minute, once)"
	run_logged build/setup.log make -s -C build -j"$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" "$@"
}

# Runs a command with its output in a log file, which is shown when it fails.
run_logged() {
	log=$1
	shift
	if ! "$@" >"$log" 2>&1; then
		tail -n 40 "$log" >&2
		die "failed: $* (all of it is in $log)"
	fi
}
