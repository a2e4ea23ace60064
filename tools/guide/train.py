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
from concurrent.futures import ThreadPoolExecutor


def environment():
    """What has to be set before PyTorch is loaded. An older OpenBLAS takes a processor
    that it has not heard of for one of 2004, five times slower; and memory that is
    given back after each step costs a page fault for each page at the next one."""
    wanted = {'MALLOC_MMAP_THRESHOLD_': str(1 << 32), 'MALLOC_TRIM_THRESHOLD_': str(1 << 33),
              'MALLOC_TOP_PAD_': str(1 << 28), 'MALLOC_ARENA_MAX': '1', 'OPENBLAS_NUM_THREADS': '1',
              'OMP_NUM_THREADS': '1'}
    try:
        with open('/proc/cpuinfo') as f:
            flags = f.read().split()
    except OSError:
        flags = []
    if 'avx512dq' in flags:
        wanted['OPENBLAS_CORETYPE'] = 'SkylakeX'
        wanted['ATEN_CPU_CAPABILITY'] = 'avx512'
    elif 'avx2' in flags:
        wanted['OPENBLAS_CORETYPE'] = 'Haswell'
    missing = {k: v for k, v in wanted.items() if k not in os.environ}
    if missing:
        os.execve(sys.executable, [sys.executable, *sys.argv], dict(os.environ, **missing))


if __name__ == '__main__':
    environment()

import torch
import torch.nn as nn
import torch.nn.functional as F

from tokenizer import Tokenizer

SHAPE = dict(n_embd=256, n_layer=4, n_head=4, n_ff=768, n_ctx=1024, rope_base=10000.0, eps=1e-5)


class NormFunction(torch.autograd.Function):
    """x / rms(x) * w with few passes over memory."""

    @staticmethod
    def forward(ctx, x, weight, eps):
        scale = torch.rsqrt((torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2) / x.shape[-1] + eps)
        y = x * scale
        ctx.save_for_backward(y, weight, scale)
        return y * weight

    @staticmethod
    def backward(ctx, grad):
        y, weight, scale = ctx.saved_tensors
        inner = grad * y
        n = y.shape[-1]
        by_weight = inner.reshape(-1, n).sum(0)
        along = (inner.reshape(-1, n) @ weight / n).view(*y.shape[:-1], 1)
        return torch.addcmul(grad * weight, y, along, value=-1).mul_(scale), by_weight, None


class Norm(nn.Module):
    def __init__(self, n, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))
        self.eps = eps

    def forward(self, x):
        return NormFunction.apply(x, self.weight, self.eps)


def rotate(x, turn):
    """Adjacent pairs, as llama.cpp's llama architecture: x[batch][n][head][dim]
    as complex numbers, turn[n][1][dim / 2]."""
    pairs = torch.view_as_complex(x.float().unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * turn).flatten(-2).to(x.dtype)


class Layer(nn.Module):
    """wqkv and gate_up are attn_q, attn_k, attn_v and ffn_gate, ffn_up of the file, one
    below the other: a larger product is a faster one."""

    def __init__(self, s):
        super().__init__()
        n, ff = s['n_embd'], s['n_ff']
        self.n_head = s['n_head']
        self.attn_norm, self.ffn_norm = Norm(n, s['eps']), Norm(n, s['eps'])
        self.wqkv = nn.Linear(n, 3 * n, bias=False)
        self.attn_output = nn.Linear(n, n, bias=False)
        self.gate_up = nn.Linear(n, 2 * ff, bias=False)
        self.ffn_down = nn.Linear(ff, n, bias=False)

    def forward(self, x, turn, mask):
        b, n, c = x.shape
        q, k, v = self.wqkv(self.attn_norm(x)).view(b, n, 3 * self.n_head, -1).split(self.n_head, 2)
        q, k = rotate(q, turn).transpose(1, 2), rotate(k, turn).transpose(1, 2)
        v = v.transpose(1, 2)
        if hasattr(F, 'scaled_dot_product_attention') and x.is_cuda:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            heads = b * self.n_head
            q, k, v = (t.reshape(heads, n, -1) for t in (q, k, v))
            scores = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=1 / math.sqrt(q.shape[-1]))
            y = torch.bmm(torch.softmax(scores, -1), v).view(b, self.n_head, n, -1)
        x = x + self.attn_output(y.transpose(1, 2).reshape(b, n, c))
        gate, up = self.gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.ffn_down(F.silu(gate) * up)


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
        self.register_buffer('turn', torch.polar(torch.ones_like(angle), angle).to(torch.complex64).unsqueeze(1),
                             persistent=False)

    def forward(self, ids, where=None):
        """Logits of all places, or of those for which `where` holds."""
        n = ids.shape[1]
        x = self.token_embd(ids)
        mask = torch.full((1, n, n), -1e9, device=ids.device, dtype=x.dtype).triu(1)
        for layer in self.layers:
            x = layer(x, self.turn[:n], mask)
        x = self.output_norm(x if where is None else x[where])
        return x @ self.token_embd.weight.t()

    def named_tensors(self):
        """name -> weights, as the file has them."""
        for name, w in self.state_dict().items():
            parts = [w]
            names = [name]
            if '.wqkv.' in name:
                parts, names = w.chunk(3), [name.replace('wqkv', 'attn_' + c) for c in 'qkv']
            elif '.gate_up.' in name:
                parts, names = w.chunk(2), [name.replace('gate_up', 'ffn_' + c) for c in ('gate', 'up')]
            yield from zip(names, parts)


