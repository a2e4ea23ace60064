"""The look-up of help entries, as the program does it in C (src/guide).

1. Words: of the first 4,096 bytes, A to Z as small letters; a word is a run of
   letters and digits, in which one of _ - + . ' may stand between two of them
   ("top-p", "ctrl+c"). The marks are taken out ("topp", "ctrlc"), and the parts of three letters and more are
   words, too; a word that begins with / or - is also one together with that. In
   a question two or three neighbours whose join is known are
   that word, too ("top p", "ctrl c"), and none of them is unknown.
2. Stem: see stem(); a key ("alt+e", "shift+f5", "f9") is what it is, and no slip. Class: a table of synonyms.
3. An entry has phrases: those of the facts file, its names, its text. A phrase
   is a set of words; a word's weight is its idf over entries.
4. The score of a phrase is the cosine of the weights, where words of the same
   class count 0.7; of an entry that of its best phrase, plus 0.8 times that
   of all its phrases taken as one. Unknown words of the question lengthen it,
   so that a strange question fits nothing: each counts 1.5 times the rarest
   known word. What the whole of a first question has above 1.5 counts five times: it was asked in these words.
   People tell something beside what they ask: each of a question's last eight clauses (ended by . ! ? ; : or a comma before
   white space, or by a new line) that has three words or more is scored like a question, too, and the best score counts.
5. A question's word that is unknown and has three letters or more becomes what it is with
   two neighbouring letters swapped, the first that gives a word of the noise ("teh") or, from
   five letters on, a known one; else, from five on, the known
   one of the same first letter at a distance of one letter (two from eight on),
   of several the first in the alphabet. Words that are at home in questions about other
   things (`elsewhere`) are no slips.
6. To an entry's score 0.3 times what the ranker (ranker.py) says is added, 0.8 times where there was
   a question before: it also knows the entry that answered that, and so what a follow-up means, or that nothing was found so
   far ("and of Germany?"), which counts as a first question else. Of an entry that it does
   not know it says as much as of the best of the others. An entry that a later question names (point 7) has 4.0 more.
   Where the same is wanted once more ("which key was that again") it says so of whatever was told before. Compared are the eight entries of
   the highest scores and the eight that the ranker likes best. "Nothing fits" is one more
   entry, with a score of 1.0, to which the ranker adds, and 0.85 more of a first question: where it is the best, nothing is found.
   What is told beside a question makes nothing likelier. So where the ranker likes one fact best in the whole question and in a
   clause (as in 4), the fact is at least as far above nothing, or as little below it, as in the clause, less 5.0 of doubt.
7. The next entry is taken, too, if it is at most 0.5 (of a later question 1.2) below the best one: then it is not sure which of
   both is meant, and the guide tells both. Where nothing fits, but the best entry is at most 1.0 below
   that, it is taken behind "nothing found". The entry that answered the question before is never the
   second. Where the question has a name (a key, "/model", "--temp") that is a phrase of the best one by itself, none is that it does
   not name as well. An entry that is `alone` (small talk) is the only one where it is the best,
   else it is none; the fact before it is then still what a follow-up leans on, unless more of
   it may be wanted `again` (a story), and so it is where nothing was found.
"""
import math
import os
import re
import string
import sys
from collections import defaultdict, namedtuple

from facts import Facts, names
from ranker import DECLINED, NOTHING, UNKNOWN, WORD_BYTES, Ranker

CLASS_WEIGHT = 0.7
BAG_WEIGHT = 0.8
NOISE_WEIGHT = 0.5
QUESTION_BYTES = 4096
LEAST = 1.0
EXACT, EXACT_BONUS = 1.5, 4.0
Measures = namedtuple('Measures', 'learnt named caution unsure doubt')
FIRST, LATER = Measures(0.3, 0.0, 0.85, 0.5, 1.0), Measures(0.8, 4.0, 0.0, 1.2, 1.0)
NONE = {'id': NOTHING, 'text': 'nothing found.'}
CANDIDATES = 8
QUESTIONS = 8
CLAUSES, CLAUSE_WORDS, CLAUSE_DOUBT = 8, 3, 5.0
LOWER = str.maketrans(string.ascii_uppercase + '\u2019', string.ascii_lowercase + "'")


