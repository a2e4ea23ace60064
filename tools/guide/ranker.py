"""What the look-up learns: a linear classifier of low rank, like fastText's (Joulin et al. 2016, https://arxiv.org/abs/1607.01759),
of the ways to ask that facts.yaml and the training lines have (lines.tar.xz), and of questions that no entry answers, which are one
more entry, "nothing". retrieve.py says what its features are and what it writes; here it is trained, with numpy.

All features of the lines are trained for a short while, those that say most are kept (FEATURES), and with them several classifiers are
trained anew, whose mean is kept in few dimensions and bits (see blend() and write()). A word's row begins as that of its class of
synonyms, which stands for its own part in the end."""
import argparse
import math
import os
import re
import struct
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import numpy as np

from facts import FOLDER, Facts, follow_ups, load, names
from generate import ABOUT, ASK, BACK, DO, SEE, Maker, frames
from retrieve import DECLINED, HEADER, MAGIC, NOTHING, SAME, features, fnv, stem, words_of

FORGET = 0.5  # of the words that only one entry has
WRAPPED, NOTHING_WRAPPED = 0.5, 1.0  # of what hands asked
NOTHING_WEIGHT = 1.2  # beside 0.5 of a question for an entry: to decline what is answered elsewhere matters more
FEATURES, DIMS, SEEDS = 24000, 64, 2
DROP, DECAY, RATE, BATCH = 0.3, 1e-5, 0.1, 256


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
    """(words, the entry before or None, id, weight) of all that there is to learn."""

    def __init__(self, facts, seed, told):
        self.facts = facts
        self.maker = Maker(seed)
        self.rng = self.maker.rng
        self.ids = {f['id'] for f in facts.all}
        self.before = [f['id'] for f in facts.all if not f.get('alone') or f.get('again')]
        self.again = [f['id'] for f in facts.all if f.get('again')]
        self.told = told
        self.rows = []
        for fact in facts.all:
            self.phrases(fact)

    def add(self, text, before, which, weight):
        if which in self.ids or which == NOTHING:
            self.rows.append((words_of(text), before, which, weight))

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
        """Each way to ask as it is and in frames and dress, and what an entry says."""
        rows = [(part, None, 1) for part in [fact['text'], *fact['text'].split('. '), *names(fact)]]
        for name in names(fact):
            rows += [(text.format(name), None, 0.5) for text in self.rng.sample(frames(ABOUT, False), 4)]
            rows += [(text.format(name), self.any_before(1), 0.5) for text in self.rng.sample(SEE + ABOUT[:3], 4)]
        for kind, around in (('do', DO), ('about', ABOUT), ('ask', ASK)):
            for text in fact[kind]:
                framed = [self.maker.dress(self.rng.choice(frames(around, False)).format(text)) for _ in range(2)]
                rows += [(text, None, 0.3), (framed[0], None, 0.3), (framed[1], self.any_before(0.9), 0.3)]
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
        for fact in self.facts.facts:
            near = [f['id'] for f in self.facts.facts if f is not fact and (f['topic'] == fact['topic'] or f.get('keys') and fact.get('keys'))]
            heads = [name for name in re.match(r'(?:([\w/]+)(?: and ([\w/]+))?: )?', fact['text']).groups() if name]
            for text, name in [*product(NAMED_ASKED, names(fact) + heads), *product(COMPARED_ASKED, heads)]:
                before = self.rng.choice(near) if near and self.rng.random() < 0.7 else self.any_before(1)
                self.add(self.maker.dress(text.format(name)), before, fact['id'], 2)

    def compared(self, of_each):
        """Two types of weights, keys or commands in one question."""
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
        made = [self.maker.unrelated_question() if self.rng.random() < 0.9 else self.rng.choice(self.rng.choice(self.maker.unknown))
                for _ in range(n_made)]
        for text in unanswered:
            self.add(text, self.any_before(0.3), NOTHING, NOTHING_WEIGHT)
            self.add_wrapped(text, self.any_before(0.3), NOTHING)
        for text in made + unanswered:
            self.add(self.maker.dress(text), self.any_before(0.3), NOTHING, NOTHING_WEIGHT)

    def of(self, is_known):
        """(features, the entry before, the entry, weight) of each. Words that only one entry has are at times unknown, as the words of
        strangers are."""
        entries, noise = {}, self.maker.index.noise
        for words, _, which, _ in self.rows:
            for word in words:
                entries.setdefault(word, set()).add(which)

        def is_seen(word):
            return is_known(word) and (word in noise or self.rng.random() >= (FORGET if len(entries[word]) == 1 else FORGET / 10))

        for i, (words, before, which, weight) in enumerate(self.rows):
            yield features(words, before, is_known if i % 2 or which == NOTHING else is_seen), before, which, weight


