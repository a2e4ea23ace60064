#!/usr/bin/env python3
"""Makes tests/vectors/convert: what llama.cpp's converter makes of the tiny checkpoints.

    tools/convert-vectors.py LLAMA_CPP FAMILY CHECKPOINT > tests/vectors/convert/FAMILY.txt

LLAMA_CPP is its source folder (August 2026), CHECKPOINT what tests/support/make_checkpoint FAMILY CHECKPOINT BF16 made.
Needs numpy, torch and PyYAML. config.json is taken as it is, without what transformers' classes would add, and the
tokenizer is left out: it has tests of its own."""
import os
import sys
import tempfile
import types


class NoConfig:
    @staticmethod
    def from_pretrained(*args, **kwargs):
        raise ValueError("taken as it is")


def convert(sources, checkpoint, out):
    import torch
    for name, other in (("float8_e4m3fn", torch.complex64), ("float8_e5m2", torch.complex128)):
        if not hasattr(torch, name):  # of an older version: not used, only named
            setattr(torch, name, other)
    sys.modules["transformers"] = types.SimpleNamespace(AutoConfig=NoConfig)
    sys.path[:0] = [sources, os.path.join(sources, "gguf-py")]
    from conversion import base, get_model_class, mistral3
    import runpy

    def without(self):
        pass

    model = base.ModelBase.load_hparams(base.Path(checkpoint), False)
    kind = get_model_class(base.get_model_architecture(model, base.ModelType.TEXT))
    for cls in (kind, *kind.__mro__, mistral3.Mistral3Model.Ministral3Model):
        if hasattr(cls, "set_vocab"):
            cls.set_vocab = without
    sys.argv = ["convert_hf_to_gguf.py", checkpoint, "--outfile", out, "--outtype", "f32"]
    if "qwen35" in kind.model_arch.name.lower():
        sys.argv.append("--no-mtp")
    runpy.run_path(os.path.join(sources, "convert_hf_to_gguf.py"), run_name="__main__")


def number(value):
    return "%.9g" % value if isinstance(value, float) else str(value) if isinstance(value, str) else str(int(value))


def print_keys(reader):
    for key, field in reader.fields.items():
        if key.startswith(("GGUF.", "tokenizer.", "general.sampling.")):
            continue
        value = field.contents()
        kinds = "/".join(kind.name for kind in field.types)
        print(key, kinds, " ".join(map(number, value)) if isinstance(value, list) else number(value))


def print_tensors(reader):
    """Type, lengths, and the sum of all floats' bits, or of bytes, each times an odd number that depends on its place."""
    import numpy as np
    for tensor in reader.tensors:
        data = np.ascontiguousarray(tensor.data)
        data = data.view(np.uint32 if tensor.tensor_type.name == "F32" else np.uint8).reshape(-1).astype(np.uint64)
        place = np.arange(data.size, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) | np.uint64(1)
        print(tensor.name, tensor.tensor_type.name, "x".join(str(int(n)) for n in tensor.shape),
              "%016x" % int((data * place).sum(dtype=np.uint64)))


def main():
    sources, family, checkpoint = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, family + ".gguf")
        convert(sources, checkpoint, out)
        import gguf
        reader = gguf.GGUFReader(out)
        print_keys(reader)
        print_tensors(reader)


main()
