"""Recall of the look-up on the strangers' questions, and what unrelated ones score."""
import argparse
import os
import sys

import yaml

from facts import FOLDER, Facts
from retrieve import Index


def load(name):
    with open(os.path.join(FOLDER, name)) as f:
        return yaml.load(f, yaml.BaseLoader)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--half', choices=['dev', 'test'],
                        help='every other question; look at the misses of dev only')
    parser.add_argument('--vectors', action='store_true',
                        help='only print each question and the entries found, with scores: to compare with the program')
    parser.add_argument('-q', '--quiet', action='store_true')
    args = parser.parse_args()
    index = Index(Facts())
    if args.vectors:
        for question in [q for qs in load('strangers.yaml').values() for q in qs] + load('unrelated.yaml'):
            print('%s\t%s' % (question, ' '.join('%s=%.3f' % (f['id'], s) for s, f in index.lookup(question))))
        return 0
    at = [0, 0, 0, 0]
    total = n = 0
    for ids, questions in load('strangers.yaml').items():
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