def make_samples(path, seed, n_made):
    facts = Facts(path)
    asked, leaning = load('asked.yaml'), follow_ups()
    told = asked['talk-telling'] + [text for _, text, which in leaning if which == 'talk-telling']
    samples = Samples(facts, seed, told)
    samples.asked(asked)
    samples.follow_ups(leaning)
    samples.named()
    samples.compared(2)
    samples.told_names(400)
    samples.rows_asked('config-file')
    samples.taken()
    samples.nothing(load('unanswered.yaml'), n_made)
    return samples


class Table:
    """Samples as arrays: `columns`, those that are features, each of which counts, then those that lend their rows to them: of a word
    its class, of the entry before a second one, so that it has a say beside many words."""

    def __init__(self, samples, ids, kept):
        number = {name: i for i, name in enumerate(ids)}
        classes = {}
        for row in load('synonyms.yaml'):
            for word in row:
                classes.setdefault('w' + stem(word), 'c' + stem(row[0]))
        self.names, self.column = list(kept), {name: i for i, name in enumerate(kept)}
        self.n_kept = len(self.names)
        self.lends = {}
        for name in kept:
            lender = 'P' + name[1:] if name[0] == 'p' else classes.get(name)
            if lender:
                self.column.setdefault(lender, len(self.column))
                self.lends[self.column[name]] = self.column[lender]
        flat, length, rows = [], [], []
        for has, before, which, weight in samples:
            of = [self.column[name] for name in has if name in self.column]
            flat += of + list({self.lends[i] for i in of if i in self.lends})
            length.append(len(flat))
            rows.append((number[which], number.get(before, -1) if before else -1, weight, len(of)))
        self.flat, self.end = np.array(flat, np.int32), np.array(length)
        self.first = np.concatenate([[0], self.end[:-1]])
        self.wanted, self.before = (np.array([row[i] for row in rows]) for i in (0, 1))
        self.weight, self.root = np.array([row[2] for row in rows], np.float32), np.array([max(1, row[3]) for row in rows], np.float32) ** -0.5
        self.is_lasting = np.array([name[0] in 'pP' for name in self.column])

    def own(self, rows):
        """The rows of the features with what is lent to them."""
        out = rows[:self.n_kept].copy()
        for i, lender in self.lends.items():
            out[i] += rows[lender]
        return out


def train(table, dims, n_entries, epochs, seed):
    """AdaGrad, a part of the features dropped but for the lasting ones; the rows of columns and entries, the last of which is SAME."""
    rng = np.random.default_rng(seed)
    rows, entries = (0.1 * rng.standard_normal((n, dims)).astype(np.float32) for n in (len(table.column), n_entries))
    squares, entry_squares = np.full_like(rows, 0.01), np.full_like(entries, 0.01)
    usable = np.flatnonzero(table.end > table.first)
    step, steps, begin = 0, epochs * math.ceil(len(usable) / BATCH), time.time()
    for epoch in range(epochs):
        total = 0
        order = rng.permutation(usable)
        for at in range(0, len(order), BATCH):
            picked = order[at:at + BATCH]
            every, n = np.arange(len(picked)), (table.end - table.first)[picked]
            of = np.repeat(every, n)
            column = table.flat[np.arange(len(of)) + np.repeat(table.first[picked] - (np.cumsum(n) - n), n)]
            kept = (rng.random(len(of), np.float32) >= DROP) | table.is_lasting[column]
            of, column = of[kept], column[kept]
            begins = np.flatnonzero(np.diff(of, prepend=-1))
            sums = np.zeros((len(picked), dims), np.float32)
            sums[of[begins]] = np.add.reduceat(rows[column], begins, axis=0)
            sums *= table.root[picked][:, None]
            # the softmax, with SAME added to the entry before, and its slope
            before = table.before[picked]
            leans = np.flatnonzero(before >= 0)
            scores = sums @ entries.T
            likely = scores[:, :-1]
            likely[leans, before[leans]] += scores[leans, -1]
            likely = np.exp(likely - likely.max(1, keepdims=True))
            likely /= likely.sum(1, keepdims=True)
            wanted, weight = table.wanted[picked], table.weight[picked]
            total -= float((np.log(likely[every, wanted] + 1e-9) * weight).sum())
            likely[every, wanted] -= 1
            slope = np.zeros_like(scores)
            slope[:, :-1] = likely * weight[:, None]
            slope[leans, -1] = slope[leans, before[leans]]
            slope_of_entries, slope_of_sums = slope.T @ sums, slope @ entries * table.root[picked][:, None]
            now = RATE * (1 - step / steps)
            step += 1
            entry_squares += slope_of_entries ** 2
            entries -= now * slope_of_entries / np.sqrt(entry_squares)
            by_column = np.argsort(column, kind='stable')
            begins = np.flatnonzero(np.diff(column[by_column], prepend=-1))
            used = column[by_column][begins]
            slope = np.add.reduceat(slope_of_sums[of[by_column]], begins, axis=0)
            slope += DECAY * np.diff(begins, append=len(by_column))[:, None] * rows[used]
            squares[used] += slope ** 2
            rows[used] -= (now * slope / np.sqrt(squares[used])).astype(np.float32)
        print('seed %d, epoch %d: loss %.3f, %.0f s' % (seed, epoch + 1, total / len(usable), time.time() - begin), file=sys.stderr, flush=True)
    return table.own(rows), entries


