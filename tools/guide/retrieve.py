"""The look-up of help entries, as the program does it in C (src/guide): one way, the ranker, a classifier that ranker.py trains.

1. Words: of the first 4,096 bytes, A to Z as small letters; a word is a run of letters and digits, in which one of _ - + . ' may
   stand between two of them ("top-p", "ctrl+c"). The marks are taken out ("topp", "ctrlc"), and the parts of three letters and more
   are words, too; a word that begins with / or - is also one together with that. Of each its stem, see stem(); what was joined or
   is a name has no ending.
2. Features: each word that the weights know, of the others "?" and all their parts of three to five letters, "<" and ">" being their
   ends; each two neighbours, "?" for an unknown one; the entry that answered the question before, or that nothing was found so far.
3. The score of an entry, and of "nothing fits", which is one more: the product of its row with the sum of the features' rows, divided
   by the root of their number; of the entry before, the product with the row "=" besides, since words like "again" want the same once
   more, whatever it was. A difference of scores is the logarithm of odds.
4. A question is held against each phrase of an entry, its names and its text, as sets of words without `noise`: what they have in
   common, of both (Dice's coefficient), from a half to one, adds up to OWN_WORDS to the entry's score, of the phrase that is most like
   it. Not where there was an entry before: what leans on it is said in few words. Of an entry that is newer than the weights this is
   all that is known: where a half is passed, it is as likely as the likeliest besides, else it can only be wanted once more.
5. The likeliest is taken, and the next if its score is at most UNSURE less: then it is not sure which of both is meant, and the guide
   tells both, or that nothing was found, and the entry. The entry that answered the question before is never the second. One that is
   `alone` (small talk) is taken by itself or not at all; the fact before it is then still what a follow-up leans on, unless more of it
   may be wanted `again` (a story), and so it is where nothing was found.

The file of weights, facts.weights beside facts.yaml, little-endian: "SOTTORN2", u32 features, u32 dimensions (even), u32 entries, u32
scale of a score in 2^-32; the ids of the entries, a NUL after each, that of "nothing" is empty; a u32 for each feature, its hash,
ascending; its row, two numbers of four bits to a byte, the lower bits first, 8 standing for 0; of each entry its row, bytes. Rows are
whole numbers, so that C and Python agree."""
import math
import os
import re
import string
import struct
import sys
from functools import lru_cache

import numpy as np

from facts import Facts, names

QUESTION_BYTES, WORD_BYTES = 4096, 48
QUESTIONS = 8  # of a conversation that are looked at
UNSURE, OWN_WORDS = 1.0, 6.0
MAGIC, HEADER = b'SOTTORN2', '<8sIIII'
UNKNOWN, NOTHING, DECLINED, SAME = '?', '', '!', '='
NONE = {'id': NOTHING, 'text': 'nothing found.'}
LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


@lru_cache(None)
def stem(word):
    if word[0] in '/-':
        return word
    if len(word) > 4 and word.endswith('ies'):
        word = word[:-3] + 'y'
    elif len(word) > 5 and word.endswith('ing'):
        word = word[:-3]
    elif len(word) > 4 and word.endswith('ed'):
        word = word[:-2]
    elif len(word) > 3 and word.endswith('s') and not word.endswith('ss'):
        word = word[:-1]
    if len(word) > 5 and word.endswith('ly'):
        word = word[:-2]
    if len(word) > 3 and word.endswith('e'):
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2] and word[-1].isalpha():
        word = word[:-1]
    return word


def words_of(text):
    """The stems of a text, in order, compounds followed by their parts."""
    out = []
    text = text.encode()[:QUESTION_BYTES].decode(errors='ignore').translate(LOWER)
    for mark, w in re.findall(r"(?:(?<![^\s(\"'])(/|--?))?([a-z0-9]+(?:[_\-+.'][a-z0-9]+)*)", text, re.ASCII):
        if mark:
            out.append((mark + w)[:WORD_BYTES])
        parts = re.split(r"[_\-+.']", w)
        if len(parts) > 1:
            out.append(''.join(parts)[:WORD_BYTES])
            parts = [p for p in parts if len(p) > 2]
        out += [stem(p[:WORD_BYTES]) for p in parts]
    return out


@lru_cache(None)
def parts_of(word):
    """The features of an unknown word."""
    text = '<%s>' % word
    return ['w' + UNKNOWN] + ['g' + text[i:i + n] for n in (3, 4, 5) for i in range(len(text) - n + 1)]


def features(words, before, known):
    """What is hashed, of words; those that are not `known`() are so by their parts."""
    seen = [word if known(word) else UNKNOWN for word in words]
    out = {'b%s %s' % pair for pair in zip(['^'] + seen, seen + ['$'])} | {'p' + (before or '')}
    for word, as_known in zip(words, seen):
        out.update(['w' + word] if as_known != UNKNOWN else parts_of(word))
    return out


