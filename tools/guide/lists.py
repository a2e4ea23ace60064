"""Writes what of facts.yaml comes of talk.yaml, to be run again when that has changed:
`elsewhere`, words that the questions about other things have much more often than those
about sotto; and at the end an entry of its own, alone, for each row of small talk."""
import math
import os
import re
from collections import Counter

from facts import FOLDER, expand, load, talk_text
from generate import Maker
from retrieve import Index, stem, words_of

SAMPLES = 20000
RATIO = 3  # so much more often
# Said of sotto and to the guide as well, as stems.
PLAIN = {'vs', 'year', 'old', 'big', 'against', 'cancel', 'bash', 'comput', 'container', 'docker', 'compiler', 'binary',
         'application', 'algorithm', 'conflict', 'holiday', 'creat', 'smart', 'angry', 'bad', 'happy', 'friend', 'lov', 'job',
         'night', 'sleep', 'cry'}


def count(questions):
    counts, n = Counter(), 0
    for question in questions:
        n += 1
        counts.update({stem(w) for w, _ in words_of(question)})
    return counts, n


def wrapped(words, indent):
    """Items of a YAML list in lines of 128."""
    lines, line = [], indent
    for word in words:
        item = word if re.fullmatch(r"[a-z|() ]+", word) and word not in ('yes', 'no', 'on', 'off') else '"%s"' % word
        if len(line) + len(item) > 128 and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += item + ', '
    return '\n'.join(lines + [line.rstrip(', ')])


def talk_phrases(row, names, about):
    """What a row is asked, as the look-up has it: names in the place of {user},
    and for {hero} those whom stories are about most."""
    phrases = [' '.join(re.sub(r'\{\w+\}', '', phrase).split()) for phrase in row['ask']]
    if any('{user}' in phrase for phrase in row['ask']):
        phrases += [name.lower() for name in names]
    if any('{hero}' in phrase for phrase in row['ask']):
        phrases += ['a story about ' + hero for hero in about]
    return list(dict.fromkeys(phrases))


def talk_entry(row, phrases):
    again = '    again: true\n' if row.get('again') else ''
    return '  - id: talk-%s\n    topic: talk\n    alone: true\n%s    text: "%s"\n    says: [small talk]\n    ask: [\n%s]\n' % (
        row['id'], again, talk_text(row), wrapped(phrases, '      '))


def joins(words):
    """What the look-up may take neighbours for that say nothing."""
    words = {w for w in words if w.isalpha()} | {'doing', 'did'}
    short = [w for w in words if len(w) < 3]
    return {stem(a + b) for a in words for b in words if len(a + b) < 11} | {stem(a + b + c) for a in short for b in short for c in short}


def without_talk(maker):
    """The maker with nothing that comes of talk.yaml in its look-up, so that it does
    not matter what the lists were before."""
    maker.facts.all, maker.facts.elsewhere = maker.facts.facts, []
    maker.index = Index(maker.facts)
    return maker


def main():
    maker = without_talk(Maker(5, lines=False))
    own, n_own = count(maker.frame(kind, phrase) for fact in maker.facts.facts for kind in ('do', 'about', 'ask')
                       for phrase in fact[kind])
    other, n_other = count(maker.made_up_question() for _ in range(SAMPLES))
    talk = load('talk.yaml')
    # names that are words of the facts, too, stay out, and those that "to me" and its kin may be
    taken = {*maker.index.idf, *maker.index.head, *joins(maker.facts.noise)}
    names = [name for name in talk['names'] if stem(name.lower()) not in taken]
    rows = talk['talk'] + [talk['story']]
    asked = {word for _, phrase in maker.index.phrases if len(phrase) == 1 for word in phrase}
    asked |= {stem(w) for row in rows for p in talk_phrases(row, [], []) for e in expand(p) if ' ' not in e for w, _ in words_of(e)}
    words = sorted(w for w in other if re.fullmatch('[a-z]+', w) and w not in maker.index.noise | PLAIN and {w, stem(w)}.isdisjoint(asked) and
                   math.log((other[w] + 0.5) / (n_other + 1)) - math.log((own[w] + 0.5) / (n_own + 1)) > math.log(RATIO))
    path = os.path.join(FOLDER, 'facts.yaml')
    with open(path) as f:
        text = f.read()
    text = re.sub(r'(?s)(\nelsewhere: \[\n).*?\]\n', lambda m: m.group(1) + wrapped(words, '  ') + ']\n', text)
    text = re.split(r'\n  - id: talk\b', text)[0].rstrip('\n') + '\n'
    text += ''.join(talk_entry(row, talk_phrases(row, names, talk['story']['about'])) for row in rows)
    with open(path, 'w') as f:
        f.write(text)
    print('%d words, %d entries of small talk' % (len(words), len(rows)))


if __name__ == '__main__':
    main()