def without_common(entries):
    """What all entries have alike says nothing and is left out; SAME, the last row, is no entry."""
    return np.vstack([entries[:-1] - entries[:-1].mean(0), entries[-1:]])


def choose(samples, ids, dims, n):
    """The features that move the scores most over all samples: all words before, and n in all."""
    seen = Counter(word for words, *_ in samples.rows for word in set(words))
    rows = list(samples.of(lambda word: seen[word] > 1))
    seen = Counter(name for has, *_ in rows for name in has)
    names = [name for name, count in seen.items() if count > 2 or name[0] in 'wp' and count > 1]
    table, entries = train(Table(rows, ids, names), dims, len(ids), 4, 0)
    entries = without_common(entries)[:-1]
    moved = np.sqrt(((table @ (entries.T @ entries)) * table).sum(1))
    order = sorted(range(len(names)), key=lambda i: (names[i][0] != 'p', -moved[i] * seen[names[i]] ** 0.5))
    return sorted(names[i] for i in order[:n])


def blend(trained, dims):
    """(rows of features, of entries) whose products are about the means of those of all trained ones: their largest singular values,
    turned so that all dimensions, which become few bits, are of one size."""
    table = np.concatenate([t for t, _ in trained], 1) / len(trained)
    entries = np.concatenate([without_common(e) for _, e in trained], 1)
    left, upper = np.linalg.qr(table.astype(float))
    u, s, v = np.linalg.svd(upper @ entries.T, full_matrices=False)
    root = np.sqrt(s[:dims])
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((len(root), len(root))))[0]
    return left @ u[:, :dims] * root @ turn, v[:dims].T * root @ turn


def write(path, ids, names, table, entries):
    scale = np.sqrt((table ** 2).mean()) * 2.7 / 7  # the least error of what is about normal
    packed = (np.clip(np.round(table / scale), -7, 7) + 8).astype(np.uint8)
    packed = packed[:, ::2] | packed[:, 1::2] << 4
    entry_scale = float(np.abs(entries).max()) / 127
    hashes = np.array([fnv(name) for name in names], '<u4')
    order = np.argsort(hashes)
    if len(set(hashes)) < len(names):
        sys.exit('two features have one hash')
    with open(path, 'wb') as f:
        f.write(struct.pack(HEADER, MAGIC, *table.shape, len(ids), round(scale * entry_scale * 2 ** 32)))
        f.write(b''.join(name.encode() + b'\0' for name in ids) + hashes[order].tobytes() + packed[order].tobytes())
        f.write(np.round(entries / entry_scale).astype(np.int8).tobytes())


def train_seed(args, seed, ids, kept):
    samples = make_samples(args.facts, seed, args.made)
    known = {name[1:] for name in kept if name[0] == 'w'}
    return train(Table(samples.of(known.__contains__), ids, kept), args.dims, len(ids), args.epochs, seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('facts', nargs='?', default=os.path.join(FOLDER, 'facts.yaml'))
    parser.add_argument('--features', type=int, default=FEATURES)
    parser.add_argument('--dims', type=int, default=DIMS)
    parser.add_argument('--epochs', type=int, default=8)
    parser.add_argument('--seeds', type=int, default=SEEDS, help='how many are trained, whose mean is kept')
    parser.add_argument('--made', type=int, default=4000, help='questions for nothing of the grammars')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('-o', '--output', help='in place of facts.weights beside the facts')
    args = parser.parse_args()
    samples = make_samples(args.facts, 0, args.made)
    ids = [f['id'] for f in samples.facts.all] + [NOTHING, SAME]
    print('%d samples, %d entries' % (len(samples.rows), len(ids)), file=sys.stderr)
    kept = choose(samples, ids, args.dims, args.features)
    with ProcessPoolExecutor(args.jobs) as pool:
        trained = list(pool.map(train_seed, [args] * args.seeds, range(1, args.seeds + 1), [ids] * args.seeds, [kept] * args.seeds))
    write(args.output or os.path.splitext(args.facts)[0] + '.weights', ids, kept, *blend(trained, args.dims))
    return 0


if __name__ == '__main__':
    sys.exit(main())
