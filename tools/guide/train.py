"""Trains the guide: llama architecture, PyTorch 1.13 or newer, CPU or CUDA. On a
CPU PyTorch needs a good BLAS (libopenblas0-pthread): without one it is twenty
times slower."""
import argparse
import json
import math
import os
import random
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

from tokenizer import Tokenizer

SHAPE = dict(n_embd=256, n_layer=6, n_head=4, n_ff=768, n_ctx=1024, rope_base=10000.0, eps=1e-5)


class Norm(nn.Module):
    def __init__(self, n, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


def rotate(x, cos, sin):
    """Adjacent pairs, as llama.cpp's llama architecture: x[batch][head][n][dim]."""
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


class Layer(nn.Module):
    def __init__(self, s):
        super().__init__()
        n, ff = s['n_embd'], s['n_ff']
        self.n_head = s['n_head']
        self.attn_norm, self.ffn_norm = Norm(n, s['eps']), Norm(n, s['eps'])
        self.attn_q, self.attn_k, self.attn_v, self.attn_output = (nn.Linear(n, n, bias=False) for _ in range(4))
        self.ffn_gate, self.ffn_up = nn.Linear(n, ff, bias=False), nn.Linear(n, ff, bias=False)
        self.ffn_down = nn.Linear(ff, n, bias=False)

    def forward(self, x, cos, sin, mask):
        b, n, c = x.shape
        h = self.attn_norm(x)
        q, k, v = (w(h).view(b, n, self.n_head, -1).transpose(1, 2)
                   for w in (self.attn_q, self.attn_k, self.attn_v))
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if hasattr(F, 'scaled_dot_product_attention') and x.is_cuda:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            y = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + mask, -1) @ v
        x = x + self.attn_output(y.transpose(1, 2).reshape(b, n, c))
        h = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(h)) * self.ffn_up(h))


class Model(nn.Module):
    def __init__(self, n_vocab, s):
        super().__init__()
        self.shape, self.n_vocab = s, n_vocab
        self.token_embd = nn.Embedding(n_vocab, s['n_embd'])
        self.layers = nn.ModuleList(Layer(s) for _ in range(s['n_layer']))
        self.output_norm = Norm(s['n_embd'], s['eps'])
        for name, p in self.named_parameters():
            if p.dim() == 2:
                scale = 0.02 / math.sqrt(2 * s['n_layer']) if 'attn_output' in name or 'ffn_down' in name else 0.02
                nn.init.normal_(p, std=scale)
        dim = s['n_embd'] // s['n_head']
        angle = torch.outer(torch.arange(s['n_ctx']).double(),
                            s['rope_base'] ** (-torch.arange(0, dim, 2).double() / dim))
        self.register_buffer('cos', angle.cos().float(), persistent=False)
        self.register_buffer('sin', angle.sin().float(), persistent=False)

    def forward(self, ids):
        n = ids.shape[1]
        x = self.token_embd(ids)
        mask = torch.full((n, n), -1e9, device=ids.device, dtype=x.dtype).triu(1)
        cos, sin = self.cos[:n].to(x.dtype), self.sin[:n].to(x.dtype)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.output_norm(x) @ self.token_embd.weight.t()


def load_dialogues(path, tokenizer, n_ctx):
    out = []
    with open(path) as f:
        for line in f:
            dialogue = json.loads(line)
            ids, mask = tokenizer.chat(dialogue['messages'], dialogue.get('learn', 1))
            if len(ids) <= n_ctx:
                out.append((ids, mask))
    return out


def batches(dialogues, n_tokens, rng):
    """Dialogues of like length together, each batch at most n_tokens with its padding."""
    order = sorted(range(len(dialogues)), key=lambda i: (len(dialogues[i][0]) // 16, rng.random()))
    rows, longest = [], 0
    out = []
    for i in order:
        n = len(dialogues[i][0])
        if rows and max(longest, n) * (len(rows) + 1) > n_tokens:
            out.append(rows)
            rows, longest = [], 0
        rows.append(i)
        longest = max(longest, n)
    out.append(rows)
    rng.shuffle(out)
    return out


def tensors(dialogues, rows, device, other):
    """ids and weights of the targets: 1 on the last reply, `other` elsewhere."""
    n = max(len(dialogues[i][0]) for i in rows)
    ids = torch.zeros(len(rows), n, dtype=torch.long)
    weight = torch.zeros(len(rows), n)
    for r, i in enumerate(rows):
        text, mask = dialogues[i]
        ids[r, :len(text)] = torch.tensor(text)
        weight[r, :len(text)] = torch.tensor(mask, dtype=torch.float) * (1 - other) + other
    return ids.to(device), weight.to(device)


def loss_of(model, ids, weight):
    logits = model(ids[:, :-1]).float()
    target, weight = ids[:, 1:], weight[:, 1:]
    loss = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), target.reshape(-1), reduction='none')
    return (loss * weight.reshape(-1)).sum() / weight.sum()


