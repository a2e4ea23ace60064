# Sourced by the tests of the command line, from the build folder: ./sotto is the one just built. A home
# of their own in $work, none of the caller's settings, nothing on standard input; counts of results.
LC_ALL=C.UTF-8
export LC_ALL
sotto=$PWD/sotto
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data \
	XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
for variable in $(env | sed -n 's/^\(SOTTO_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
exec </dev/null # what is piped in would join each prompt
passed=0 failed=0

result() { # CONDITION-STATUS NAME DETAIL
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $2: $3"
	fi
}
