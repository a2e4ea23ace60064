"""The facts: reading them, expanding their phrases. Rules: facts.yaml, README.md."""
import itertools
import os
import re
import sys

import yaml

TURNS = 8  # as high {turn} counts, the question's number in its conversation
LINES = 'asked.yaml', 'follow_ups.yaml', 'synonyms.yaml', 'unanswered.yaml'  # in lines.tar.xz
FOLDER = os.path.dirname(os.path.abspath(__file__))


def load(name):
    """What a YAML file of this folder has, all scalars as texts."""
    path = os.path.join(FOLDER, name)
    if not os.path.exists(path):
        archive = 'lines.tar.xz' if name in LINES else 'sets.tar.xz'
        sys.exit('%s: not there; unpack it: tar -xf %s' % (path, archive))
    with open(path) as f:
        return yaml.load(f, yaml.BaseLoader)


def follow_ups():
    """[(the entry told before or '!', what is said then, the entry that answers it)] of the training lines."""
    return [(before, text, which) for which, row in load('follow_ups.yaml').items()
            for before, texts in row.items() for text in texts]


def expand(phrase):
    """Every text that a phrase with (a|b|) stands for; groups do not nest."""
    parts = re.split(r'\(([^()]*)\)', phrase)
    choices = [p.split('|') if i % 2 else [p] for i, p in enumerate(parts)]
    return [' '.join(''.join(c).split()) for c in itertools.product(*choices)]


def machine(rng=None):
    """What the program fills in for {memory} and its kin: one machine, or any."""
    if not rng:
        gib = 16
    else:
        gib = rng.choice([2, 3, 4, 6, 7, 8, 12, 15, 16, 24, 30, 31, 32, 48, 62, 64, 96, 125, 128, 251])
    tenth = rng.randrange(10) if rng else 5
    fits = max(1, int(gib * 0.75))
    size = [(48, '70B', 'Q4_K_M'), (24, '32B', 'Q4_K_M'), (11, '14B', 'Q4_K_M'), (9, '8B', 'Q8_0'),
            (5, '8B', 'Q4_K_M'), (3, '3B', 'Q4_K_M'), (1, '1B', 'Q8_0')]
    name, quant = next(((n, q) for gb, n, q in size if gb <= fits), ('1B', 'Q4_K_M'))
    return {'memory': '%d.%d GiB' % (gib, tenth), 'fits': '%d GB' % fits,
            'free': '%d.%d GiB' % (gib // 2, (tenth * 7) % 10),
            'suggestion': 'an %s model in %s' % (name, quant) if name == '8B' else 'a %s model in %s' % (name, quant),
            'version': '%d.%d.%d' % (rng.randrange(3), rng.randrange(10), rng.randrange(10)) if rng else '0.1.0',
            'turn': str(rng.randint(1, TURNS) if rng else 1)}


def fill(text, values):
    return re.sub(r'\{(\w+)\}', lambda m: values.get(m.group(1), m.group(0)), text)


def talk_text(row):
    """The text of the entry that a row of talk.yaml is."""
    return 'Small talk: %s.' % row['is']


class Facts:
    def __init__(self, path=None):
        self.path = path or os.path.join(FOLDER, 'facts.yaml')
        with open(self.path) as f:
            data = yaml.load(f, yaml.BaseLoader)
        self.noise = data['noise']
        self.declines = data.get('declines', [])
        self.all = data['facts']
        self.facts = [f for f in self.all if not f.get('alone')]
        self.by_id = {f['id']: f for f in self.facts}
        for f in self.all:
            f.setdefault('topic', '')
            f.setdefault('says', [f['text']])
            for kind in ('do', 'about', 'ask'):
                f.setdefault(kind, [])


def names(fact):
    """The names of the table rows that a fact is about."""
    return ([k for k in fact.get('keys', [])] + ['/' + c for c in fact.get('commands', [])] +
            ['--' + o for o in fact.get('options', {})] +
            ['sotto ' + s for s in fact.get('subcommands', [])])


def is_right(fact, reply, values=None):
    """Whether a reply says what the fact's lexicon asks for."""
    reply = ' %s ' % re.sub('[,;:]', ' ', reply.lower())
    for need in fact['says']:
        parts = [fill(p, values or machine()).lower() for p in ([need] if need == '|' else need.split('|'))]
        if not any(p in reply or re.sub('[,;:]', ' ', p) in reply for p in parts):
            return False
    return True
