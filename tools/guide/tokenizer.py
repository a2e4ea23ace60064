"""Byte-level BPE: training, saving, encoding. Pre-tokenizer `gpt-2` of
tokenizer.ggml.pre for ASCII and Latin text; digits are never merged, so that
numbers are copied digit by digit."""
import argparse
import collections
import json
import re
import sys

CONTROL = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
CHAT_TEMPLATE = ("{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
                 "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}")
# GPT-2's: letters are those of \w without digits and _.
PRE = re.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


def byte_letters():
    """The letter that stands for each byte in the vocabulary's names."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters, n = {}, 0
    for b in range(256):
        letters[b] = chr(b) if b in plain else chr(256 + n)
        n += b not in plain
    return letters


LETTERS = byte_letters()


class Tokenizer:
    """Ids: the 256 bytes, the merges in their order, the control tokens."""

    def __init__(self, merges):
        self.merges = [tuple(m) for m in merges]
        self.pieces = [bytes([b]) for b in range(256)]
        self.rank = {}
        for a, b in self.merges:
            self.rank[a, b] = len(self.pieces)
            self.pieces.append(self.pieces[a] + self.pieces[b])
        self.control = {c: len(self.pieces) + i for i, c in enumerate(CONTROL)}
        self.n = len(self.pieces) + len(CONTROL)
        self.cache = {}

    def name(self, i):
        return ''.join(LETTERS[b] for b in self.pieces[i])

    def word(self, word):
        if word not in self.cache:
            ids = list(word.encode())
            while True:
                best = min((self.rank.get(p, 1 << 30), i) for i, p in enumerate(zip(ids, ids[1:] + [-1])))
                if best[0] == 1 << 30:
                    break
                ids[best[1]:best[1] + 2] = [best[0]]
            self.cache[word] = ids
        return self.cache[word]

    def encode(self, text):
        return [i for w in PRE.findall(text) for i in self.word(w)]

    def decode(self, ids):
        return b''.join(self.pieces[i] if i < len(self.pieces) else b'' for i in ids).decode('utf-8', 'replace')

    def chat(self, messages, learn=1, prompt=False):
        """(ids, mask): the conversation as the chat template has it; mask 1 for
        the last `learn` replies and their ends."""
        ids, mask = [], []
        start, end = self.control['<|im_start|>'], self.control['<|im_end|>']
        replies = [n for n, m in enumerate(messages) if m['role'] == 'assistant'][-learn:]
        for n, m in enumerate(messages):
            head = [start] + self.encode(m['role'] + '\n')
            body = self.encode(m['content'])
            # template and text meet within one string: as sotto and llama.cpp tokenise it
            joined = self.encode(m['role'] + '\n' + m['content'])
            if joined != head[1:] + body:
                head, body = [start], joined
            ids += head + body + [end]
            mask += [0] * len(head) + [int(n in replies)] * (len(body) + 1)
            tail = self.encode('\n')
            ids += tail
            mask += [0] * len(tail)
        if prompt:
            ids += [start] + self.encode('assistant\n')
            mask += [0] * (len(ids) - len(mask))
        return ids, mask

    def save(self, path):
        with open(path, 'w') as f:
            json.dump({'merges': self.merges}, f)

    @staticmethod
    def load(path):
        with open(path) as f:
            return Tokenizer(json.load(f)['merges'])


def train(texts, n_tokens):
    """The merges of a vocabulary of n_tokens."""
    counts = collections.Counter(w for t in texts for w in PRE.findall(t))
    words = [(list(w.encode()), n) for w, n in counts.items()]
    pairs, where = collections.Counter(), collections.defaultdict(set)
    digit = set(b'0123456789')
    for i, (ids, n) in enumerate(words):
        for p in zip(ids, ids[1:]):
            pairs[p] += n
            where[p].add(i)
    merges, has_digit = [], set(digit)
    while 256 + len(merges) + len(CONTROL) < n_tokens:
        best = max(((n, p) for p, n in pairs.items() if not (p[0] in has_digit or p[1] in has_digit)),
                   default=(0, None))
        if best[0] < 2:
            break
        pair, new = best[1], 256 + len(merges)
        merges.append(pair)
        for i in where.pop(pair):
            ids, n = words[i]
            for p in zip(ids, ids[1:]):
                pairs[p] -= n
            out, k = [], 0
            while k < len(ids):
                if k + 1 < len(ids) and (ids[k], ids[k + 1]) == pair:
                    out.append(new)
                    k += 2
                else:
                    out.append(ids[k])
                    k += 1
            words[i] = (out, n)
            for p in zip(out, out[1:]):
                pairs[p] += n
                where[p].add(i)
        del pairs[pair]
    return merges


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('corpus', help='dialogues, of generate.py')
    parser.add_argument('output', help='tokenizer.json')
    parser.add_argument('-n', type=int, default=2048)
    args = parser.parse_args()
    with open(args.corpus) as f:
        texts = [m['content'] for line in f for m in json.loads(line)['messages']]
    texts += ['system\n', 'user\n', 'assistant\n'] * 100
    merges = train(texts, args.n)
    # the vocabulary has its size whatever the corpus; what is missing is never produced
    tokenizer = Tokenizer(merges)
    tokenizer.save(args.output)
    ids = sum(len(tokenizer.encode(t)) for t in texts[:3000])
    print('%d tokens, %.2f bytes a token' % (tokenizer.n, sum(len(t.encode()) for t in texts[:3000]) / ids))
    return 0


if __name__ == '__main__':
    sys.exit(main())
