"""What the look-up alone finds for the evaluation's questions, and every miss.
With --vectors: questions and what is found, for comparing the program with this."""
import argparse
import sys

from facts import Facts, load
from generate import BACK, held
from retrieve import DECLINED, Index

SETS = [kind + n for n in ('', '2', '3', '4', '5', '6', '7', '8') for kind in ('strangers', 'unrelated', 'dialogues')]
SETS += ['unrelated9'] + ['dialogues' + n for n in ('9', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '20', '21', '22')]
# What says itself that it is not the guide's business, and where to go.
DECLINES = {'guide-tasks'}
# What people rarely type, and what the rules of words are about.
ODD = ['', ' ', 'waht does teh chagne do', 'hte cna', '?!?', 'Top-P', 'top p', 'ctrl c', 'ctrl + c', 'CTRL+C', '--top-k', '-m', '(/model)', 'x/model', '---top-k',
       '/-model', 'what\u2019s this', "what's this", 'temprature', 'temperatuer', 'tempeature', 'qantisation', 'asdfgh',
       'saev the chta', 'the the the', 'how do i', 'sotto', '\u00e4\u00f6\u00fc temperature \U0001f600', 'a.b.c.d',
       'save save save chat chat', 'one two three four five six seven eight', 'f2', 'F2?', 'llama.cpp', 'top_k', 'min-p-p',
       'my cat sat on the keys. how do i save the chat?', 'hello,  what is this', 'no, the temperature, i mean.', '. , how do i quit sotto',
       'i am new, so sorry, how do i leave; what is top-p: tell me now', ', '.join('%d clauses beside the temperature' % i for i in range(12)),
       'night shift is over, first coffee. my nephew put this thing on my laptop, what does it do exactly',
       'kids are in bed, wine is open. how do I change the look of this, the black depresses me',
       'ah ok. mine mumbles for minutes before it gets to the point, can i switch that off',
       'how do i print on paper', 'page numbers and margins', 'does it print', 'i like paper. which key prints it on paper?', 'alt+p',
       'e', 'colour settings', 'undo', 'back', 'q4_k_m', 'x' * 60, 'temperature' * 9, 'temperature ' * 400]
# After an entry: what names one that is meant, or wants the same once more; after nothing: more of that.
NAMED = [('sliders', 'and alt+p?'), ('save-auto', 'and on paper'), ('paper', 'which key was that again'), (DECLINED, 'print on paper'),
         ('theme-cmd', 'what about F6'), ('sliders', 'and F9?'), ('key-inspect', 'which keys besides F9'), ('theme-cmd', 'which keys besides /quit'),
         ('theme-cmd', 'what was the command again'), ('sliders', 'say that again'), ('key-inspect', 'sorry, which key was it'),
         (DECLINED, 'and of germany?'), (DECLINED, 'why not'), (DECLINED, 'and how do i load one'), (DECLINED, 'how do i quit sotto')]


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
    for before, question in list(questions(facts, index))[::every] + [('', q) for q in ODD] + NAMED:
        found = ' '.join('%s=%.12f' % (f['id'], s) for s, f in index.lookup(question, before))
        print('%s\t%s\t%s' % (before, question, found))
    return 0


def ids_of(found):
    return [f['id'] or 'decline' for _, f in found] or ['decline']


def place(found, wanted):
    """Which of what was found is one of wanted, ids of facts or of kinds of small talk, "decline" for nothing: 1, 2;
    0 for none of it."""
    meant = {w for one in wanted.split('|') for w in (one, 'talk-' + one)}
    meant |= DECLINES if 'decline' in meant else set()
    return next((i for i, which in enumerate(ids_of(found), 1) if which in meant), 0)


class Tally:
    def __init__(self, name, quiet):
        self.name, self.quiet, self.places, self.both = name, quiet, [], 0

    def add(self, asked, wanted, found):
        """Whether it was found."""
        self.places.append(place(found, wanted))
        self.both += len(found) > 1
        if not self.quiet and not self.places[-1]:
            print('%s: %s (%s): %s' % (self.name, asked, wanted, ', '.join(ids_of(found))))
        return self.places[-1] > 0

    def __str__(self):
        n = len(self.places)
        return '%s: %d asked, right first %.1f %%, second %.1f %%, two found %.1f %%' % (
            (self.name, n) + tuple(100 * count / n for count in (self.places.count(1), self.places.count(2), self.both)))


def single(index, name, rows, quiet):
    tally = Tally(name, quiet)
    for wanted, question in rows:
        tally.add(question, wanted, index.lookup(question))
    print(tally)


def converse(index, name, dialogues, quiet):
    tally, whole = Tally(name, quiet), 0
    for dialogue in dialogues:
        asked = [question for question, _ in dialogue]
        whole += all([tally.add(' -> '.join(asked[:i]), wanted, index.converse(asked[:i])[0]) for i, (_, wanted) in enumerate(dialogue, 1)])
    print('%s; %d of %d dialogues right in all turns' % (tally, whole, len(dialogues)))


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
