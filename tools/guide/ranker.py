"""Which entry a question means: a linear classifier of low rank, like fastText's (Joulin et
al. 2016, https://arxiv.org/abs/1607.01759), learnt of the ways to ask that facts.yaml has, of
what many hands asked (asked.yaml, follow_ups.yaml), and of questions that no entry answers
(unanswered.yaml, the grammars of talk.yaml), which are one more entry, "nothing". Here it is
trained, with PyTorch; src/guide/ranker.c does what Ranker does.

A question is a set of slots of a table, the hashes of its words, of the heads of their classes,
of each two neighbouring heads, and two of the entry that answered the question before, or of that nothing was found so far. The rows of
its slots are summed; an entry's score is the product of the sum with the entry's row, divided by
the root of the number of slots. One row more, "=", gives what the entry before gets besides, since words
like "again" want the same once more, whatever it was. Rows are bytes and sums whole numbers, so that C and Python agree.
Several are trained, and the mean of their scores is what counts (see blend()).

The file, facts.weights beside facts.yaml, little-endian: "SOTTORNK", u32 slots, u32
dimensions, u32 entries, u32 scale of a score in 2^-32; the ids of the entries, a NUL
after each, that of "nothing" is empty; a byte for each number of the slots' rows, then of the
entries'."""
import argparse
import math
import os
import re
import struct
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

MAGIC = b'SOTTORNK'
HEADER = '<8sIIII'
WORD_BYTES = 48
UNKNOWN = '?'
NOTHING = ''
DECLINED = '!'
SAME = '='
FORGET = 0.5  # of the words that only one entry has
WRAPPED, NOTHING_WRAPPED = 0.5, 1.0  # of what hands asked
SLOTS, DIMS, KEPT, SEEDS = 16384, 128, 224, 4
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


def slots(words, before, n_slots):
    """`before`: the id of the entry that answered the question before; None; DECLINED, where those before found nothing."""
    out = features(words) | ({'p' + before, 'P' + before} if before else set())
    return sorted({fnv(f) % n_slots for f in out})


class Ranker:
    def __init__(self, path):
        with open(path, 'rb') as f:
            data = f.read()
        magic, self.n_slots, self.dims, n, scale = struct.unpack_from(HEADER, data)
        if magic != MAGIC:
            raise ValueError('%s: not a file of weights' % path)
        self.scale = scale / 2 ** 32
        *ids, rows = data[struct.calcsize(HEADER):].split(b'\0', n)
        self.rows = np.frombuffer(rows, np.int8).reshape(-1, self.dims).astype(np.int64)
        self.at = {name.decode(): self.n_slots + i for i, name in enumerate(ids)}

    def scores(self, words, before, ids):
        """A score for each id; 0 for one that is not known, but where that was told before and is wanted once more."""
        of = slots(words, before, self.n_slots)
        products = self.rows[self.n_slots:] @ self.rows[of].sum(0)
        root = math.sqrt(len(of))
        by_id = {name: self.scale * int(products[at - self.n_slots]) / root for name, at in self.at.items()}
        if before and SAME in by_id:
            by_id[before] = by_id.get(before, 0.0) + by_id[SAME]
        return [by_id.get(name, 0.0) for name in ids]


# What is asked next of whatever it was: a row of a table that the entry or its neighbours are about.
ROWS_ASKED = {
    'keys': ['which key', 'which key is that', 'which key was it', 'is there a key for it', 'is there a key for that', 'what key is it',
             'a shortcut for that', 'any hotkey', 'and with a key'],
    'commands': ['which command', 'is there a command for it', 'and as a command', 'what do i type', 'what is the command'],
    'options': ['and on the command line', 'which option is that', 'is there an option for it', 'from the shell', 'when i start it',
                'can i do that from the command line'],
}
# How the text of an entry names such rows.
ROWS_NAMED = {'keys': r'\b(?:F[1-9]\b|(?:Ctrl|Alt|Shift)\+|Enter\b|Esc\b|Tab\b|PgUp\b)', 'commands': r'(?<![\w./~])/[a-z]+\b(?!/)',
              'options': r'(?<![\w-])--?[a-zA-Z]'}