def is_key(word):
    """Whether a joined word is one of the keys that differ by a letter or a number."""
    return bool(re.fullmatch('(?:alt|ctrl|shift)[a-z0-9]|(?:alt|ctrl|shift|)f[0-9]+', word))


def is_name(word):
    """Whether a word is the name of a key, a command or an option."""
    return word[0] in '/-' or is_key(word)


def stem(word):
    if word[0] in '/-' or is_key(word):
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
    """The words of a text, in order, compounds followed by their parts."""
    out = []
    text = text.encode()[:QUESTION_BYTES].decode(errors='ignore').translate(LOWER)
    for mark, w in re.findall(r"(?:(?<![^\s(\"'])(/|--?))?([a-z0-9]+(?:[_\-+.'][a-z0-9]+)*)", text, re.ASCII):
        if mark:
            out.append((mark + w, 0))
        parts = re.split(r"[_\-+.']", w)
        if len(parts) > 1:
            out.append((''.join(parts), len(parts)))
            out += [(p, 0) for p in parts if len(p) > 2]
        else:
            out.append((w, 1))
    return out


def clauses(text):
    """The last ones of a text; none, if it is but one."""
    text = text.encode()[:QUESTION_BYTES].decode(errors='ignore')
    parts = [part for part in re.split(r'(?<=[.!?;:,])[ \t\r\n]|\n', text) if part]
    return parts[-CLAUSES:] if len(parts) > 1 else []


