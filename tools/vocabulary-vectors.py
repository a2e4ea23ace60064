#!/usr/bin/env python3
"""Makes the folders of tests/vectors/convert/vocabulary: tiny checkpoints with a tokenizer of each form, by rule, and
in keys.txt what llama.cpp's converter (August 2026) makes of them, a key a line.

    tools/vocabulary-vectors.py CONVERTER FOLDER

CONVERTER is called as CONVERTER DIR OUT.gguf, as `convert_hf_to_gguf.py DIR --outfile OUT.gguf --vocab-only`; for a made-up
vocabulary, whose check text no table knows, it takes the pre-tokenizer that ORACLE_PRE names."""
import json, os, struct, subprocess, sys, tempfile


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def message(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def piece(text, score, kind):
    body = message(1, text.encode()) + varint(2 << 3 | 5) + struct.pack("<f", score)
    return message(1, body + (b"" if kind == 1 else varint(3 << 3) + varint(kind)))


def model(pieces):
    spec = varint(3 << 3) + varint(2)  # trainer_spec.model_type: BPE
    return b"".join(piece(*p) for p in pieces) + message(2, spec) + message(3, message(1, b"identity"))


PIECES = [("<unk>", 0, 2), ("<s>", 0, 3), ("</s>", 0, 3), ("c", -6, 1), ("a", -3, 1), ("b", -4, 1), ("▁", -5, 1),
          ("ab", -0.5, 1), ("<x>", 0, 4), ("gone", 0, 5)]


def added(token, text, special=False, **more):
    return dict(id=token, content=text, special=special, normalized=False, lstrip=False, rstrip=False, **more)


def bpe(pairs=False, **more):
    letters = ["a", "b", "c", "Ġ", "ab", "abc", "Ġa"]
    merges = [("a", "b"), ("ab", "c"), ("Ġ", "a")]
    d = dict(version="1.0", added_tokens=[], normalizer=None,
             pre_tokenizer=dict(type="ByteLevel", add_prefix_space=False, use_regex=True), post_processor=None,
             decoder=dict(type="ByteLevel"),
             model=dict(type="BPE", byte_fallback=False, vocab={t: i for i, t in enumerate(letters)},
                        merges=[list(m) if pairs else " ".join(m) for m in merges]))
    d.update(more)
    return d


def plain(names, merges, **more):
    d = dict(version="1.0", added_tokens=[], normalizer=dict(type="Replace", pattern={"String": " "}, content="▁"),
             pre_tokenizer=dict(type="Split", pattern={"String": " "}, behavior="MergedWithPrevious", invert=False),
             post_processor=None,
             decoder=dict(type="Sequence", decoders=[dict(type="ByteFallback"), dict(type="Fuse")]),
             model=dict(type="BPE", byte_fallback=True, vocab={t: i for i, t in enumerate(names)}, merges=merges))
    d.update(more)
    return d


def template(single, pair=None):
    def item(text):
        return {"Sequence": {"id": text, "type_id": 0}} if text in "AB" else {"SpecialToken": {"id": text, "type_id": 0}}
    tokens = sorted({t for t in single + (pair or []) if t not in "AB"})
    return dict(type="TemplateProcessing", single=[item(t) for t in single], pair=[item(t) for t in pair or []],
                special_tokens={t: dict(id=t, ids=[20], tokens=[t]) for t in tokens})


def bits(*texts):
    return [added(8 + i, t, t.startswith("<")) for i, t in enumerate(texts)]


# By name: class, what config.json has besides, and the files.
CASES = {
    "bpe": ("Qwen3ForCausalLM", dict(vocab_size=16, bos_token_id=8, eos_token_id=9), {
        "tokenizer.json": bpe(added_tokens=[added(8, "<|a|>"), added(9, "<|b|>", True), added(10, "▁x▁"), added(12, "<pad>"),
                                            added(13, "<unused3>"), added(14, "plain")]),
        "tokenizer_config.json": dict(bos_token=None, eos_token="<|b|>", pad_token=dict(content="<pad>"), add_bos_token=False,
                                      add_prefix_space=False, chat_template="{{ messages }}\n")}),
    "bpe-pairs": ("LlamaForCausalLM", dict(vocab_size=12, eos_token_id=[9, 8], pad_token_id=10), {
        "tokenizer.json": bpe(True, added_tokens=bits("<bos>", "<eos>", "<pad>"),
                              post_processor=template(["<bos>", "A"], ["<bos>", "A", "<bos>", "B"])),
        "tokenizer_config.json": dict(bos_token="<bos>", eos_token="<eos>", add_prefix_space=True)}),
    "bpe-eot": ("Olmo2ForCausalLM", dict(vocab_size=12), {
        "tokenizer.json": bpe(added_tokens=bits("<bos>", "<turn>", "<end>", "<sep>"),
                              normalizer=dict(type="Sequence", normalizers=[dict(type="NFC"), dict(type="Lowercase")]),
                              post_processor=dict(type="Sequence", processors=[
                                  dict(type="ByteLevel"),
                                  template(["<bos>", "A", "<end>"], ["<bos>", "A", "<sep>", "<end>", "B", "<end>"])])),
        "tokenizer_config.json": dict(bos_token="<bos>", eos_token="<turn>", sep_token="<sep>"),
        "chat_template.jinja": "{{ a }}\r\n{{ b }}\n"}),
    "bpe-no-config": ("Lfm2ForCausalLM", dict(vocab_size=10, bos_token_id=8, eos_token_id=9), {
        "tokenizer.json": bpe(added_tokens=bits("<bos>", "<eos>"), post_processor=template(["<bos>", "A"])),
        "chat_template.jinja": "not taken"}),
    "bpe-object": ("GptOssForCausalLM", dict(vocab_size=10), {
        "tokenizer.json": bpe(added_tokens=bits("<bos>", "<eos>"), post_processor=template(["<bos>", "A", "<eos>"])),
        "tokenizer_config.json": dict(bos_token=dict(content="<bos>"), eos_token=dict(content="<eos>"),
                                      chat_template=[dict(name="default", template="one"), dict(name="tool use", template="two")])}),
    "bpe-roberta": ("LlamaForCausalLM", dict(vocab_size=10), {
        "tokenizer.json": bpe(added_tokens=bits("<bos>", "<eos>"), post_processor=dict(
            type="Sequence", processors=[dict(type="ByteLevel", add_prefix_space=False), dict(
                type="RobertaProcessing", sep=["<eos>", 9], cls=["<bos>", 8], trim_offsets=True, add_prefix_space=False)])),
        "tokenizer_config.json": dict(bos_token="<bos>", eos_token="<eos>", chat_template="")}),
    "bpe-templates": ("LlamaForCausalLM", dict(vocab_size=12), {
        "tokenizer.json": bpe(added_tokens=bits("<bos>")), "tokenizer_config.json": dict(bos_token="<bos>"),
        "chat_template.jinja": "main", "additional_chat_templates/rag.jinja": "rag"}),
    "bpe-merges-txt": ("Qwen2ForCausalLM", dict(vocab_size=8), {
        "tokenizer.json": bpe(model=dict(type="BPE", vocab={"a": 0, "b": 1, "ab": 2}, merges=[])),
        "merges.txt": "#version: 0.2\na b\n", "chat_template.json": dict(chat_template="json"),
        "tokenizer_config.json": dict(eos_token="ab")}),
    "spm": ("LlamaForCausalLM", dict(vocab_size=16, bos_token_id=1, eos_token_id=2), {
        "tokenizer.model": model(PIECES), "added_tokens.json": {"<extra>": 10, "▁gap▁": 12, "beyond": 99},
        "tokenizer_config.json": dict(bos_token="<s>", eos_token="</s>", add_bos_token=True, add_eos_token=False,
                                      add_prefix_space=True, chat_template="t", added_tokens_decoder={
                                          "8": dict(content="<x>", special=True), "11": dict(content="▁y"),
                                          "13": dict(content="<|z|>"), "77": dict(content="beyond")})}),
    "spm-both": ("MistralForCausalLM", dict(vocab_size=10), {
        "tokenizer.model": model(PIECES),
        "tokenizer.json": plain([p[0] for p in PIECES], ["a b"], added_tokens=[added(0, "<unk>", True), added(1, "<s>", True),
                                                                               added(2, "</s>", True)],
                                post_processor=template(["<s>", "A"], ["<s>", "A", "<s>", "B"])),
        "tokenizer_config.json": dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", sp_model_kwargs={})}),
    "spm-short": ("Gemma2ForCausalLM", dict(vocab_size=8, attn_logit_softcapping=50.0, bos_token_id=1, eos_token_id=2), {
        "tokenizer.model": model(PIECES), "tokenizer_config.json": dict(chat_template="g")}),
    "spm-gemma3": ("Gemma3ForCausalLM", dict(), {
        "tokenizer.model": model(PIECES), "tokenizer_config.json": dict(added_tokens_decoder={"4": dict(content="▁▁")})}),
    "spm-phi3": ("Phi3ForCausalLM", dict(vocab_size=14, eos_token_id=2, rope_parameters=dict(
        original_max_position_embeddings=128, rope_theta=10000.0, rope_type="default")), {
        "tokenizer.model": model(PIECES), "added_tokens.json": {"<|new|>": 11},
        "tokenizer.json": plain([p[0] for p in PIECES], ["a b"], added_tokens=[added(2, "</s>"), added(12, "<|end|>", True)]),
        "tokenizer_config.json": dict(tokenizer_class="LlamaTokenizer", eos_token="<|end|>", added_tokens_decoder={
            "10": dict(content="<|user|>"), "0": dict(content="▁u", special=True)})}),
    "gemma4": ("Gemma4ForCausalLM", dict(vocab_size=12), {
        "tokenizer.json": plain(["<pad>", "<eos>", "<bos>", "<|channel>", "<0x41>", "a", "b", "ab", "▁", "\n"],
                                [["a", "b"]], added_tokens=[added(0, "<pad>", True), added(1, "<eos>", True),
                                                            added(2, "<bos>", True), added(3, "<|channel>", True),
                                                            added(9, "\n"), added(10, "<more>"), added(11, "<eoi>", True)]),
        "tokenizer_config.json": dict(bos_token="<bos>", eos_token="<eos>", pad_token="<pad>",
                                      extra_special_tokens=dict(soc_token="<|channel>", eoi_token="<eoi>"))}),
    "scores": ("LlamaForCausalLM", dict(vocab_size=9, bos_token_id=1), {
        "tokenizer.json": plain(["<unk>", "<s>", "</s>", "<0x41>", "a", "b", "ab", "▁", "▁ab"], ["a b", "▁ ab"],
                                normalizer=dict(type="Sequence", normalizers=[
                                    dict(type="Prepend", prepend="▁"),
                                    dict(type="Replace", pattern={"String": " "}, content="▁")]), pre_tokenizer=None,
                                added_tokens=[added(0, "<unk>", True), added(1, "<s>", True), added(2, "</s>", True)]),
        "tokenizer_config.json": dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>")}),
    "sampling": ("Qwen2ForCausalLM", dict(vocab_size=10), {
        "tokenizer.json": bpe(),
        "generation_config.json": dict(do_sample=True, temperature=0.6, top_p=0.95, top_k=20, min_p=0, mirostat=2,
                                       penalty_repeat=1.25, penalty_last_n=64, xtc_threshold=0.1, sequence="kp")}),
}

CONFIG = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=96,
              max_position_embeddings=128, rms_norm_eps=1e-5, rope_theta=10000.0, head_dim=16, sliding_window=64,
              num_kv_shared_layers=0, num_local_experts=4, num_experts_per_tok=2, moe_intermediate_size=32,
              original_max_position_embeddings=128, partial_rotary_factor=1.0, conv_L_cache=3, block_auto_adjust_ff_dim=False,
              block_ff_dim=96, block_multiple_of=8, block_ffn_dim_multiplier=1, layer_types=["full_attention"] * 2, norm_eps=1e-5,
              attn_logit_softcapping=None, final_logit_softcapping=30.0, hidden_size_per_layer_input=8, global_head_dim=16,
              rope_parameters=dict(full_attention=dict(rope_theta=1e6, partial_rotary_factor=1.0, rope_type="default"),
                                   sliding_attention=dict(rope_theta=1e4, rope_type="default")))


def write(folder, case):
    cls, config, files = case
    os.makedirs(folder, exist_ok=True)
    head = json.dumps({"model.norm.weight": dict(dtype="F32", shape=[1], data_offsets=[0, 4])}).encode()
    with open(folder + "/model.safetensors", "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head + bytes(4))
    for name, data in dict(files, **{"config.json": dict(architectures=[cls], **config)}).items():
        os.makedirs(os.path.dirname(folder + "/" + name), exist_ok=True)
        with open(folder + "/" + name, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode() if isinstance(data, str)
                    else json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")


def read_keys(path):
    f = open(path, "rb")
    magic, version, n_tensors, n = struct.unpack("<4sIQQ", f.read(24))
    form = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
    names = {4: "u32", 5: "i32", 6: "f32", 7: "bool", 8: "string", 9: "array", 10: "u64"}

    def text():
        return f.read(struct.unpack("<Q", f.read(8))[0]).decode()

    def value(kind):
        if kind == 8:
            return json.dumps(text(), ensure_ascii=False)
        v = struct.unpack("<" + form[kind], f.read(struct.calcsize(form[kind])))[0]
        return "%.9g" % v if kind == 6 else str(int(v))
    for _ in range(n):
        key, kind = text(), struct.unpack("<I", f.read(4))[0]
        if kind == 9:
            item, count = struct.unpack("<IQ", f.read(12))
            yield key, "%s %s[%d] %s" % (key, names[item], count, " ".join(value(item) for _ in range(count)))
        else:
            yield key, "%s %s %s" % (key, names[kind], value(kind))


def main():
    converter, root = sys.argv[1:]
    for name, case in CASES.items():
        folder = root + "/" + name
        write(folder, case)
        with tempfile.TemporaryDirectory() as work:
            cls, config, files = case
            full = dict(case[1])
            for key, v in CONFIG.items():
                full.setdefault(key, v)
            write(work + "/m", (cls, full, files))
            run = subprocess.run([converter, work + "/m", work + "/out.gguf"], env=dict(os.environ, ORACLE_PRE="gpt-2"),
                                 capture_output=True, text=True)
            if run.returncode:
                print(name, run.stderr[-1500:])
                continue
            lines = [line for key, line in read_keys(work + "/out.gguf")
                     if key.startswith("tokenizer.") or key.startswith("general.sampling.")]
        with open(folder + "/keys.txt", "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")


main()