@lru_cache(None)
def fnv(text):
    """FNV-1a of 64 bits, folded."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return (value ^ value >> 32) & 0xFFFFFFFF


class Ranker:
    def __init__(self, path):
        with open(path, 'rb') as f:
            data = f.read()
        magic, n_features, dims, n, scale = struct.unpack_from(HEADER, data)
        if magic != MAGIC:
            raise ValueError('%s: not a file of weights' % path)
        self.scale = scale / 2 ** 32
        *ids, data = data[struct.calcsize(HEADER):].split(b'\0', n)
        hashes = np.frombuffer(data, '<u4', n_features)
        self.row = {int(h): i for i, h in enumerate(hashes)}
        packed = np.frombuffer(data, np.uint8, n_features * dims // 2, 4 * n_features)
        self.rows = np.stack([packed & 15, packed >> 4], 1).reshape(n_features, dims).astype(np.int64) - 8
        self.entries = np.frombuffer(data, np.int8, n * dims, len(data) - n * dims).reshape(n, dims).astype(np.int64)
        self.at = {name.decode(): i for i, name in enumerate(ids)}

    def scores(self, words, before):
        """id -> score."""
        has = {self.row[fnv(f)] for f in features(words, before, lambda w: fnv('w' + w) in self.row) if fnv(f) in self.row}
        products = self.entries @ self.rows[sorted(has)].sum(0)
        scores = {name: self.scale * int(products[at]) / math.sqrt(len(has)) if has else 0.0 for name, at in self.at.items()}
        if before and before != DECLINED:
            scores[before] = scores.get(before, 0.0) + scores[SAME]
        return scores


class Index:
    def __init__(self, facts):
        self.facts = facts
        self.alone = {f['id'] for f in facts.all if f.get('alone')}
        weights = os.path.splitext(facts.path)[0] + '.weights'
        self.ranker = Ranker(weights) if os.path.exists(weights) else None
        self.noise = {w for word in facts.noise for w in words_of(word)}
        self.phrases = {f['id']: {s for s in map(self.content, [f['text'], *f['do'], *f['about'], *f['ask'], *names(f)]) if s} for f in facts.all}

    def content(self, text):
        return frozenset(words_of(text)) - self.noise

    def likeness(self, question):
        """id -> of the phrase that is most like the question, from 0 for half of the words in common to 1 for the same."""
        words = self.content(question)
        shares = {which: max([2 * len(words & p) / (len(words) + len(p)) for p in phrases], default=0.0) for which, phrases in self.phrases.items()}
        return {which: max(0.0, 2 * share - 1) for which, share in shares.items()}

    def scores(self, question, before):
        """id -> score, that of "nothing fits" among them."""
        known = self.ranker.scores(words_of(question), before) if self.ranker else {}
        ids = [f['id'] for f in self.facts.all]
        at = self.ranker.at if self.ranker else {}
        scores = {NOTHING: known.get(NOTHING, 0.0), **{which: known[which] for which in ids if which in at}}
        most = max(scores.values())
        for which, like in self.likeness(question).items():
            if which not in at:
                scores[which] = most if like else known.get(which, 0.0) if which == before else -math.inf
            if which not in at or before in (None, NOTHING, DECLINED):
                scores[which] += OWN_WORDS * like
        return {which: scores[which] for which in [NOTHING] + ids}

    def lookup(self, question, before=None):
        """[(score, fact)], the best one or two, the first of which may be NONE; `before`: the id of the
        entry that answered the question before this one; DECLINED."""
        if not words_of(question):
            return []
        scores = self.scores(question, before)
        fact_of = {f['id']: f for f in self.facts.all}
        best = max(scores, key=lambda which: scores[which])
        found = [(scores[best], fact_of.get(best, NONE))]
        others = [which for which in fact_of if which not in (best, before) and which not in self.alone]
        second = max(others, key=lambda which: scores[which], default=None)
        if second is None or best in self.alone or scores[second] < scores[best] - UNSURE:
            return found if best else []
        return found + [(scores[second], fact_of[second])]

    @staticmethod
    def leave(before, found):
        """What a question that found this leaves to the next."""
        fact = found[0][1] if found else NONE
        if fact is not NONE and (not fact.get('alone') or fact.get('again')):
            return fact['id']
        return before or (None if found else DECLINED)

    def converse(self, questions):
        """(what is looked up for the last of the questions of a conversation, whether its first entry was told just before)."""
        before, found, told = None, [], False
        for question in questions[-QUESTIONS:]:
            found = self.lookup(question, before)
            fact = found[0][1] if found else NONE
            told = fact['id'] == before and not fact.get('alone')
            before = self.leave(before, found)
        return found, told


if __name__ == '__main__':
    index = Index(Facts())
    for line in sys.argv[1:]:
        print(line)
        for score, fact in index.lookup(line):
            print('  %.2f %s: %s' % (score, fact['id'], fact['text']))