def evaluate(model, dialogues, device, amp):
    """Mean loss on replies, and the part of replies that would be given whole."""
    model.eval()
    total = n = exact = 0
    with torch.no_grad():
        for i in range(0, len(dialogues), 16):
            rows = range(i, min(i + 16, len(dialogues)))
            ids, weight = tensors(dialogues, rows, device, 0.0)
            with torch.autocast(device, dtype=torch.bfloat16, enabled=amp):
                logits = model(ids[:, :-1]).float()
            w = weight[:, 1:]
            loss = F.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction='none')
            total += float((loss * w).sum())
            n += float(w.sum())
            exact += int((((logits.argmax(-1) == ids[:, 1:]) | (w == 0)).all(1)).sum())
    model.train()
    return total / n, exact / len(dialogues)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('corpus', nargs='+', help='dialogues, of generate.py; read one after the other, an epoch each')
    parser.add_argument('--tokenizer', required=True)
    parser.add_argument('--held-out', help='dialogues to measure with')
    parser.add_argument('-o', '--output', required=True, help='checkpoint; training goes on from it when it is there')
    parser.add_argument('--minutes', type=float, default=120)
    parser.add_argument('--batch', type=int, default=4096, help='tokens')
    parser.add_argument('--lr', type=float, default=1.5e-3)
    parser.add_argument('--other', type=float, default=0.1, help='weight of all that is no reply, at the beginning')
    parser.add_argument('--threads', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--every', type=float, default=60, help='seconds between reports')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=N', help='another shape: n_layer=4')
    args = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    amp = device == 'cuda'
    if args.threads:
        torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    shape = dict(SHAPE)
    for s in args.set:
        shape[s.split('=')[0]] = int(s.split('=')[1])
    tokenizer = Tokenizer.load(args.tokenizer)
    model = Model(tokenizer.n, shape).to(device)
    # a short training: Adam's second moments are to forget within some fifty steps
    groups = [{'params': [p for p in model.parameters() if p.dim() == 2], 'weight_decay': 0.05},
              {'params': [p for p in model.parameters() if p.dim() < 2], 'weight_decay': 0.0}]
    adam = torch.optim.AdamW(groups, lr=args.lr, betas=(0.9, 0.98))
    used, step, seen = 0.0, 0, 0
    if os.path.exists(args.output):
        state = torch.load(args.output, map_location=device)
        model.load_state_dict(state['model'])
        adam.load_state_dict(state['adam'])
        used, step, seen = state['used'], state['step'], state['seen']
    print('%d parameters, %s, %d threads' % (sum(p.numel() for p in model.parameters()), device,
                                             torch.get_num_threads()), flush=True)
    held = load_dialogues(args.held_out, tokenizer, shape['n_ctx']) if args.held_out else []

    def save():
        torch.save({'model': model.state_dict(), 'adam': adam.state_dict(), 'shape': shape, 'used': used,
                    'step': step, 'seen': seen}, args.output + '.new')
        os.replace(args.output + '.new', args.output)

    dialogues = load_dialogues(args.corpus[0], tokenizer, shape['n_ctx'])
    began = last = time.time()
    cpu = time.process_time()
    before, last_seen, sum_loss, n_loss, epoch = used, seen, 0.0, 0, 0
    queue = []
    while used < args.minutes * 60:
        if not queue:
            if len(args.corpus) > 1 and step:
                dialogues = load_dialogues(args.corpus[epoch % len(args.corpus)], tokenizer, shape['n_ctx'])
            queue = batches(dialogues, args.batch, rng)
            epoch += 1
        part = used / (args.minutes * 60)
        lr = args.lr * min(1, (step + 1) / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part)))
        for g in adam.param_groups:
            g['lr'] = lr
        ids, weight = tensors(dialogues, queue.pop(), device, args.other * (1 - part))
        with torch.autocast(device, dtype=torch.bfloat16, enabled=amp):
            loss = loss_of(model, ids, weight)
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        step += 1
        seen += ids.numel()
        if step % 10 == 0 or step < 10:
            sum_loss, n_loss = sum_loss + float(loss), n_loss + 1
        used = before + time.time() - began
        if time.time() - last > args.every:
            text = 'step %d, epoch %d, %.1f min, %.2f M tokens, %.0f tokens/s (%.0f a second of CPU time), loss %.3f' % (
                step, epoch, used / 60, seen / 1e6, (seen - last_seen) / (time.time() - last),
                (seen - last_seen) / max(1e-3, time.process_time() - cpu), sum_loss / max(1, n_loss))
            if held:
                text += ', held out: loss %.3f, whole replies %.1f %%' % (
                    (lambda r: (r[0], 100 * r[1]))(evaluate(model, held, device, amp)))
            print(text, flush=True)
            save()
            last, last_seen, sum_loss, n_loss, cpu = time.time(), seen, 0.0, 0, time.process_time()
    if held:
        print('held out: loss %.4f, whole replies %.1f %%' % (
            (lambda r: (r[0], 100 * r[1]))(evaluate(model, held, device, amp))))
    save()
    return 0


if __name__ == '__main__':
    sys.exit(main())
