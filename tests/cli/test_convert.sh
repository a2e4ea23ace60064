#!/bin/bash
# sotto convert: a folder of safetensors becomes a model's file; what is refused, and what is left behind.
set -u
. "$(dirname "$0")/setup.sh"
make=$PWD/tests/support/make_checkpoint
model=$work/qwen3
note='^sotto: note: [^
]*$'
"$make" qwen3 "$model" BF16 2

left() { # NAME: no part file is left
	[ -z "$(find "$work" -name '*.part')" ]
	result $? "$1" "left behind: $(find "$work" -name '*.part')"
}

# In the type that the weights have, and quantised on the way.
expect 'as it is' 0 '^[^ ]*/out.gguf: qwen3, [0-9.]+ KiB, 16[.][0-9]+ bits a weight$' "$note" convert "$model" "$work/out.gguf"
expect 'it is a model' 0 'BF16' '' info "$work/out.gguf"
expect 'and replies' 0 . '' run -m "$work/out.gguf" -n 2 --raw -p a
expect 'one thread, the same bytes' 0 . "$note" convert --threads 1 "$model" "$work/again.gguf"
cmp -s "$work/out.gguf" "$work/again.gguf"
result $? 'the same bytes' 'they differ'
"$sotto" convert "$model" "$work/q8.gguf" q8_0 >"$work/out" 2>"$work/err"
result $? 'Q8_0' "$(cat "$work/err")"
"$sotto" quantize "$work/out.gguf" "$work/q4.gguf" Q4_K_M >/dev/null 2>&1
"$sotto" convert "$model" "$work/direct.gguf" Q4_K_M >/dev/null 2>"$work/err"
result $? 'Q4_K_M' "$(cat "$work/err")"
[ "$("$sotto" info "$work/q4.gguf" | sed -n '/^tensors/,$p')" = "$("$sotto" info "$work/direct.gguf" | sed -n '/^tensors/,$p')" ]
result $? 'on the way as afterwards' 'other types'
"$sotto" convert --dry-run "$model" "$work/none.gguf" >"$work/out" 2>"$work/err"
grep -q '^BF16    token_embd.weight$' "$work/out" && ! [ -e "$work/none.gguf" ]
result $? 'dry run' "$(head -3 "$work/out")"

# Command lines.
expect 'no words' 2 '' 'a folder and a file are needed' convert
expect 'one word' 2 '' 'a folder and a file are needed' convert "$model"
expect 'a type for the file' 2 '' 'the file to write goes before the type' convert "$model" Q4_K_M
expect 'unknown type' 2 '' "there is no type 'Q4_K_X', did you mean" convert "$model" "$work/x.gguf" Q4_K_X
expect 'nothing there' 3 '' '/nowhere: cannot open' convert "$work/nowhere" "$work/x.gguf"
"$sotto" convert "$model" "$model/config.json" 2>"$work/err"
[ $? = 2 ] && grep -q 'config.json is there already and is not a GGUF file' "$work/err"
result $? 'onto its own file' "$(cat "$work/err")"
left 'command lines'

# Folders that are refused, by what is in them.
refused() { # NAME WORDS FILE...
	local name=$1 words=$2
	shift 2
	rm -rf "$work/other"
	mkdir "$work/other"
	(cd "$work/other" && touch "$@")
	expect "$name" 3 '' "$words" convert "$work/other" "$work/x.gguf"
}
refused pickle 'can run code and are never opened: take the model.s safetensors files' config.json pytorch_model.bin
refused ONNX 'an ONNX model' config.json model.onnx
refused MLX 'an MLX model' config.json weights.npz
refused LoRA 'a LoRA adapter, which is not a model' adapter_config.json adapter_model.safetensors
refused Mistral 'in Mistral.s own layout' params.json consolidated.safetensors tekken.json
refused GGUF 'there is a GGUF file here already' config.json model.gguf
refused nothing 'no model\*.safetensors in the folder' README.md
configured() { # NAME WORDS CONFIG
	printf '%s' "$3" >"$model/config.json"
	expect "$1" 3 '' "$2" convert "$model" "$work/x.gguf"
}
configured AWQ 'quantised by AWQ' '{"architectures":["Qwen3ForCausalLM"],"quantization_config":{"quant_method":"awq"}}'
configured GPTQ 'quantised by GPTQ' '{"architectures":["Qwen3ForCausalLM"],"quantization_config":{"quant_method":"gptq"}}'
configured 'MLX by its settings' 'an MLX model' '{"architectures":["Qwen3ForCausalLM"],"quantization":{"group_size":64,"bits":4}}'
configured 'unknown family' 'WhisperForConditionalGeneration is not converted' '{"architectures":["WhisperForConditionalGeneration"]}'
configured 'no family' 'names no architecture' '{}'
configured 'no JSON' 'config.json:1: not JSON' '{"a":'
rm "$model/config.json"
expect 'no settings' 3 '' 'config.json is not there' convert "$model" "$work/x.gguf"
left 'refused folders'

# -m of such a folder: the command, or what was made of it.
rm -rf "$model"
"$make" qwen3 "$model" BF16
expect 'a folder after -m' 3 '' "is converted once: sotto convert $model $model-Q4_K_M.gguf Q4_K_M" run -m "$model" -p x
expect 'a file of it after -m' 3 '' 'is converted once: sotto convert' run -m "$model/model.safetensors" -p x
cp "$work/q4.gguf" "$model-Q4_K_M.gguf"
expect 'what was made of it' 0 . "note: uses $model-Q4_K_M.gguf" run -m "$model" -n 2 --raw -p a

# A full disk leaves nothing behind.
"$make" llama "$work/llama" F32
(ulimit -f 100; exec "$sotto" convert "$work/llama" "$work/full.gguf") >"$work/out" 2>"$work/err"
[ $? = 1 ] && grep -q 'full.gguf: cannot write' "$work/err" && ! [ -e "$work/full.gguf" ]
result $? 'a full disk' "$(cat "$work/err")"
left 'a full disk'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
