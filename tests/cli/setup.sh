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

# expect NAME CODE STDOUT-PATTERN STDERR-PATTERN ARGUMENT...
# Patterns are extended regular expressions for the whole stream; '' is an
# empty stream. Errors are one line. Standard input is empty, or the caller's.
expect() {
	local name=$1 code=$2 out_pattern=$3 err_pattern=$4 code_seen out err
	shift 4
	timeout 120 "$sotto" "$@" >"$work/out" 2>"$work/err"
	code_seen=$?
	out=$(cat "$work/out") err=$(cat "$work/err")
	[ $code_seen = "$code" ]
	result $? "$name" "exit $code_seen, expected $code; stderr: $err"
	if [ -z "$out_pattern" ]; then [ ! -s "$work/out" ]; else [[ $out =~ $out_pattern ]]; fi
	result $? "$name" "stdout: $out"
	if [ -z "$err_pattern" ]; then [ ! -s "$work/err" ]; else
		[[ $err =~ $err_pattern ]] && [ "$(wc -l <"$work/err")" = 1 ]
	fi
	result $? "$name" "stderr: $err"
	! grep -q $'\x1b' "$work/out" "$work/err"
	result $? "$name" "an escape sequence in the output"
}

# narrow NAME: what came last fits in 80 columns.
narrow() {
	! grep -qE '.{81}' "$work/out"
	result $? "$1" "wider than 80 columns: $(grep -E '.{81}' "$work/out")"
}

# await FILE: until it has something in it. The limit is for what hangs, not for what is slow.
await() {
	local tries=0
	until [ -s "$1" ] || [ $tries = 2400 ]; do sleep 0.05; tries=$((tries + 1)); done
}