# What wants the same once more, or what of it a word in it names.
AGAIN_ASKED = ['how was that again', 'what was that again', 'say that again', 'can you repeat that', 'once more, how',
               'what was it called again', 'remind me how', 'explain that', 'what does that mean', 'in other words',
               'and how exactly', 'i did not get that', 'what is that good for', 'what is it good for', 'and what is that for', 'what for',
               'why would i want that', 'when do i need that', 'what use is it', 'what does it do', 'how does it work',
               'and how does that work exactly', 'in simple words', 'say it simpler', 'tell me more', 'tell me more about it', 'more about that',
               'so how do i do it', 'and where is that', 'where do i do that', 'is that all i need', 'and that is all', 'ok and how',
               'what do i have to do then', 'and that does what', 'explain it to me like i am five', 'what was it you said', 'how, sorry',
               'say again', 'say that again slowly', 'which one was that', 'which was it', 'which key again', 'and that key, please',
               'the key once more', 'the keys again', 'that key again', 'forgot the key already', 'what letter was it', 'the letter again',
               'the command again', 'the name of that command', 'what was that command called', 'how do you spell that command',
               'which option was that', 'what was the option', 'could you repeat that', 'i forgot, which one', 'sorry, which one did you mean',
               'how many was it', 'how much', 'which number', 'again but slower', 'explain again please', 'i did not understand, please repeat',
               'really? repeat that', 'what did you just say', 'wait, what', 'pardon', 'sorry', 'come again', 'you said what', 'i missed that',
               'hm, again', 'how did that go', 'again how', 'how exactly', 'how was i supposed to do that', 'tell me again how', 'do what',
               'so what should i do, again', 'where was that', 'spell it', 'not got it, what is it', 'repeat it please', 'so i do what',
               'so i press what', 'so i type what', 'can i have that once more', 'what did you call it', 'too fast for me, again please']
AGAIN_OF_EACH = 40
DEFAULT_ASKED = ['what is the default', 'the default?', 'what is it by default', 'which value has it at first', 'and the default value']
# What an answer is taken with.
TAKEN = {
    'talk-yes': ['good', 'ok', 'okay', 'ok good', 'very good', 'alright', 'i see', 'fine', 'ok then', 'ah ok', 'makes sense', 'understood', 'fair enough',
                 'good to know', 'aha', 'right'],
    'talk-thanks': ['thanks', 'thank you', 'great', 'nice', 'cool', 'perfect', 'got it', 'great thanks', 'ok thanks', 'awesome', 'that helped',
                    'that works', 'nice, thanks', 'excellent'],
}
# What names another key, command or option than the one just told.
NAMED_ASKED = ['and {}', 'what about {}', '{}', 'then {}', '{} then', 'and what does {} do', 'what is {}', 'same for {}', 'and {} then',
               'and if i press {}', 'or {}', 'how about {}', 'does {} do that too', 'so what is {} for', 'is {} the same', 'and with {}',
               'what happens with {}', 'i meant {}', 'not that, {}', '{} i mean', 'and the {} one']
# The same of what an entry's text begins with, as in "Q4_0: ...".
COMPARED_ASKED = ['is it better than {}', 'better than {}', 'compared to {}', 'is {} better', '{} instead', 'how does {} compare', 'or rather {}',
                  'is {} smaller', 'difference to {}', 'is it worse than {}', 'faster than {}']
# What asks for two rows of one kind: either is right, so that both are told.
PAIRS_ASKED = ["what's the difference between {} and {}", 'what is the difference between {} and {}', 'difference between {} and {}', '{} vs {}',
               '{} versus {}', '{} or {}', 'how does {} differ from {}', 'compare {} and {}', '{} compared to {}', 'how is {} different from {}',
               'what do {} and {} do', '{} and {}, what is what', 'is {} the same as {}', 'explain {} and {} to me']
