"""Writes the list `elsewhere` of facts.yaml: words that the questions about other
things (talk.yaml) have much more often than those about sotto. To be run again when
many phrases were added to either."""
import math
import os
import re
from collections import Counter

from facts import FOLDER
from generate import Maker
from retrieve import stem, words_of

SAMPLES = 6000
RATIO = 4.5  # so much more often
PLAIN = {'vs', 'year', 'old', 'big', 'against', 'cancel', 'bash', 'comput', 'container', 'docker', 'compiler', 'binary', 'application',
         'algorithm', 'conflict', 'holiday'}  # are said of sotto as well


def count(questions):
    counts, n = Counter(), 0
    for question in questions:
        n += 1
        counts.update({stem(w) for w, _ in words_of(question)})
    return counts, n


def main():
    maker = Maker(5)
    own, n_own = count(maker.frame(kind, phrase) for fact in maker.facts.facts for kind in ('do', 'about', 'ask')
                       for phrase in fact[kind])
    other, n_other = count(maker.unrelated_question() for _ in range(SAMPLES))
    words = sorted(w for w in other if re.fullmatch('[a-z]+', w) and w not in maker.index.noise | PLAIN and
                   math.log((other[w] + 0.5) / (n_other + 1)) - math.log((own[w] + 0.5) / (n_own + 1)) > math.log(RATIO))
    lines, line = [], '  '
    for word in words:
        if len(line) + len(word) > 128:
            lines.append(line.rstrip())
            line = '  '
        line += ('"%s"' % word if word in ('yes', 'no', 'on', 'off') else word) + ', '
    lines.append(line.rstrip(', '))
    path = os.path.join(FOLDER, 'facts.yaml')
    with open(path) as f:
        text = f.read()
    text = re.sub(r'(?s)(\nelsewhere: \[\n).*?\]\n', lambda m: m.group(1) + '\n'.join(lines) + ']\n', text)
    with open(path, 'w') as f:
        f.write(text)
    print('%d words' % len(words))


if __name__ == '__main__':
    main()
