#!/bin/sh
# The files of a room that call each other in a circle, which can only be read and changed
# together: for each folder of src/ the largest such set, by the names in what was built. A table
# row that names a function is a call, static functions are not seen. Fails above the limit.
# usage, from the build folder or above it:
#   circles.sh           all rooms
#   circles.sh ROOM...   these, with the calls that close each circle
set -eu
LC_ALL=C
export LC_ALL
limit=8

[ -d src/base ] && [ -f config.h ] || cd build
top=${srcdir:-$(sed -n 's/^srcdir = //p' Makefile)}
command -v "${NM:-nm}" >/dev/null || exit 77 # automake's word for a test that is left out
show=$#
[ $# -gt 0 ] || set -- $(cd "$top/src" && ls -d */)
failed=0

for room in "$@"; do
	room=${room%/}
	(
		cd "src/$room"
		set -- *.a
		[ -f "$1" ] || set -- *.o
		"${NM:-nm}" -AP "$@"
	) | awk -v room="$room" -v limit="$limit" -v show="$show" '
		{ # "libui.a[app.o]: app_new T 0 1f", or "app.o: ..."; objects with flags of their own are libui_a-app.o
			file = $1
			sub(/^.*\[/, "", file)
			sub(/\.o\]?:$/, "", file)
			sub(/^lib.*_a-/, "", file)
			if (!(file in seen)) {
				seen[file] = 1
				files[++n] = file
			}
			if ($3 == "U")
				uses[file, $2]
			else if ($3 ~ /^[A-Z]$/)
				home[$2] = file
		}
		END {
			for (use in uses) {
				split(use, part, SUBSEP)
				if (part[2] in home && home[part[2]] != part[1]) {
					names[part[1], home[part[2]]] = names[part[1], home[part[2]]] " " part[2]
					reaches[part[1], home[part[2]]]
				}
			}
			for (k = 1; k <= n; k++)
				for (i = 1; i <= n; i++)
					if ((files[i], files[k]) in reaches)
						for (j = 1; j <= n; j++)
							if ((files[k], files[j]) in reaches)
								reaches[files[i], files[j]]
			largest = n > 0
			for (i = 1; i <= n; i++) {
				size = 0
				for (j = 1; j <= n; j++)
					size += i == j || ((files[i], files[j]) in reaches && (files[j], files[i]) in reaches)
				if (size > largest) {
					largest = size
					of = files[i]
				}
			}
			printf "%s: %d of %d files in a circle%s\n", room, largest, n, (largest > limit ? ", " limit " at the most" : "")
			for (i = 1; show && of != "" && i <= n; i++)
				for (j = 1; j <= n; j++)
					if ((files[i], files[j]) in names && (files[i], of) in reaches && (of, files[i]) in reaches && (files[j], of) in reaches && (of, files[j]) in reaches)
						print "\t" files[i] " -> " files[j] ":" names[files[i], files[j]]
			exit !n || largest > limit
		}' || failed=1
done
exit $failed