# How a question, {0}, stands beside what is told.
TOLD_BESIDE = [*['{1}. {0}'] * 4, '{1}, {0}', '{1}, {0}', '{1} and {0}', '{0}, {1}', '{0}. {1}', '{0}. {1}', '{0}? {1}', '{1}. so {0}', '{1}, so {0}',
               '{1}. anyway, {0}', '{1}. and {0}', '{1}. but {0}', '{0} because {1}', '{1}! {0}', '{1}. {0}. {2}', '{1}. {2}. {0}',
               '{1} ({2}). {0}', '{1}. ok, {0}', '{1}, but {0}']
KEPT_ASKED = ['make it permanent', 'and make it permanent', 'how do i keep that', 'can i have that always', 'always', 'every time',
              'for all chats', 'how do i always have it so', 'and for good']


class Samples:
    """(words, the entry before or None, id, weight) of all that there is to learn. Words that only
    one entry has are at times unknown, as the words of strangers are."""

    def __init__(self, facts, raw, index, seed, told):
        from generate import Maker
        self.facts, self.index = facts, index
        self.maker = Maker(seed)
        self.rng = self.maker.rng
        self.ids = {f['id'] for f in facts.all}
        self.before = [f['id'] for f in facts.all if not f.get('alone') or f.get('again')]
        self.again = [f['id'] for f in facts.all if f.get('again')]
        self.told = told
        self.rows = []
        for fact in raw:
            if fact['id'] in self.ids:
                self.phrases(fact)

    def add(self, text, before, which, weight):
        if which in self.ids or which == NOTHING:
            self.rows.append((self.index.normal(text), before, which, weight))

    def add_dressed(self, text, before, which, weight):
        self.add(text, before, which, weight)
        self.add(self.maker.dress(text), before, which, weight / 2)

    def add_wrapped(self, text, before, which):
        """At times with something that is told beside it, which says nothing about what is asked."""
        if self.rng.random() < (NOTHING_WRAPPED if which == NOTHING else WRAPPED):
            text = self.rng.choice(TOLD_BESIDE).format(text, *self.rng.sample(self.told, 2))
            self.add(self.maker.dress(text), before, which, 0.5)

    def any_before(self, part):
        """None, or an entry, one in ten times one that more is wanted of (a story), or DECLINED, whatever is asked next."""
        if self.rng.random() >= part:
            return None
        if self.rng.random() < 0.1:
            return DECLINED
        return self.rng.choice(self.again if self.again and self.rng.random() < 0.1 else self.before)

    def phrases(self, fact):
        """Each way to ask as it is and in frames and dress, and what an entry says. A phrase that
        stands for many texts weighs the root of their number."""
        from facts import expand, names
        from generate import ABOUT, ASK, DO, SEE, frames
        rows = [(part, None, 1) for part in [fact['text'], *fact['text'].split('. '), *names(fact)]]
        for name in names(fact):
            rows += [(text.format(name), None, 0.5) for text in self.rng.sample(frames(ABOUT, False), 4)]
            rows += [(text.format(name), self.any_before(1), 0.5) for text in self.rng.sample(SEE + ABOUT[:3], 4)]
        for kind, around in (('do', DO), ('about', ABOUT), ('ask', ASK)):
            for phrase in fact.get(kind, []):
                texts = expand(phrase)
                for text in texts:
                    weight = 1 / (3 * len(texts) ** 0.5)
                    framed = [self.maker.dress(self.rng.choice(frames(around, False)).format(text)) for _ in range(2)]
                    rows += [(text, None, weight), (framed[0], None, weight), (framed[1], self.any_before(0.9), weight)]
        weight = 1.5 * (30 / sum(row[2] for row in rows)) ** 0.5
        for text, before, w in rows:
            self.add(text, before, fact['id'], w * weight)

    def asked(self, rows):
        for which, questions in rows.items():
            for question in questions:
                self.add(question, None, which, 1)
                self.add(self.maker.dress(question), self.any_before(0.3), which, 0.5)
                self.add_wrapped(question, self.any_before(0.3), which)

    def follow_ups(self, rows):
        from generate import BACK, SEE
        for before, question, which in rows:
            if before in self.ids or before == DECLINED:
                self.add_dressed(question, before, which, 1.5)
                self.add_wrapped(question, before, which)
        for fact in self.facts.facts:
            if fact.get('back'):
                for text in BACK:
                    self.add_dressed(text, fact['id'], fact['back'], 0.5)
            for which in fact.get('see', []):
                about = self.facts.by_id[which]['about'] if which in self.facts.by_id else []
                for _ in range(2 if about else 0):
                    self.add_dressed(self.rng.choice(SEE).format(self.rng.choice(about)), fact['id'], which, 0.3)

    def linked(self, fact, field, word=''):
        """The id of the first of a fact, those that it names, and those of its topic that name it,
        which is about a row or, of the first, names one; of samplers the key is that of their sliders."""
        if not word and re.search(ROWS_NAMED[field], fact['text']):
            return fact['id']
        named = [self.facts.by_id[which] for which in fact.get('see', []) if which in self.facts.by_id]
        naming = [f for f in self.facts.facts if fact['id'] in f.get('see', []) and f['topic'] == fact['topic']]
        sliders = [self.facts.by_id['sliders']] if fact['topic'] == 'sampling' and 'sliders' in self.facts.by_id else []
        return next((f['id'] for f in [fact] + named + naming + sliders if f.get(field) and word in f['text']), None)

    def named(self):
        """The names of rows, and of types of weights, after an entry that has one of the same kind or is of the same topic, or any."""
        from facts import names
        for fact in self.facts.facts:
            near = [f['id'] for f in self.facts.facts if f is not fact and (f['topic'] == fact['topic'] or f.get('keys') and fact.get('keys'))]
            heads = [name for name in re.match(r'(?:([\w/]+)(?: and ([\w/]+))?: )?', fact['text']).groups() if name]
            for text, name in [*product(NAMED_ASKED, names(fact) + heads), *product(COMPARED_ASKED, heads)]:
                before = self.rng.choice(near) if near and self.rng.random() < 0.7 else self.any_before(1)
                self.add(self.maker.dress(text.format(name)), before, fact['id'], 2)

    def compared(self, of_each):
        """Two types of weights, keys or commands in one question."""
        from facts import names
        kinds = {'types': r'([A-Z]+\d\w*): ', 'keys': r'(F\d)$', 'commands': r'(/[a-z]+)$'}
        for pattern in kinds.values():
            rows = [(m.group(1), fact['id']) for fact in self.facts.facts for name in [fact['text'], *names(fact)]
                    for m in [re.match(pattern, name)] if m]
            for (a, of_a), (b, of_b) in product(rows, rows):
                for text in self.rng.sample(PAIRS_ASKED, of_each) if of_a != of_b and a != b else []:
                    text = self.maker.dress(text.format(a, b))
                    for which in (of_a, of_b):
                        self.add(text, self.any_before(0.3), which, 0.5)

    def told_names(self, n):
        row = self.maker.talk_rows['user-name']
        for _ in range(n):
            self.maker.begin()
            self.add(self.maker.dress(self.maker.user_name_turn(row)[0]), self.any_before(0.3), 'talk-user-name', 0.5)

    def rows_asked(self, kept):
        """`kept`: the id of the fact that says how what is set stays so."""
        for fact in self.facts.facts:
            asked = [(texts, self.linked(fact, field)) for field, texts in ROWS_ASKED.items()]
            for text in self.rng.sample(AGAIN_ASKED, AGAIN_OF_EACH):
                field = next((field for field in ROWS_ASKED if re.search(r'\b%s\b' % field.rstrip('s'), text)), None)
                asked.append(([text], field and self.linked(fact, field) or fact['id']))
            asked.append((DEFAULT_ASKED, self.linked(fact, 'options', 'default')))
            if fact['topic'] not in ('shell', 'sotto'):
                asked.append((KEPT_ASKED, self.linked(fact, 'options', 'config.yaml') or kept))
            for texts, which in asked:
                for text in texts if which else []:
                    self.add(self.maker.dress(text), fact['id'], which, 0.7)

    def taken(self):
        for fact in self.facts.facts:
            for which, texts in TAKEN.items():
                for text in self.rng.sample(texts, 3):
                    self.add(self.maker.dress(text), fact['id'], which, 0.3)

    def nothing(self, unanswered, n_made):
        for _ in range(n_made):
            text = self.maker.unrelated_question() if self.rng.random() < 0.9 else self.rng.choice(self.rng.choice(self.maker.unknown))
            self.add(self.maker.dress(text), self.any_before(0.3), NOTHING, 0.5)
        for text in unanswered:
            self.add(text, self.any_before(0.3), NOTHING, 0.5)
            self.add(self.maker.dress(text), self.any_before(0.3), NOTHING, 0.5)
            self.add_wrapped(text, self.any_before(0.3), NOTHING)

    def forgetful(self):
        entries = {}
        for words, _, which, _ in self.rows:
            for word, _ in words:
                entries.setdefault(word, set()).add(which)

        def seen(word, head):
            part = FORGET if len(entries[word]) == 1 else FORGET / 10
            return (UNKNOWN, UNKNOWN) if word not in self.index.noise and self.rng.random() < part else (word, head)

        for i, (words, before, which, weight) in enumerate(self.rows):
            yield words if i % 2 or which == NOTHING else [seen(*w) for w in words], before, which, weight


