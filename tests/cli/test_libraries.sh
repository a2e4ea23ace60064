#!/bin/bash
# Who has no server pays nothing for servers: libcurl is neither linked nor loaded. (glibc's loader tells which files it
# opens; of another's nothing is seen.)
set -u
. "$(dirname "$0")/setup.sh"

opened() { # ARGUMENT...: the libraries that were opened
	LD_DEBUG=files "$sotto" "$@" 2>&1 >"$work/out" | grep -oE 'lib[a-z0-9+-]+\.so' | sort -u
}
for arguments in --version 'models' 'run -m synthetic: -p hi'; do
	libraries=$(opened $arguments)
	[ -s "$work/out" ] || [ "$arguments" = models ]
	result $? "$arguments" "said nothing"
	! grep -qE '^lib(curl|ssl|gnutls)' <<<"$libraries"
	result $? "$arguments" "opened: $libraries"
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
