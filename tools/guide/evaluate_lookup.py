"""What the look-up alone finds for the evaluation's questions, and every miss.
With --vectors: questions and what is found, for comparing the program with this."""
import argparse
import sys

from facts import Facts, load
from generate import BACK, held
from retrieve import Index

SETS = [kind + n for n in ('', '2', '3', '4', '5', '6') for kind in ('strangers', 'unrelated', 'dialogues')]
# What people rarely type, and what the rules of words are about.
ODD = ['', ' ', 'waht does teh chagne do', 'hte cna', '?!?', 'Top-P', 'top p', 'ctrl c', 'ctrl + c', 'CTRL+C', '--top-k', '-m', '(/model)', 'x/model', '---top-k',
       '/-model', 'what\u2019s this', "what's this", 'temprature', 'temperatuer', 'tempeature', 'qantisation', 'asdfgh',
       'saev the chta', 'the the the', 'how do i', 'sotto', '\u00e4\u00f6\u00fc temperature \U0001f600', 'a.b.c.d',
       'save save save chat chat', 'one two three four five six seven eight', 'f2', 'F2?', 'llama.cpp', 'top_k', 'min-p-p',
       'e', 'colour settings', 'undo', 'back', 'q4_k_m', 'x' * 60, 'temperature' * 9, 'temperature ' * 400]


def first_id(found):
    return found[0][1]['id'] if found else ''


def questions(facts, index):
    """(the id of the fact that answered the question before, question) of all that there is, but
    for the odd ones."""
    for row in load('strangers.yaml').values():
        yield from (('', q) for q in row)
    yield from (('', q) for q in load('unrelated.yaml'))
    yield from (('', p) for f in facts.facts for kind in ('do', 'about', 'ask') for p in f[kind] if held(p))
    for dialogue in load('dialogues.yaml'):
        yield from ((first_id(index.lookup(before[0])), q[0]) for before, q in zip(dialogue, dialogue[1:]))
    for n, fact in enumerate(facts.facts):
        yield fact['id'], BACK[n % len(BACK)]
        yield fact['id'], ['and that?', 'what about it', '', 'and /model'][n % 4]


def vectors(path, every):
    facts = Facts(path)
    index = Index(facts)
    for before, question in list(questions(facts, index))[::every] + [('', q) for q in ODD]:
        found = ' '.join('%s=%.12f' % (f['id'], s) for s, f in index.lookup(question, before))
        print('%s\t%s\t%s' % (before, question, found))
    return 0


def is_meant(found, wanted):
    """Whether the first entry is one of wanted, ids of facts or of kinds of small talk; none for "decline"."""
    return (first_id(found) or 'decline') in {w for one in wanted.split('|') for w in (one, 'talk-' + one)}


def single(index, name, rows, quiet):
    right = nothing = 0
    for wanted, question in rows:
        found = index.lookup(question)
        right += is_meant(found, wanted)
        nothing += not found
        if not quiet and not is_meant(found, wanted):
            print('%s: %s (%s): %s' % (name, question, wanted, first_id(found) or 'nothing'))
    print('%s: %d questions, right first %.1f %%, nothing found %.1f %%' % (
        name, len(rows), 100 * right / len(rows), 100 * nothing / len(rows)))


def converse(index, name, dialogues, quiet):
    turns = right = whole = 0
    for dialogue in dialogues:
        missed = 0
        for i, (question, wanted) in enumerate(dialogue):
            found = index.converse([q for q, _ in dialogue[:i + 1]])
            missed += not is_meant(found, wanted)
            if not quiet and not is_meant(found, wanted):
                print('%s: %s (%s): %s' % (name, ' -> '.join(q for q, _ in dialogue[:i + 1]), wanted, first_id(found) or 'nothing'))
        turns, right, whole = turns + len(dialogue), right + len(dialogue) - missed, whole + (missed == 0)
    print('%s: %d turns, right first %.1f %%, %d of %d dialogues right in all turns' % (
        name, turns, 100 * right / turns, whole, len(dialogues)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--vectors', metavar='FACTS',
                        help='only print lines of the fact before, a question, and what is found in that file')
    parser.add_argument('--every', type=int, default=1, help='with --vectors: one of so many questions')
    parser.add_argument('--sets', default=','.join(SETS))
    parser.add_argument('-q', '--quiet', action='store_true')
    args = parser.parse_args()
    if args.vectors:
        return vectors(args.vectors, args.every)
    index = Index(Facts())
    for name in args.sets.split(','):
        rows = load(name + '.yaml')
        if name.startswith('dialogues'):
            converse(index, name, rows, args.quiet)
        elif name.startswith('strangers'):
            single(index, name, [(w, q) for w, qs in rows.items() for q in qs], args.quiet)
        else:
            single(index, name, [('decline', q) for q in rows], args.quiet)
    return 0


if __name__ == '__main__':
    sys.exit(main())