def train(rows, lasting, n_slots, dims, n_entries, epochs, rate, seed, drop=0.3, decay=1e-5, batch=128):
    """AdaGrad, a part of the slots dropped but for the `lasting` ones; the rows of slots and entries.
    `rows`: [(slots, entry, weight, the entry before or None)]; the last entry is SAME."""
    import torch
    torch.set_num_threads(1)
    rng = torch.Generator().manual_seed(seed)
    table, entries = (torch.randn(n, dims, generator=rng) * 0.1 for n in (n_slots, n_entries))
    squares = [torch.full_like(p, 0.01) for p in (table, entries)]
    lasting = torch.zeros(n_slots, dtype=torch.bool).index_fill(0, torch.tensor(lasting), True)
    rows = [row for row in rows if row[0]]
    flat = torch.tensor([s for row in rows for s in row[0]])
    length = torch.tensor([len(row[0]) for row in rows])
    first = length.cumsum(0) - length
    wanted, weight = torch.tensor([row[1] for row in rows]), torch.tensor([float(row[2]) for row in rows])
    before = torch.tensor([-1 if row[3] is None else row[3] for row in rows])
    step, steps = 0, epochs * math.ceil(len(rows) / batch)
    for epoch in range(epochs):
        total = 0
        for picked in torch.randperm(len(rows), generator=rng).split(batch):
            n = length[picked]
            of = torch.repeat_interleave(torch.arange(len(picked)), n)
            at = torch.arange(len(of)) + torch.repeat_interleave(first[picked] - (n.cumsum(0) - n), n)
            used, which = flat[at].unique(return_inverse=True)
            rows_used, entries_used = table[used].requires_grad_(), entries.clone().requires_grad_()
            kept = rows_used[which] * ((torch.rand(len(at), generator=rng) >= drop) | lasting[flat[at]]).unsqueeze(1)
            sums = torch.zeros(len(picked), dims).index_add(0, of, kept) / n.float().sqrt().unsqueeze(1)
            scores = sums @ entries_used.t()
            scores = (scores + scores[:, -1:] * (before[picked].unsqueeze(1) == torch.arange(n_entries)))[:, :-1]
            losses = torch.nn.functional.cross_entropy(scores, wanted[picked], reduction='none')
            loss = (losses * weight[picked]).sum() + decay / 2 * (kept * kept).sum()
            now = rate * (1 - step / steps)
            step += 1
            slopes = torch.autograd.grad(loss, (rows_used, entries_used))
            for p, square, of, slope in zip((table, entries), squares, (used, slice(None)), slopes):
                square[of] += slope * slope
                p[of] -= now * slope / square[of].sqrt()
            total += float(loss)
        print('epoch %d: loss %.3f' % (epoch + 1, total / len(rows)), file=sys.stderr, flush=True)
    return table.numpy(), entries.numpy()


