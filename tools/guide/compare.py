"""Compares the logits of a checkpoint with those of its GGUF file in sotto, and
the ids of the tokenizers. usage: compare.py CHECKPOINT TOKENIZER MODEL.gguf SOTTO DIALOGUES"""
import json
import subprocess
import sys
import tempfile

import numpy as np
import torch

from tokenizer import Tokenizer
from train import Model


def main():
    checkpoint, tokens, gguf, sotto, dialogues = sys.argv[1:]
    tokenizer = Tokenizer.load(tokens)
    state = torch.load(checkpoint, map_location='cpu')
    model = Model(tokenizer.n, state['shape'])
    model.load_state_dict(state['model'])
    model.eval()
    worst, different = 0.0, 0
    with open(dialogues) as f:
        texts = [json.loads(line)['messages'] for line in f][:20]
    for messages in texts:
        ids, _ = tokenizer.chat(messages)
        with tempfile.NamedTemporaryFile() as out:
            subprocess.run([sotto, 'logits', '-m', gguf, '--ids', ' '.join(map(str, ids)), '-o', out.name,
                            '-ctk', 'f32', '-ctv', 'f32', '-t', '1'], check=True)
            theirs = np.fromfile(out.name, np.float32).reshape(len(ids), -1)
        with torch.no_grad():
            ours = model(torch.tensor([ids]))[0].numpy()
        worst = max(worst, float(np.abs(ours - theirs).max()))
        text = ''.join('<|im_start|>%s\n%s<|im_end|>\n' % (m['role'], m['content']) for m in messages)
        got = subprocess.run([sotto, 'tokenize', '-m', gguf, '--parse-special', '-f', '-'], input=text.encode(),
                             check=True, capture_output=True).stdout
        different += list(map(int, got.split())) != ids
    print('largest difference of a logit: %.2g; texts tokenised differently: %d of %d' % (
        worst, different, len(texts)))
    return worst > 1e-3 or different > 0


if __name__ == '__main__':
    sys.exit(main())
