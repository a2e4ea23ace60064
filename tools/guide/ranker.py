"""Which of the entries that the look-up finds is meant: a linear classifier of low rank, like
fastText's (Joulin et al. 2016, https://arxiv.org/abs/1607.01759), learnt of the ways to ask
that facts.yaml has. Here it is trained; src/guide/ranker.c does what Ranker does.

A question is a set of slots of a table, the hashes of its words, of the heads of their classes
and of each two neighbouring heads. The rows of its slots are summed; an entry's score is the
product of the sum with the entry's row, divided by the root of the number of slots. Rows are
bytes and sums whole numbers, so that C and Python agree.

The file, facts.weights beside facts.yaml, little-endian: "SOTTORNK", u32 slots (a power of
two), u32 dimensions, u32 entries, u32 scale of a score in 2^-32; the ids of the entries, a NUL after each;
a byte for each number of the slots' rows, then of the entries'."""
import argparse
import math
import os
import struct
import sys

MAGIC = b'SOTTORNK'
HEADER = '<8sIIII'
WORD_BYTES = 48
UNKNOWN = '?'
SLOTS, DIMS = 8192, 64
hashes = {}


def fnv(text):
    """FNV-1a of 64 bits."""
    if text not in hashes:
        value = 0xCBF29CE484222325
        for byte in text.encode():
            value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        hashes[text] = value
    return hashes[text]


def features(words):
    """What is hashed, of [(word, the head of its class)]."""
    out = {'w' + word for word, _ in words} | {'c' + head for word, head in words if head != word}
    heads = ['^'] + [head for _, head in words] + ['$']
    return out | {'b%s %s' % pair for pair in zip(heads, heads[1:])}


def slots(words, n_slots):
    return sorted({fnv(f) % n_slots for f in features(words)})


class Ranker:
    def __init__(self, path):
        with open(path, 'rb') as f:
            data = f.read()
        magic, self.n_slots, self.dims, n, scale = struct.unpack_from(HEADER, data)
        if magic != MAGIC:
            raise ValueError('%s: not a file of weights' % path)
        self.scale = scale / 2 ** 32
        *ids, rows = data[struct.calcsize(HEADER):].split(b'\0', n)
        # bytes with a sign
        self.rows = memoryview(rows).cast('b')
        self.at = {name.decode(): (self.n_slots + i) * self.dims for i, name in enumerate(ids)}

    def sum(self, words):
        """The sum of the rows, and of how many."""
        of = slots(words, self.n_slots)
        rows = [self.rows[s * self.dims:(s + 1) * self.dims] for s in of]
        return [sum(column) for column in zip(*rows)], len(of)

    def scores(self, words, ids):
        """A score for each id; None for one that is not known."""
        total, n = self.sum(words)
        root = math.sqrt(n)
        out = []
        for name in ids:
            at = self.at.get(name)
            out.append(None if at is None else
                       self.scale * sum(a * b for a, b in zip(total, self.rows[at:at + self.dims])) / root)
        return out


def samples(facts, raw, seed):
    """[(text, id, weight)]: each way to ask as it is and in frames and dress, and what an entry
    says. A phrase that stands for many texts weighs the root of their number."""
    from facts import expand, names
    from generate import ABOUT, ASK, DO, Maker, frames
    maker = Maker(seed)
    out = []
    for fact in raw:
        if fact['id'] not in facts.by_id:
            continue
        rows = [(part, 1) for part in [fact['text'], *fact['text'].split('. '), *names(fact)]]
        for kind, around in (('do', DO), ('about', ABOUT), ('ask', ASK)):
            for phrase in fact.get(kind, []):
                texts = expand(phrase)
                for text in texts:
                    dressed = [maker.dress(maker.rng.choice(frames(around, False)).format(text)) for _ in range(2)]
                    rows += [(t, 1 / (3 * len(texts) ** 0.5)) for t in [text, *dressed]]
        weight = 1.5 * (30 / sum(w for _, w in rows)) ** 0.5
        out += [(text, fact['id'], w * weight) for text, w in rows]
    return out


