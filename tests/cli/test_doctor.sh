#!/bin/bash
# sotto doctor: what it prints, as JSON too, and its exit status.
set -u
. "${srcdir:-$(dirname "$0")/../..}/tests/cli/setup.sh"
make_tiny=$PWD/tests/support/make_tiny
"$make_tiny" "$work/tiny.gguf" || exit 1

expect fine 0 'fine     rotation .*fine     attention .*skipped  experts .*Nothing was found\.' '' doctor "$work/tiny.gguf"
expect model-by-option 0 'Nothing was found\.' '' doctor -m "$work/tiny.gguf"
expect json 0 '^\{"model": "[^"]*tiny.gguf", "rungs": ?\[.*"rung": ?"rotation".*"findings": ?0.*"likely_cause": ?null\}' '' \
	doctor --json "$work/tiny.gguf"
expect other-base 0 'base 500000' '' doctor --rope-freq-base 500000 "$work/tiny.gguf"

# The last tensor is the output; of F32. A weight of it becomes NaN.
python3 - "$work/tiny.gguf" "$work/nan.gguf" <<'END' && python=yes || python=
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
data[-256:-252] = struct.pack('<f', float('nan'))
open(sys.argv[2], 'wb').write(data)
END
if [ "$python" ]; then
	expect nan 1 'FINDING  tensors +The file is damaged: it has weights that are not numbers.*See it: sotto trace' '' \
		doctor "$work/nan.gguf"
	expect nan-json 1 '"verdict": "finding", "cause": "The file is damaged.*"likely_cause": ?"The file is damaged' '' \
		doctor --json "$work/nan.gguf"
fi

expect none 2 '' 'one model file is needed' doctor -m ''
expect two 2 '' 'one model file is needed' doctor a b
expect missing 3 '' 'no-such.gguf' doctor ./no-such.gguf
expect template-unknown 2 '' "there is no chat template 'llama-3'" doctor --chat-template llama-3 "$work/tiny.gguf"
expect server 2 '' 'takes|looks into the file' doctor server:box/a

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
