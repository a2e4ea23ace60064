"""Writes two lists of facts.yaml that come of talk.yaml, to be run again when it has
changed: `elsewhere`, words that the questions about other things have much more often
than those about sotto; and what the entry `talk` is asked."""
import math
import os
import re
from collections import Counter

import yaml

from facts import FOLDER
from generate import Maker
from retrieve import stem, words_of

SAMPLES = 6000
RATIO = 3  # so much more often
PLAIN = {'vs', 'year', 'old', 'big', 'against', 'cancel', 'bash', 'comput', 'container', 'docker', 'compiler', 'binary', 'application',
         'algorithm', 'conflict', 'holiday'}  # are said of sotto as well


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


def talk_phrases(talk):
    rows = [phrase for row in talk['talk'] for phrase in row['ask']] + talk['story']['ask']
    return list(dict.fromkeys(' '.join(re.sub(r'\{\w+\}', '', row).split()) for row in rows))


def main():
    maker = Maker(5)
    own, n_own = count(maker.frame(kind, phrase) for fact in maker.facts.facts for kind in ('do', 'about', 'ask')
                       for phrase in fact[kind])
    other, n_other = count(maker.unrelated_question() for _ in range(SAMPLES))
    asked = {word for _, phrase in maker.index.phrases if len(phrase) == 1 for word in phrase}
    words = sorted(w for w in other if re.fullmatch('[a-z]+', w) and w not in maker.index.noise | PLAIN and {w, stem(w)}.isdisjoint(asked) and
                   math.log((other[w] + 0.5) / (n_other + 1)) - math.log((own[w] + 0.5) / (n_own + 1)) > math.log(RATIO))
    path = os.path.join(FOLDER, 'facts.yaml')
    with open(path) as f:
        text = f.read()
    with open(os.path.join(FOLDER, 'talk.yaml')) as f:
        talk = yaml.load(f, yaml.BaseLoader)
    text = re.sub(r'(?s)(\nelsewhere: \[\n).*?\]\n', lambda m: m.group(1) + wrapped(words, '  ') + ']\n', text)
    text = re.sub(r'(?s)(\n    alone: true\n.*?\n    ask: \[\n).*?\]\n',
                  lambda m: m.group(1) + wrapped(talk_phrases(talk), '      ') + ']\n', text)
    with open(path, 'w') as f:
        f.write(text)
    print('%d words' % len(words))


if __name__ == '__main__':
    main()