def train(rows, n_slots, dims, n_entries, epochs, rate, seed, drop=0.3, decay=1e-3):
    """AdaGrad, a sample a step, a part of the slots dropped; the rows of slots and entries.
    `rows`: [(slots, entry, weight)]."""
    import numpy as np
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 0.1, (n_slots, dims)).astype(np.float32)
    entries = rng.normal(0, 0.1, (dims, n_entries)).astype(np.float32)
    table_squares, entry_squares = np.full_like(table, 0.01), np.full_like(entries, 0.01)
    rows = [(np.array(x), n, np.float32(w)) for x, n, w in rows if x]
    step, steps = 0, epochs * len(rows)
    for epoch in range(epochs):
        loss = 0
        for i in rng.permutation(len(rows)):
            x, n, weight = rows[i]
            kept = x[rng.random(len(x)) >= drop]
            kept = kept if len(kept) else x
            part = np.float32(1 / len(x) ** 0.5)
            old = table[kept]
            total = old.sum(0) * part
            z = total @ entries
            p = np.exp(z - z.max())
            p /= p.sum()
            loss -= math.log(p[n] + 1e-9)
            p[n] -= 1
            p *= weight
            now = rate * (1 - step / steps)
            step += 1
            row_slope = (entries @ p) * part + decay * weight * old
            entry_slope = np.outer(total, p)
            entry_squares += entry_slope * entry_slope
            entries -= now * entry_slope / np.sqrt(entry_squares)
            squares = table_squares[kept] + row_slope * row_slope
            table_squares[kept] = squares
            table[kept] = old - now * row_slope / np.sqrt(squares)
        print('epoch %d: loss %.3f' % (epoch + 1, loss / len(rows)), file=sys.stderr, flush=True)
    return table, entries.T


def to_bytes(rows):
    """(bytes, scale)"""
    import numpy as np
    scale = float(np.abs(rows).max()) / 127
    return np.round(rows / scale).astype(np.int8).tobytes(), scale


def write(path, ids, table, entries):
    (rows, a), (more, b) = to_bytes(table), to_bytes(entries)
    with open(path, 'wb') as f:
        f.write(struct.pack(HEADER, MAGIC, *table.shape, len(ids), round(a * b * 2 ** 32)))
        f.write(b''.join(name.encode() + b'\0' for name in ids) + rows + more)


def main():
    import yaml

    from facts import FOLDER, Facts
    from retrieve import Index
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('facts', nargs='?', default=os.path.join(FOLDER, 'facts.yaml'))
    parser.add_argument('--slots', type=int, default=SLOTS)
    parser.add_argument('--dims', type=int, default=DIMS)
    parser.add_argument('--epochs', type=int, default=7)
    parser.add_argument('--rate', type=float, default=0.1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--more', nargs='*', default=[], help='YAML files of more ways to ask, by ids')
    parser.add_argument('-o', '--output', help='in place of facts.weights beside the facts')
    args = parser.parse_args()
    facts = Facts(args.facts)
    index = Index(facts)
    with open(args.facts) as f:
        raw = yaml.load(f, yaml.BaseLoader)['facts']
    rows = samples(facts, raw, args.seed)
    for name in args.more:
        with open(name) as f:
            rows += [(q, which, 1) for which, qs in yaml.load(f, yaml.BaseLoader).items() for q in qs]
    number = {fact['id']: i for i, fact in enumerate(facts.facts)}
    rows = [(slots(index.normal(text), args.slots), number[which], weight) for text, which, weight in rows if which in number]
    print('%d samples, %d entries' % (len(rows), len(number)), file=sys.stderr)
    write(args.output or os.path.splitext(args.facts)[0] + '.weights', list(number),
          *train(rows, args.slots, args.dims, len(number), args.epochs, args.rate, args.seed))
    return 0


if __name__ == '__main__':
    sys.exit(main())
