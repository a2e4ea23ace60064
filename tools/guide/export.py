"""Writes a checkpoint of train.py as a GGUF file."""
import argparse
import struct
import sys

import numpy as np
import torch

from tokenizer import CHAT_TEMPLATE, CONTROL, Tokenizer
from train import Model

U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
TYPES = {'F32': (0, 0), 'F16': (1, 1), 'Q8_0': (8, 7)}  # tensor type, general.file_type
ALIGNMENT = 32


def string(text):
    data = text.encode()
    return struct.pack('<Q', len(data)) + data


def value(kind, v):
    if kind == STRING:
        return string(v)
    if kind == ARRAY:
        item, items = v
        return struct.pack('<IQ', item, len(items)) + b''.join(value(item, i) for i in items)
    return struct.pack({U32: '<I', I32: '<i', F32: '<f', BOOL: '<?'}[kind], v)


def blocks(kind, a):
    """Rows of float32 as the bytes of a type; Q8_0 as ggml rounds it."""
    a = np.ascontiguousarray(a, np.float32)
    if kind == 'F32':
        return a.tobytes()
    if kind == 'F16':
        return a.astype(np.float16).tobytes()
    b = a.reshape(-1, 32)
    d = np.abs(b).max(1) / np.float32(127)
    scaled = b * np.where(d > 0, 1 / np.where(d > 0, d, 1), 0).astype(np.float32)[:, None]
    q = np.trunc(scaled + np.copysign(np.float32(0.5), scaled)).astype(np.int8)
    return np.concatenate([d.astype(np.float16).view(np.uint8).reshape(-1, 2), q.view(np.uint8)], 1).tobytes()


def metadata(shape, n_params, tokenizer, kind, version):
    text = tokenizer.n - len(CONTROL)
    control = tokenizer.control
    return [
        ('general.architecture', STRING, 'llama'),
        ('general.type', STRING, 'model'),
        ('general.name', STRING, 'sotto guide'),
        ('general.basename', STRING, 'guide'),
        ('general.version', STRING, version),
        ('general.size_label', STRING, '%.1fM' % (n_params / 1e6)),
        ('general.description', STRING, 'The guide of sotto: a tiny model that knows the program and small talk. '
                                        'Made by tools/guide from the project\'s own text.'),
        ('general.license', STRING, 'GPL-3.0-or-later'),
        ('general.languages', ARRAY, (STRING, ['en'])),
        ('general.file_type', U32, TYPES[kind][1]),
        ('general.quantization_version', U32, 2),
        # What is near to the likeliest alone: other greetings and stories, but no other numbers (README.md).
        ('general.sampling.temp', F32, 0.8),
        ('general.sampling.top_k', I32, 0),
        ('general.sampling.top_p', F32, 1),
        ('general.sampling.min_p', F32, 0.3),
        ('sotto.guide', BOOL, True),  # answers from help entries: the program looks them up
        ('llama.block_count', U32, shape['n_layer']),
        ('llama.context_length', U32, shape['n_ctx']),
        ('llama.embedding_length', U32, shape['n_embd']),
        ('llama.feed_forward_length', U32, shape['n_ff']),
        ('llama.attention.head_count', U32, shape['n_head']),
        ('llama.attention.head_count_kv', U32, shape['n_head']),
        ('llama.attention.layer_norm_rms_epsilon', F32, shape['eps']),
        ('llama.rope.dimension_count', U32, shape['n_embd'] // shape['n_head']),
        ('llama.rope.freq_base', F32, shape['rope_base']),
        ('llama.vocab_size', U32, tokenizer.n),
        ('tokenizer.ggml.model', STRING, 'gpt2'),
        ('tokenizer.ggml.pre', STRING, 'gpt-2'),
        ('tokenizer.ggml.tokens', ARRAY, (STRING, [tokenizer.name(i) for i in range(text)] + CONTROL)),
        ('tokenizer.ggml.token_type', ARRAY, (I32, [1] * text + [3] * len(CONTROL))),
        ('tokenizer.ggml.merges', ARRAY, (STRING, [tokenizer.name(a) + ' ' + tokenizer.name(b)
                                                   for a, b in tokenizer.merges])),
        ('tokenizer.ggml.bos_token_id', U32, control['<|endoftext|>']),
        ('tokenizer.ggml.eos_token_id', U32, control['<|im_end|>']),
        ('tokenizer.ggml.add_bos_token', BOOL, False),
        ('tokenizer.chat_template', STRING, CHAT_TEMPLATE),
    ]


def gguf_name(name):
    return name.replace('layers.', 'blk.')


def write(path, keys, tensors):
    out = [b'GGUF', struct.pack('<IQQ', 3, len(tensors), len(keys))]
    for key, kind, v in keys:
        out += [string(key), struct.pack('<I', kind), value(kind, v)]
    offset, data = 0, []
    for name, kind, a in tensors:
        body = blocks(kind, a)
        body += b'\0' * (-len(body) % ALIGNMENT)
        out += [string(name), struct.pack('<I', a.ndim), struct.pack('<%dQ' % a.ndim, *a.shape[::-1]),
                struct.pack('<IQ', TYPES[kind][0], offset)]
        offset += len(body)
        data.append(body)
    head = b''.join(out)
    with open(path, 'wb') as f:
        f.write(head + b'\0' * (-len(head) % ALIGNMENT) + b''.join(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('checkpoint')
    parser.add_argument('--tokenizer', required=True)
    parser.add_argument('-o', '--output', required=True)
    parser.add_argument('--type', choices=TYPES, default='Q8_0')
    parser.add_argument('--version', default='0.1.0')
    args = parser.parse_args()
    tokenizer = Tokenizer.load(args.tokenizer)
    state = torch.load(args.checkpoint, map_location='cpu')
    model = Model(tokenizer.n, state['shape'])
    model.load_state_dict(state['model'])
    weights = {gguf_name(k): w.float().numpy() for k, w in model.named_tensors()}
    n_params = sum(a.size for a in weights.values())
    write(args.output, metadata(state['shape'], n_params, tokenizer, args.type, args.version),
          [(k, args.type if a.ndim == 2 else 'F32', a) for k, a in weights.items()])
    return 0


if __name__ == '__main__':
    sys.exit(main())
