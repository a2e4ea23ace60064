"""Recall of the look-up on the strangers' questions, and what unrelated ones score.
With --vectors: questions and what is found, for comparing the program with this."""
import argparse
import os
import sys

import yaml

from facts import FOLDER, Facts
from generate import BACK, held
from retrieve import Index


def load(name):
    with open(os.path.join(FOLDER, name)) as f:
        return yaml.load(f, yaml.BaseLoader)


# What people rarely type, and what the rules of words are about.
ODD = ['', ' ', 'waht does teh chagne do', 'hte cna', '?!?', 'Top-P', 'top p', 'ctrl c', 'ctrl + c', 'CTRL+C', '--top-k', '-m', '(/model)', 'x/model', '---top-k',
       '/-model', 'what\u2019s this', "what's this", 'temprature', 'temperatuer', 'tempeature', 'qantisation', 'asdfgh',
       'saev the chta', 'the the the', 'how do i', 'sotto', '\u00e4\u00f6\u00fc temperature \U0001f600', 'a.b.c.d',
       'save save save chat chat', 'one two three four five six seven eight', 'f2', 'F2?', 'llama.cpp', 'top_k', 'min-p-p',
       'e', 'colour settings', 'undo', 'back', 'q4_k_m', 'x' * 60, 'temperature' * 9, 'temperature ' * 400]


def questions(facts):
    """(the question before, question) of all that there is, but for the odd ones."""
    for row in load('strangers.yaml').values():
        yield from (('', q) for q in row)
    yield from (('', q) for q in load('unrelated.yaml'))
    yield from (('', p) for f in facts.facts for kind in ('do', 'about', 'ask') for p in f[kind] if held(p))
    for dialogue in load('dialogues.yaml'):
        yield from ((before[0], q[0]) for before, q in zip(dialogue, dialogue[1:]))
    for n, fact in enumerate(facts.facts):
        asked = (fact['do'] + fact['about'] + fact['ask'])[0]
        yield asked, BACK[n % len(BACK)]
        yield asked, ['and that?', 'what about it', '', 'and /model'][n % 4]


def vectors(path, every):
    facts = Facts(path)
    index = Index(facts)
    for before, question in list(questions(facts))[::every] + [('', q) for q in ODD]:
        found = ' '.join('%s=%.12f' % (f['id'], s) for s, f in index.lookup(question, before))
        print('%s\t%s\t%s' % (before, question, found))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--half', choices=['dev', 'test'],
                        help='every other question; look at the misses of dev only')
    parser.add_argument('--vectors', metavar='FACTS',
                        help='only print lines of the question before, a question, and what is found in that file')
    parser.add_argument('--every', type=int, default=1, help='with --vectors: one of so many questions')
    parser.add_argument('--file', default='strangers.yaml', help='the questions')
    parser.add_argument('-q', '--quiet', action='store_true')
    args = parser.parse_args()
    if args.vectors:
        return vectors(args.vectors, args.every)
    index = Index(Facts())
    at = [0, 0, 0, 0]
    total = n = 0
    for ids, questions in load(args.file).items():
        for question in questions:
            n += 1
            if args.half and n % 2 != (args.half == 'dev'):
                continue
            total += 1
            found = [f['id'] for _, f in index.lookup(question)]
            ranks = [i for i, x in enumerate(found) if x in ids.split('|')]
            at[ranks[0] if ranks else 3] += 1
            if not ranks and not args.quiet:
                print('miss: %s (%s): %s' % (question, ids, ' '.join(
                    '%s %.2f' % (f['id'], s) for s, f in index.lookup(question, least=0))))
    print('%d questions: recall@1 %.1f %%, @3 %.1f %%' % (
        total, 100 * at[0] / total, 100 * sum(at[:3]) / total))
    turns = found_turns = 0
    for dialogue in load('dialogues.yaml'):
        before = None
        for question, ids in dialogue:
            if any(i in index.facts.by_id for i in ids.split('|')):
                turns += 1
                found = [f['id'] for _, f in index.lookup(question, before)]
                hit = any(i in found for i in ids.split('|'))
                found_turns += hit
                if not hit and not args.quiet:
                    print('miss: %s -> %s (%s): %s' % (before, question, ids, ' '.join(found)))
            before = question
    print('turns of dialogues: recall@3 %.1f %% of %d' % (100 * found_turns / turns, turns))
    unrelated = load('unrelated.yaml')
    found = [(index.lookup(q, least=0)[:1], q) for q in unrelated]
    scores = sorted(((f[0][0] if f else 0), q, f[0][1]['id'] if f else '') for f, q in found)
    for least in (0.3, 0.4, 0.5, 0.6):
        print('unrelated with an entry above %.1f: %d of %d' % (
            least, sum(s >= least for s, _, _ in scores), len(scores)))
    return 0


if __name__ == '__main__':
    sys.exit(main())
