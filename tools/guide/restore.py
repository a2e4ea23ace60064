"""Reads a GGUF file that export.py wrote back into a checkpoint and a tokenizer, so that
training can go on from it where its own checkpoint is gone. What the type rounded off
stays lost; the optimizers begin anew."""
import argparse
import json
import struct
import sys

import numpy as np
import torch

from export import ALIGNMENT, ARRAY, BOOL, F32, I32, STRING, TYPES, U32, gguf_name
from tokenizer import CONTROL, LETTERS
from train import Model, SHAPE


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        v, = struct.unpack_from('<' + form, self.data, self.at)
        self.at += struct.calcsize('<' + form)
        return v

    def string(self):
        n = self.take('Q')
        self.at += n
        return self.data[self.at - n:self.at].decode()

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            item, n = self.take('I'), self.take('Q')
            return [self.value(item) for _ in range(n)]
        return self.take({U32: 'I', I32: 'i', F32: 'f', BOOL: '?'}[kind])


def floats(kind, data, at, shape):
    n = int(np.prod(shape))
    if kind == TYPES['F32'][0]:
        a = np.frombuffer(data, np.float32, n, at)
    elif kind == TYPES['F16'][0]:
        a = np.frombuffer(data, np.float16, n, at).astype(np.float32)
    else:  # Q8_0: a scale and 32 weights
        blocks = np.frombuffer(data, np.uint8, n // 32 * 34, at).reshape(-1, 34)
        scale = np.ascontiguousarray(blocks[:, :2]).view(np.float16).astype(np.float32)
        a = blocks[:, 2:].view(np.int8).astype(np.float32) * scale
    return torch.from_numpy(a.reshape(shape).copy())


def read(path):
    """(metadata, name -> weights)"""
    with open(path, 'rb') as f:
        r = Reader(f.read())
    if r.data[:4] != b'GGUF':
        sys.exit('%s: no GGUF file' % path)
    r.at = 8
    n_tensors, n_keys = r.take('Q'), r.take('Q')
    keys = {}
    for _ in range(n_keys):
        name = r.string()
        keys[name] = r.value(r.take('I'))
    rows = []
    for _ in range(n_tensors):
        name = r.string()
        shape = [r.take('Q') for _ in range(r.take('I'))][::-1]
        rows.append((name, shape, r.take('I'), r.take('Q')))
    start = -(-r.at // ALIGNMENT) * ALIGNMENT
    return keys, {name: floats(kind, r.data, start + at, shape) for name, shape, kind, at in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('model')
    parser.add_argument('--tokenizer', required=True, help='is written')
    parser.add_argument('-o', '--output', required=True, help='checkpoint')
    args = parser.parse_args()
    keys, weights = read(args.model)
    tokens = keys['tokenizer.ggml.tokens']
    ids = {name: i for i, name in enumerate(tokens)}
    merges = [[ids[half] for half in merge.split(' ')] for merge in keys['tokenizer.ggml.merges']]
    # export.py numbers the bytes as themselves, then the merges
    if tokens[:256] != [LETTERS[b] for b in range(256)] or tokens[-len(CONTROL):] != CONTROL:
        sys.exit('%s: not a vocabulary of tokenizer.py' % args.model)
    with open(args.tokenizer, 'w') as f:
        json.dump({'merges': merges}, f)
    shape = dict(SHAPE, n_embd=keys['llama.embedding_length'], n_layer=keys['llama.block_count'],
                 n_head=keys['llama.attention.head_count'], n_ff=keys['llama.feed_forward_length'],
                 n_ctx=keys['llama.context_length'])
    model = Model(len(tokens), shape)
    with torch.no_grad():
        for name, part in model.named_tensors():
            part.copy_(weights[gguf_name(name)])
    torch.save({'model': model.state_dict(), 'shape': shape, 'used': 0.0, 'step': 0, 'seen': 0}, args.output)
    return 0


if __name__ == '__main__':
    sys.exit(main())