def distance(a, b, most):
    """Edits and swaps between two words; more than `most` is `most` + 1."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    before, row = None, list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        new = [i]
        for j, cb in enumerate(b, 1):
            cost = min(row[j] + 1, new[j - 1] + 1, row[j - 1] + (ca != cb))
            if before and i > 1 and j > 1 and ca == b[j - 2] and a[i - 2] == cb:
                cost = min(cost, before[j - 2] + 1)
            new.append(cost)
        before, row = row, new
    return row[-1]


class Index:
    def __init__(self, facts, skip=None):
        """`skip(fact, phrase)`: phrases that are not to be known (held out)."""
        self.facts = facts
        self.ids = [f['id'] for f in facts.all]
        self.alone = [i for i, f in enumerate(facts.all) if f.get('alone')]
        weights = os.path.splitext(facts.path)[0] + '.weights'
        self.ranker = Ranker(weights) if os.path.exists(weights) else None
        self.learnt_of = [bool(self.ranker) and which in self.ranker.at for which in self.ids]
        self.noise = {stem(w) for w in facts.noise}
        self.elsewhere = {stem(w) for w in facts.elsewhere}
        self.head = {}
        for row in facts.synonyms:
            for w in row:
                self.head.setdefault(stem(w), stem(row[0]))
        self.phrases = []  # (fact number, set of words)
        self.names = []  # of each fact
        bags = []
        for n, fact in enumerate(facts.all):
            texts = [p for kind in ('do', 'about', 'ask') for p in fact[kind]
                     if not (skip and skip(fact, p))]
            sets = [frozenset(self.plain(t)) for t in sorted(set(texts + [fact['text']]))]
            sets += [frozenset(self.plain(t)[:1]) for t in names(fact)]
            sets = [s for s in dict.fromkeys(sets) if s]
            self.phrases += [(n, s) for s in sets]
            bags.append(frozenset().union(*sets))
            self.names.append({w for s in sets for w in s if len(s) == 1 and is_name(w)})
        n_facts = len(facts.all)
        df, cf = defaultdict(int), defaultdict(int)
        for bag in bags:
            for w in sorted(bag):
                df[w] += 1
            for c in {self.head.get(w, w) for w in bag}:
                cf[c] += 1
        self.idf = {w: NOISE_WEIGHT if w in self.noise else math.log(1 + n_facts / d)
                    for w, d in df.items()}
        self.class_idf = {c: NOISE_WEIGHT if c in self.noise else math.log(1 + n_facts / d)
                          for c, d in cf.items()}
        self.unknown = 1.5 * math.log(1 + n_facts)
        self.bags = bags
        self.norm = [math.sqrt(sum(self.idf[w] * self.idf[w] for w in sorted(s))) for _, s in self.phrases]
        self.bag_norm = [math.sqrt(sum(self.idf[w] * self.idf[w] for w in sorted(s))) for s in bags]
        self.typos = {}
        self.in_phrases, self.class_phrases = self.postings([s for _, s in self.phrases])
        self.in_bags, self.class_bags = self.postings(bags)
        self.by_letter = defaultdict(list)
        for w in sorted(self.idf):
            if len(w) >= 4 and not is_key(w):
                self.by_letter[w[0]].append(w)

    def postings(self, sets):
        """The numbers of the sets that have a word, and those that have a class."""
        of_word, of_class = defaultdict(dict), defaultdict(dict)
        for i, s in enumerate(sets):
            for w in s:
                of_word[w][i] = of_class[self.head.get(w, w)][i] = True
        return of_word, of_class

    def plain(self, text):
        return [stem(t) for t, _ in words_of(text)]

    def normal(self, text):
        """What the ranker makes features of: each word as it is known, and the head of its class."""
        out = []
        for word, _ in words_of(text):
            word = stem(word) if len(word) <= WORD_BYTES else UNKNOWN
            if word != UNKNOWN and word not in self.noise:
                word = self.known(word) or UNKNOWN
            out.append((word, self.head.get(word, word)))
        return out

    def is_known(self, word):
        return word in self.idf or word in self.head and self.head[word] in self.class_idf

    def known(self, word):
        """The word of the index that is meant; None."""
        if self.is_known(word):
            return word
        if word in self.elsewhere or is_key(word):
            return None
        if word not in self.typos:
            best, most = self.swapped(word), 2 if len(word) >= 8 else 1
            if not best and len(word) >= 5:
                for w in self.by_letter[word[0]]:
                    d = distance(word, w, most)
                    if d <= most:
                        best, most = w, d - 1
                        if most < 1:
                            break
            self.typos[word] = best
        return self.typos[word]

    def swapped(self, word):
        if len(word) < 3:
            return None
        for i in range(len(word) - 1):
            meant = word[:i] + word[i + 1] + word[i] + word[i + 2:]
            if meant in self.noise or len(word) >= 5 and self.is_known(meant):
                return meant
        return None

    def query(self, text):
        """word -> weight; unknown ones under None."""
        raw = [w for w, _ in words_of(text)]
        out, unknown = {}, 0
        joined, parts = {}, set()
        for n in (2, 3):
            for i in range(len(raw) - n + 1):
                w = stem(''.join(raw[i:i + n]))
                if self.idf.get(w, 0) > NOISE_WEIGHT:
                    joined[w] = self.idf[w]
                    parts.update(range(i, i + n))
        for i, w in enumerate(raw):
            w = stem(w)
            if w in self.noise:
                out[w] = NOISE_WEIGHT
                continue
            k = self.known(w)
            if k:
                out[k] = NOISE_WEIGHT if k in self.noise else self.idf.get(k) or self.class_idf[self.head[k]]
            elif i not in parts:
                unknown += 1
        out.update(joined)
        return out, unknown

    def clauses(self, text):
        """[(clause, its words)] of those that are long enough."""
        parts = [(part, self.query(part)) for part in clauses(text)]
        return [(part, (q, unknown)) for part, (q, unknown) in parts if len(q) + unknown >= CLAUSE_WORDS]

    def scores(self, text, exact_bonus=0.0):
        """Of each entry, by words: the best of those of the whole question, with a bonus where it was asked in these words, and
        of its last clauses."""
        whole = [s + exact_bonus * max(0.0, s - EXACT) for s in self.scores_of(*self.query(text))]
        return [max(row) for row in zip(whole, *(self.scores_of(*words) for _, words in self.clauses(text)))]

    def scores_of(self, q, unknown):
        if not q:
            return [0.0] * len(self.bags)
        norm = math.sqrt(sum(v * v for v in q.values()) + unknown * (self.unknown * self.unknown))
        classes = {}
        for w, v in q.items():
            classes[w] = self.head.get(w, w)
        best = [0.0] * len(self.bags)
        for i, dot in self.dots(q, classes, self.in_phrases, self.class_phrases).items():
            n = self.phrases[i][0]
            best[n] = max(best[n], dot / (norm * self.norm[i]))
        for n, dot in self.dots(q, classes, self.in_bags, self.class_bags).items():
            if best[n]:
                best[n] += BAG_WEIGHT * min(1.0, dot / (norm * norm))
        return best

    def dots(self, q, classes, in_sets, class_sets):
        """set number -> dot product with the question, of sets that share a word with it."""
        total = defaultdict(float)
        for w, v in q.items():
            same = in_sets.get(w, ())
            for i in same:
                total[i] += v * v
            c = classes[w]
            if c in self.class_idf:
                for i in class_sets[c]:
                    if i not in same:
                        total[i] += CLASS_WEIGHT * (self.class_idf[c] * self.class_idf[c])
        return total

    def learnt(self, question, before):
        """The ranker's score of each entry, and of nothing."""
        if not self.ranker:
            return [0.0] * len(self.ids), None
        scores = self.ranker.scores(self.normal(question), before, self.ids + [NOTHING])
        return scores[:-1], scores[-1]

    def favourite(self, learnt):
        """The number of the fact that is learnt best; None where that is small talk, or nothing is known."""
        known = [i for i, has in enumerate(self.learnt_of) if has]
        best = max(known, key=lambda i: learnt[i], default=None)
        return None if best in self.alone else best

    def nothing_of_clauses(self, question, before, learnt, nothing):
        """What `nothing` is where the favourite of the whole is that of a clause, too."""
        best = self.favourite(learnt)
        for part, _ in self.clauses(question) if best is not None else []:
            of_part, nothing_there = self.learnt(part, before)
            if self.favourite(of_part) == best:
                nothing = min(nothing, learnt[best] - (of_part[best] - nothing_there - CLAUSE_DOUBT))
        return nothing

    def candidates(self, scores, learnt):
        """The numbers of the entries that score best, then of those that were learnt best."""
        found = sorted((i for i, s in enumerate(scores) if s > 0), key=lambda i: -scores[i])[:CANDIDATES]
        liked = sorted((i for i, s in enumerate(learnt) if self.learnt_of[i] or s > 0), key=lambda i: -learnt[i])[:CANDIDATES]
        return found + [i for i in liked if i not in found]

    def ranked(self, found, scores, learnt, most):
        """[(score, number)] of those found, best first; one that is newer than the weights by its words."""
        most = max([most] + [learnt[i] for i in found])
        by_words = [most - EXACT_BONUS * max(0.0, EXACT - s) for s in scores]
        rows = [(scores[i] + (max(learnt[i], by_words[i]) if self.ranker and not self.learnt_of[i] else learnt[i]), i) for i in found]
        return sorted(rows, key=lambda row: -row[0])

    def may_be_second(self, i, before):
        """Small talk stands alone, and what was told just `before` is not told again."""
        return i not in self.alone and self.ids[i] != before

    def lookup(self, question, before=None):
        """[(score, fact)], the best one or two, the first of which may be NONE; `before`: the id of the
        entry that answered the question before this one; DECLINED."""
        if not words_of(question):
            return []
        first = before in (None, NOTHING, DECLINED)
        by, words = FIRST if first else LATER, set(self.query(question)[0])
        scores = [s + by.named if self.names[i] & words else s for i, s in enumerate(self.scores(question, EXACT_BONUS if first else 0.0))]
        learnt, nothing = self.learnt(question, before)
        if nothing is not None:
            nothing = self.nothing_of_clauses(question, before, learnt, nothing)
        found = self.candidates(scores, learnt)
        least = LEAST if nothing is None else LEAST + by.learnt * nothing + by.caution
        ranked = self.ranked(found, scores, [by.learnt * s for s in learnt], least - LEAST)
        if ranked and self.names[ranked[0][1]] & words:
            ranked = ranked[:1] + [row for row in ranked[1:] if self.names[row[1]] & words]
        if not ranked:
            return []
        best = ranked[0][0]
        if best < least:
            doubtful = nothing is not None and best >= least - by.doubt and self.may_be_second(ranked[0][1], before)
            return [(least, NONE), (best, self.facts.all[ranked[0][1]])] if doubtful else []
        near = [(s, i) for s, i in ranked[1:] if s >= best - by.unsure and self.may_be_second(i, before)]
        if ranked[0][1] in self.alone:
            near = []
        return [(s, self.facts.all[i]) for s, i in ranked[:1] + near[:1]]

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