def blend(trained, dims):
    """(rows of slots, of entries) whose products are about the means of those of all trained ones: their
    largest singular values, turned so that all dimensions, which become bytes, are of one size. What a
    slot gives all entries alike says nothing and is left out; SAME, the last row, is no entry."""
    table = np.concatenate([t for t, _ in trained], 1) / len(trained)
    entries = np.concatenate([np.vstack([e[:-1] - e[:-1].mean(0), e[-1:]]) for _, e in trained], 1)
    u, s, v = np.linalg.svd(table @ entries.T, full_matrices=False)
    root = np.sqrt(s[:dims])
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((len(root), len(root))))[0]
    return u[:, :dims] * root @ turn, v[:dims].T * root @ turn


def to_bytes(rows):
    """(bytes, scale)"""
    scale = float(np.abs(rows).max()) / 127
    return np.round(rows / scale).astype(np.int8).tobytes(), scale


def write(path, ids, table, entries):
    (rows, a), (more, b) = to_bytes(table), to_bytes(entries)
    with open(path, 'wb') as f:
        f.write(struct.pack(HEADER, MAGIC, *table.shape, len(ids), round(a * b * 2 ** 32)))
        f.write(b''.join(name.encode() + b'\0' for name in ids) + rows + more)


def train_seed(args, seed):
    """(ids, rows of slots, of entries)"""
    import yaml

    from facts import Facts, follow_ups, load
    from retrieve import Index
    facts = Facts(args.facts)
    with open(args.facts) as f:
        raw = yaml.load(f, yaml.BaseLoader)['facts']
    asked, leaning = load('asked.yaml'), follow_ups()
    told = asked['talk-telling'] + [text for _, text, which in leaning if which == 'talk-telling']
    samples = Samples(facts, raw, Index(facts), seed, told)
    samples.asked(asked)
    samples.follow_ups(leaning)
    samples.named()
    samples.compared(2)
    samples.told_names(400)
    samples.rows_asked('config-file')
    samples.taken()
    samples.nothing(load('unanswered.yaml'), args.made)
    ids = [f['id'] for f in facts.all] + [NOTHING, SAME]
    number = {name: i for i, name in enumerate(ids)}
    rows = [(slots(words, before, args.slots), number[which], weight, number.get(before)) for words, before, which, weight in samples.forgetful()]
    print('seed %d: %d samples, %d entries' % (seed, len(rows), len(ids)), file=sys.stderr)
    lasting = [fnv(kind + name) % args.slots for kind in 'pP' for name in [*ids, DECLINED]]
    return ids, *train(rows, lasting, args.slots, args.dims, len(ids), args.epochs, args.rate, seed)


def main():
    from facts import FOLDER
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('facts', nargs='?', default=os.path.join(FOLDER, 'facts.yaml'))
    parser.add_argument('--slots', type=int, default=SLOTS)
    parser.add_argument('--dims', type=int, default=DIMS, help='in training')
    parser.add_argument('--kept', type=int, default=KEPT, help='dimensions of the file')
    parser.add_argument('--epochs', type=int, default=14)
    parser.add_argument('--rate', type=float, default=0.1)
    parser.add_argument('--seeds', type=int, default=SEEDS, help='how many are trained, whose mean is kept')
    parser.add_argument('--made', type=int, default=4000, help='questions for nothing, most of them of the grammars')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('-o', '--output', help='in place of facts.weights beside the facts')
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        trained = list(pool.map(train_seed, [args] * args.seeds, range(1, args.seeds + 1)))
    write(args.output or os.path.splitext(args.facts)[0] + '.weights', trained[0][0],
          *blend([rows for _, *rows in trained], args.kept))
    return 0


if __name__ == '__main__':
    sys.exit(main())