class Muon(torch.optim.Optimizer):
    """Momentum whose step is made orthogonal (Jordan et al. 2024), for matrices:
    all directions are learnt at the same pace."""

    def __init__(self, params, lr, pool, momentum=0.95):
        super().__init__(params, dict(lr=lr, momentum=momentum))
        self.pool = pool

    def step(self):
        for group in self.param_groups:
            list(self.pool.map(lambda p: self.step_matrix(p, group['lr'], group['momentum']), group['params']))

    @torch.no_grad()
    def step_matrix(self, p, lr, momentum):
        state = self.state[p]
        if not state:
            state['m'] = torch.zeros_like(p)
        m = state['m'].mul_(momentum).add_(p.grad)
        rows = p.grad.add(m, alpha=momentum)
        # matrices that stand one below the other are stepped each for itself
        height = p.shape[1] if p.shape[0] > p.shape[1] else p.shape[0]
        for part, g in zip(p.split(height), rows.split(height)):
            part.mul_(1 - 0.01 * lr).add_(orthogonal(g), alpha=-lr)


def orthogonal(g):
    """Newton-Schulz: all singular values towards 1."""
    wide = g if g.shape[0] <= g.shape[1] else g.t()
    x = wide / (wide.norm() + 1e-7)
    for _ in range(5):
        a = x @ x.t()
        x = 3.4445 * x + (2.0315 * (a @ a) - 4.7750 * a) @ x
    return x if g.shape[0] <= g.shape[1] else x.t()


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
    target, weight = ids[:, 1:], weight[:, 1:]
    where = weight > 0
    logits = model(ids[:, :-1], where).float()
    loss = F.cross_entropy(logits, target[where], reduction='none')
    return (loss * weight[where]).sum() / weight.sum()


def step_gradients(model, parts, pool, amp):
    """Loss and gradients, each part of the batch in a thread of its own: products of
    this size are too small to be shared out."""
    total = sum(float(weight[:, 1:].sum()) for _, weight in parts)

    def one(part):
        ids, weight = part
        with torch.autocast(ids.device.type, dtype=torch.bfloat16, enabled=amp):
            loss = loss_of(model, ids, weight) * (float(weight[:, 1:].sum()) / total)
        return float(loss.detach()), torch.autograd.grad(loss, list(model.parameters()))

    results = list(pool.map(one, parts))
    for i, p in enumerate(model.parameters()):
        p.grad = results[0][1][i]
        for _, grads in results[1:]:
            p.grad += grads[i]
    return sum(loss for loss, _ in results)


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
    parser.add_argument('--batch', type=int, default=8192, help='tokens')
    parser.add_argument('--lr', type=float, default=2e-3, help='of the embeddings and norms')
    parser.add_argument('--lr-matrices', type=float, default=0.02)
    parser.add_argument('--other', type=float, default=0.2,
                        help='weight of all that is no reply; it falls to 0 within the first fifth of the time')
    parser.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--every', type=float, default=60, help='seconds between reports')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=N', help='another shape: n_layer=6')
    args = parser.parse_args()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    amp = device == 'cuda'
    pool = ThreadPoolExecutor(args.threads, initializer=torch.set_flush_denormal, initargs=(True,))
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)
    shape = dict(SHAPE)
    for s in args.set:
        shape[s.split('=')[0]] = int(s.split('=')[1])
    tokenizer = Tokenizer.load(args.tokenizer)
    model = Model(tokenizer.n, shape).to(device)
    matrices = [p for name, p in model.named_parameters() if p.dim() == 2 and 'embd' not in name]
    rest = [p for name, p in model.named_parameters() if p.dim() < 2 or 'embd' in name]
    # a short training: Adam's second moments are to forget within some fifty steps
    optimizers = [Muon(matrices, args.lr_matrices, pool),
                  torch.optim.AdamW(rest, lr=args.lr, betas=(0.9, 0.98), weight_decay=0.0)]
    highest = [args.lr_matrices, args.lr]
    used, step, seen = 0.0, 0, 0
    if os.path.exists(args.output):
        state = torch.load(args.output, map_location=device)
        model.load_state_dict(state['model'])
        for optimizer, saved in zip(optimizers, state.get('optimizers', [])):  # restore.py has none
            optimizer.load_state_dict(saved)
        used, step, seen = state['used'], state['step'], state['seen']
    print('%d parameters, %s, %d threads' % (sum(p.numel() for p in model.parameters()), device,
                                             args.threads), flush=True)
    held = load_dialogues(args.held_out, tokenizer, shape['n_ctx']) if args.held_out else []

    def save():
        torch.save({'model': model.state_dict(), 'optimizers': [o.state_dict() for o in optimizers], 'shape': shape, 'used': used,
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
        pace = min(1, (step + 1) / 50) * min(1, max(0.01, (1 - part) / 0.7))
        for optimizer, lr in zip(optimizers, highest):
            for g in optimizer.param_groups:
                g['lr'] = lr * pace
        rows = queue.pop()
        share = -(-len(rows) // args.threads)
        parts = [tensors(dialogues, rows[i:i + share], device, args.other * max(0, 1 - part / 0.2))
                 for i in range(0, len(rows), share)]
        loss = step_gradients(model, parts, pool, amp)
        nn.utils.clip_grad_norm_(rest, 1.0)
        for optimizer in optimizers:
            optimizer.step()
        step += 1
        seen += sum(ids.numel() for ids, _ in parts)
        sum_loss, n_loss = sum_loss + loss, n_loss + 1
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
