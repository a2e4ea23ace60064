"""Makes dialogues for training the guide, as JSON lines: {"messages": [...],
"kind": ..., "id": ..., "learn": N}. The last N replies are to be learnt, the others
lean on entries that are not there any more. The look-up's
entries stand in the system message as the program puts them there; often they
are altered or made up, so that what is learnt is to read them. With --held-out:
questions of frames and phrases that the training never has."""
import argparse
import json
import random
import re
import sys
import zlib

from facts import TURNS, Facts, expand, fill, follow_ups, load, machine, talk_text
from retrieve import NONE, Index, words_of

DEFAULT_SYSTEM = 'You are the guide of sotto, a tiny model.'

# Frames; those after the None are held out.
DO = ['how do i {}', 'how can i {}', 'how to {}', '{}', 'i want to {}', 'how do you {}', 'can i {}',
      'is there a way to {}', 'what do i do to {}', 'i would like to {}', 'please tell me how to {}',
      'what is the way to {}', 'how does one {}', 'tell me how to {}', 'i need to {}', 'what must i press to {}',
      'could you tell me how to {}', "i don't know how to {}", 'how could i {}', 'want to {}', 'how {}',
      'i wonder how to {}', 'do you know how i can {}', 'which command or key do i need to {}', 'explain how to {}',
      'is it possible to {}', 'what is the command to {}', 'i try to {} but i do not know how', None,
      'where do i {}', "what's the trick to {}", 'i have to {}, how', 'any idea how to {}', 'so how would i {}']
ABOUT = ['what is {}', 'what does {} do', '{}', 'tell me about {}', 'explain {}', 'what about {}', "what's {}",
         'i want to know about {}', 'what is {} for', 'can you explain {}', 'please explain {}', 'what means {}',
         'help with {}', 'what is meant by {}', 'describe {}', 'info about {}', 'i do not understand {}',
         'how does {} work', None, 'what do you know about {}', '{} - what is that', 'could you say something about {}',
         'never heard of {}']
ASK = ['{}', '{}', '{}', 'tell me, {}', 'a question: {}', 'please, {}', 'i want to know: {}', None, 'say, {}', 'and {}']
BEFORE = ['hi, ', 'hello, ', 'hey, ', 'please, ', 'ok, ', 'so ', 'well, ', 'sorry, ', 'quick question: ', 'and ', 'um, ', 'bro ',
          'omg ', 'hm, ', 'sorry to ask, ', 'stupid question: ', 'one more thing: ', 'can someone tell me ', 'i am new here. ',
          'good morning, ', 'dear guide, ', 'thanks. ', 'oh, ', 'ah ok, ', 'haha, ', 'great, ', 'cool, ', 'oops, ', 'ugh, ', 'nice. ',
          'but ', 'ah, ', 'wait, ', "i'd like to know: "]
AFTER = [' please', ' in sotto', ', thanks', ' here', ' now', ' in this program', ', please', ' lol', ' thx', ' exactly', ', any idea',
         ' with sotto', ' then', ', i forgot', ' i wonder', ' again', ', i cannot find it', ' if possible', ' asap', ' anyway', ' or not']
OPENERS = ['Sure. ', 'Of course. ', 'Gladly. ', 'That is easy. ', 'Good question. ']
COMMON = ['hello', 'how-are-you', 'thanks', 'bye', 'name']  # most small talk is this
OR = 'Or did you mean this? '
PRIVATE = 0xE000  # characters that are no letters: slips leave them alone
AS_SAID = 'As I said: '  # before an entry that was told just before
BACK = ['and back?', 'how do i undo that?', 'and how do i get back?', 'and the opposite?', 'and back again?',
        'how can i undo it', 'and how do i reverse that', 'and off again?', 'the reverse', 'the other direction', 'and vice versa',
        'the contrary', 'how do i revert it', 'undo', 'back']
SEE = ['and {}?', 'what about {}?', 'and what is {}?', 'ok, and {}?']
SYSTEMS = [DEFAULT_SYSTEM] * 6 + ['You are a helpful guide.', 'You answer questions about sotto, a terminal chat.', '',
                                  'You are a friendly assistant. Be brief.', 'Help the user.']
NAMED = ['Your name is {}.', 'You are {}, the guide of sotto.', 'You are called {}. Be kind.', 'You are {}.',
         'You are a guide named {}.', 'Your name is {}. You are the guide of sotto, a tiny model.']
SYLLABLES = ['ka', 'lo', 'mi', 'ra', 'ton', 'bel', 'vi', 'an', 'dor', 'el', 'su', 'na', 'ri', 'go', 'za', 'fen', 'ma', 'ty',
             'o', 'wen', 'ju', 'pe', 'ter', 'li', 'sa', 'bo', 'hel', 'ga', 'mar', 'ko']
NAMES = ['Ada', 'Bob', 'Max', 'Luna', 'Otto', 'Emma', 'Paul', 'Nina', 'Sam', 'Kim', 'Robin', 'Clara', 'Hugo', 'Iris',
         'Leo', 'Mia', 'Tom', 'Alice', 'Ben', 'Eva']


def held(text):
    """Phrases that are kept for the evaluation: one of eight."""
    return zlib.crc32(text.encode()) % 8 == 0


def frames(rows, held_out):
    i = rows.index(None)
    return rows[i + 1:] if held_out else rows[:i]


def either(first, second):
    """What is told, and stands in the prompt, where it is not sure which of two is meant."""
    return first + ' ' + OR + second


def system_message(own, entries):
    """What the program makes of the system prompt and what it looked up: nothing, one entry, or either of two; training
    has more to choose from."""
    text = own + '\n\n' if own else ''
    if not entries or entries[0].startswith(NONE['text']):
        return text + 'Help: ' + (entries[0] if entries else NONE['text'])
    return text + 'Help:\n' + '\n'.join('- ' + e for e in entries)


class Maker:
    def __init__(self, seed, held_out=False, drill_part=0.12, dense_part=0.15, lines=True):
        """`lines`: whether the training lines (lines.tar.xz) are used; they have to be unpacked then."""
        self.dense_part, self.drill_part = dense_part, drill_part
        self.rng = random.Random(seed)
        self.facts = Facts()
        self.held_out = held_out
        self.index = Index(self.facts)
        self.talk = load('talk.yaml')
        for row in self.talk['talk']:
            row['ask'] = [e for p in row['ask'] for e in expand(p)]
        self.talk_rows = {row['id']: row for row in [*self.talk['talk'], self.talk['story']]}
        self.unrelated = [expand(p) for p in self.talk['unrelated']]
        self.unknown = [expand(p) for p in self.talk['unknown']]
        self.story_asks = [e for kind in ('ask', 'also') for p in self.talk['story'][kind] for e in expand(p)]
        # words of all kinds of questions, for questions in strange words
        self.words = sorted({w for f in self.facts.facts for p in f['do'] + f['about'] + f['ask'] for w in p.split(' ')} |
                            {w for rows in self.talk['words'].values() for p in rows for w in p.split(' ')})
        self.asked, self.next, self.unanswered = {}, {}, []
        if lines:
            self.asked, self.unanswered = load('asked.yaml'), load('unanswered.yaml')
        for before, question, which in follow_ups() if lines else []:
            self.next.setdefault(before, []).append((question, which))
        self.found, self.words_in = {}, {}
        self.begin()

    def begin(self):
        """Another dialogue."""
        self.user = None  # the name that the user told in it
        self.kept = []  # of its questions what is typed without slips: names

    # --- questions ---
    def lookup(self, question, before=None):
        """`before`: the id of the fact that the question before was about; None."""
        key = question, before
        if key not in self.found:
            self.found[key] = [f for _, f in self.index.lookup(question, before) if f is not NONE]
        return self.found[key]

    def phrase(self, fact):
        """(kind, phrase) of a fact that may be used here; None."""
        if not self.held_out and self.rng.random() < 0.4 and fact['id'] in self.asked:
            return 'ask', self.rng.choice(self.asked[fact['id']])
        rows = [(kind, p) for kind in ('do', 'about', 'ask') for p in fact[kind]
                if len(p) < 3 or held(p) == self.held_out]
        return self.rng.choice(rows) if rows else None

    def frame(self, kind, phrase):
        rows = frames({'do': DO, 'about': ABOUT, 'ask': ASK}[kind], self.held_out)
        return self.rng.choice(rows).format(phrase)

    def question(self, fact):
        row = self.phrase(fact)
        return self.frame(*row) if row else None

    def dress(self, text):
        """Case, marks, politeness and slips, as people type; names stay as they are."""
        marks = [(chr(PRIVATE + i), name) for i, name in enumerate(self.kept)]
        for mark, name in marks:
            text = text.replace(name, mark)
        text = self.slip(text)
        for mark, name in marks:
            text = text.replace(mark, name)
        return text

    def slip(self, text):
        rng = self.rng
        if rng.random() < 0.12:
            text = rng.choice(BEFORE) + text
        elif rng.random() < 0.12:
            text += rng.choice(AFTER)
        if rng.random() < 0.1:
            text = re.sub(r'\b(a|the|do|is|to) ', '', text, count=rng.randint(1, 2)) or text
        if rng.random() < 0.1:
            text = text.replace('you ', 'u ').replace('are ', 'r ').replace('please', 'pls')
        if rng.random() < 0.1:
            text = text.replace("'", '')
        if rng.random() < 0.15 and len(text) > 8:
            for _ in range(rng.randint(1, 2)):
                i = rng.randrange(1, len(text) - 1)
                if text[i].isalpha() and text[i - 1].isalpha() and text[i + 1].isalpha():
                    text = rng.choice([text[:i] + text[i + 1:], text[:i] + text[i] + text[i:],
                                       text[:i] + text[i + 1] + text[i] + text[i + 2:]])
        if rng.random() < 0.35:
            text = text[:1].upper() + text[1:]
        if rng.random() < 0.04:
            text = text.upper()
        if rng.random() < 0.5:
            text = text.rstrip('?') + rng.choice(['?', '?', '?', '.', '??', ' ?', '!'])
        return text

    def strange(self, question, entry):
        """The question in words that were never heard: what it shares with the entry
        stands, of the rest much is replaced or left out. The look-up knows more
        phrases than are trained on, so that its first entry is to be trusted then."""
        rng = self.rng
        kept = set(words_of(entry)) | self.index.noise
        out = []
        for word in question.split(' '):
            known = any(w in kept for w in words_of(word))
            if known and rng.random() < 0.9 or rng.random() < 0.35:
                out.append(word)
            elif rng.random() < 0.6:
                out.append(self.word() if rng.random() < 0.4 else rng.choice(self.words))
        return ' '.join(out) or question

    # --- answers ---
    def answer(self, text):
        if self.rng.random() < 0.15 and not text.startswith(AS_SAID):
            return self.rng.choice(OPENERS) + text
        return text

    def new_key(self):
        rng = self.rng
        return rng.choice(['F%d' % rng.randint(1, 12), 'Ctrl+' + rng.choice('ABEFGKNOPQSTUVWY'),
                           'Alt+' + rng.choice('ABCDEFGHIKLMNOPSUVWXYZ'), 'Shift+F%d' % rng.randint(1, 12)])

    def word(self):
        return ''.join(self.rng.choice(SYLLABLES) for _ in range(self.rng.randint(2, 3)))

    def alter(self, texts):
        """Other names and numbers in all of the texts, the same ones for the same."""
        changed = {}

        def new(m):
            old = m.group(0)
            if old not in changed:
                if old[0] == '/':
                    changed[old] = '/' + self.word()
                elif old[0] == '-':
                    changed[old] = '--' + self.word()
                elif old[0].isdigit():
                    n = self.rng.randrange(1, 1000)
                    changed[old] = '%.2f' % (n / 100) if '.' in old else str(n)
                else:
                    changed[old] = self.new_key()
            return changed[old]

        pattern = r"(?<![\w/~.])/[a-z]+(?![\w/])|(?<!\S)--[a-z][a-z-]+|\b(?:Ctrl|Alt|Shift)\+\w+|\bF\d+\b|(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)"
        return [re.sub(pattern, new, t) for t in texts]

    INVENTED_DO = ['export', 'print', 'mute', 'share', 'fold', 'mark', 'count', 'sort', 'pin', 'lock', 'hide', 'rotate',
                   'record', 'check', 'split', 'join', 'colour', 'freeze', 'archive', 'compare', 'number', 'zoom', 'wrap',
                   'align', 'read aloud', 'highlight', 'duplicate', 'measure', 'encrypt', 'preview']
    INVENTED_WHAT = ['the calendar', 'all links', 'the status bar', 'the last paragraph', 'every table', 'the bell',
                     'the margins', 'your notes', 'the clock', 'a bookmark', 'the word count', 'long lines', 'the footer',
                     'the second column', 'all numbers', 'the dictionary', 'the drawing', 'the timer', 'the cursor',
                     'a voice memo', 'the stack', 'unread replies', 'the map', 'a code block', 'the spelling',
                     'the sidebar', 'two chats', 'the title line', 'the tabs', 'the queue']

    def invented(self, n):
        """n made-up entries: [(text, kind, phrase)]."""
        rng = self.rng
        out, used = [], set()
        verb = rng.choice(self.INVENTED_DO)
        while len(out) < n:
            if rng.random() < 0.5:
                verb = rng.choice(self.INVENTED_DO)
            what = rng.choice(self.INVENTED_WHAT)
            if (verb, what) in used:
                continue
            used.add((verb, what))
            verbs = verb.split(' ')
            third = ' '.join([verbs[0] + ('es' if verbs[0][-2:] in ('sh', 'ch') else 's')] + verbs[1:])
            third = third.replace('copys', 'copies')
            kind = rng.randrange(6)
            number = rng.choice(['%d' % rng.randrange(0, 500), '%.2f' % (rng.randrange(0, 300) / 100)])
            if kind == 0:
                name = self.new_key()
                text = rng.choice(['%s %s %s.', '%s: %s %s.']) % (name, third, what)
            elif kind == 1:
                name = self.new_key()
                text = rng.choice(['Press %s to %s %s.', 'Use %s to %s %s; press it again to undo that.']) % (name, verb, what)
            elif kind == 2:
                name = '/' + self.word()
                text = rng.choice(['%s %s %s.', '%s NAME %s %s.', '%s: %s %s.']) % (name, third, what)
            elif kind == 3:
                name = '--' + self.word()
                text = '%s N %s %s; the default is %s.' % (name, third, what, number)
            elif kind == 4:
                name = 'sotto ' + self.word()
                text = '%s %s %s, up to %s times.' % (name, third, what, number)
            else:
                name = self.word()
                text = '%s is how often sotto will %s %s; %s is the default.' % (name, verb, what, number)
            out.append((text, *rng.choice([('do', verb + ' ' + what), ('do', verb + ' ' + what), ('about', name)])))
        return out

    def mixed(self, right, others, most=3):
        """The right entry, at times with others, mostly first; often just as the look-up has them."""
        if right in others and self.rng.random() < 0.5:
            return others
        others = [o for o in others if o != right and not o.get('alone')][:self.rng.choice([0, 0, 0, 1, most - 1])]
        at = self.rng.choice([0] * 18 + [1, 2])
        return others[:at] + [right] + others[at:]

    # --- dialogues ---
    def own_system(self):
        rng = self.rng
        if rng.random() < 0.15:
            name = rng.choice(NAMES) if rng.random() < 0.4 else self.word().capitalize()
            return rng.choice(NAMED).format(name), name
        return rng.choice(SYSTEMS), None

    def user_name(self):
        rng = self.rng
        one, other = rng.sample(self.talk['names'], 2)
        name = rng.choice([one, self.word().capitalize(), one[:rng.randint(2, 4)] + other[-rng.randint(2, 4):], self.strange_name()])
        return name.lower() if rng.random() < 0.5 else name

    def strange_name(self):
        """One of any letters that can be spoken."""
        begins, vowels, ends = 'b bl br c ch d dr f fr g gr h j k kl kr l m n p pr qu r s sch sh sl st t th tr v w x y z', 'a e i o u ie ou oi ae y', ' n r l s th lie sz ck nd rt m k x '
        parts = [self.rng.choice(begins.split(' ')) + self.rng.choice(vowels.split(' ')) for _ in range(self.rng.randint(1, 3))]
        return (''.join(parts) + self.rng.choice(ends.split(' '))).capitalize()

    def talk_turn(self, row, name=None, turn=None, again=False):
        """(question, entries, answer) of small talk; `name`: the guide's, if it has one of its own; `again`: it was told one."""
        rng, which = self.rng, row['id']
        turn = turn or rng.randint(1, TURNS)
        values = {'name': name or 'the guide of sotto', 'user': self.user or ''}
        if which == 'story':
            question, answer = self.story(turn)
        elif which == 'user-name':
            question, answer = self.user_name_turn(row)
        else:
            question = fill(rng.choice(row['ask']), values)
            said = row['untold'] if which == 'my-name' and not self.user else row['say']
            if which == 'name' and not name:
                said = said[:1]  # "My name is" is for names
            answer = fill(self.numbered(said, turn) if row.get('again') else rng.choice(said), values)
            asked = self.asked.get('talk-' + which)
            if asked and not self.held_out and rng.random() < 0.4:
                question = rng.choice(asked)
            if rng.random() < 0.1 and which != 'name' and not self.held_out:
                # whatever is said, the entry tells what it is
                question = ' '.join(rng.choice([word, word, self.word(), rng.choice(self.words)]) for word in question.split(' '))
        if again:
            question = rng.choice([text for text, next_one in self.next['talk-' + which]
                                   if next_one == 'talk-' + which and 'about' not in text])
        return question, [fill(talk_text(row), {'turn': str(turn)})], answer

    def numbered(self, rows, n):
        """Mostly the n-th of the rows: what is likeliest, which is all that temperature 0 has, is another one each time."""
        return self.rng.choice(rows) if self.rng.random() < 0.2 else rows[n % len(rows)]

    def story(self, turn):
        """(question, answer)"""
        rng, story = self.rng, self.talk['story']
        pick = {k: self.numbered(story[k], turn) for k in ('hero', 'friend')}
        wished = rng.random() < 0.65
        if wished:
            pick['hero'] = rng.choice(story['about']) if rng.random() < 0.4 else self.hero()
            self.kept.append(pick['hero'])
        asks = [ask for ask in self.story_asks if ('{hero}' in ask) == wished]
        question = fill(rng.choice(asks), pick)
        pick['hero'] = re.sub('^(my|our) ', 'your ', pick['hero'])
        text = fill(self.numbered(story['plots'], turn), pick)
        return question, re.sub(r'(^|[.!] )([a-z])', lambda m: m.group(1) + m.group(2).upper(), text)

    def hero(self):
        """Somebody whom no story was told of."""
        rng, words = self.rng, self.talk['words']
        plain = [word for word in rng.sample(self.words, 20) if word.isalpha()]
        kind = rng.choice([self.word(), self.strange_name().lower(), *rng.sample(words['being'], 2), *rng.sample(words['object'], 2), *plain[:2]])
        if rng.random() < 0.4:
            kind = rng.choice([*self.talk['story']['tempers'], *plain]) + ' ' + kind
        if rng.random() < 0.4:
            kind += rng.choice([' named ', ' called ', ' ', ' from ', ' of ']) + self.user_name().capitalize()
        return rng.choice(['an' if kind[0] in 'aeiou' else 'a'] * 3 + ['my', 'my', 'our', 'the']) + ' ' + kind

    def user_name_turn(self, row):
        """(question, answer)"""
        self.user = self.user_name()
        self.kept.append(self.user)
        asks = expand(self.rng.choice(row['ask'] + row['also']))
        return tuple(fill(self.rng.choice(rows), {'user': self.user}) for rows in (asks, row['say']))

    def one_more(self):
        """As follow_up: stories or jokes, then another."""
        rng = self.rng
        row, first, n = self.talk_rows[rng.choice(['story', 'story', 'joke'])], rng.randrange(TURNS), rng.choice([1, 1, 2, 3])
        told = [self.talk_turn(row, turn=(first + i) % TURNS + 1, again=i > 0 and rng.random() < 0.6) for i in range(n + 1)]
        return [(question, answer) for question, _, answer in told[:-1]], *told[-1], row['id']

    def names(self, own_name):
        """As follow_up: the user's name, as the last or before something else and one of the two names that are known."""
        rng = self.rng
        between = rng.choices(['name', 'my-name', rng.choice([*self.talk_rows])], k=rng.choice([0, 0, 1, 2]))
        rows = ['user-name', *between, rng.choice(['name', 'my-name'])] if rng.random() < 0.4 else [*between[:1], 'user-name']
        told = [self.talk_turn(self.talk_rows[which], own_name) for which in rows]
        return [(question, answer) for question, _, answer in told[:-1]], *told[-1], rows[-1]

    def unrelated_question(self):
        if not self.held_out and self.rng.random() < 0.4:
            return self.rng.choice(self.unanswered)
        return self.made_up_question()

    def made_up_question(self):
        text = self.rng.choice(self.rng.choice(self.unrelated))
        return re.sub(r'@(\w+)', lambda m: self.rng.choice(self.talk['words'][m.group(1)]), text)

    def any_question(self):
        """Whatever somebody may say."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.unrelated_question()
        if kind < 0.7:
            row = self.rng.choice(self.talk['talk'])
            return fill(self.rng.choice(row['ask']), {'user': self.user_name()})
        return self.question(self.rng.choice(self.facts.facts)) or 'help'

    def fact_turn(self, before=None):
        """(question, entries, answer, fact id)"""
        rng = self.rng
        kind = rng.random()
        if not self.held_out and kind < 0.28:
            rows = self.invented(rng.choice([1, 2, 3, 3, 3]))
            # as in the look-up the first entry is mostly the right one
            text, what, phrase = rows[0] if rng.random() < 0.8 else rng.choice(rows)
            return self.frame(what, phrase), [r[0] for r in rows], text, 'invented'
        while True:
            fact = rng.choice(self.facts.facts)
            question = self.question(fact)
            if question:
                break
        entries = self.lookup(question, before) or [fact]
        if not self.held_out:
            entries = self.mixed(fact, entries)
        if not self.held_out and entries[0] is fact:
            # the look-up says what fits, the model how it is said
            odd = rng.random()
            if odd < 0.12:
                question = self.any_question()
            elif odd < 0.6:
                question = self.strange(question, fact['text'])
        texts = [f['text'] for f in entries]
        answer = fact['text']
        if kind < 0.65 and not self.held_out:
            *texts, answer = self.alter(texts + [answer])
        values = machine(rng)
        said = AS_SAID if rng.random() < 0.05 and texts[0] == answer else ''
        texts, answer = [fill(t, values) for t in texts], fill(answer, values)
        return question, [said + texts[0], *texts[1:]], said + answer, fact['id']

    def alike(self, fact):
        """The facts that share the most words with one: there it is easy to slip from one to the other."""
        if not self.words_in:
            self.words_in = {f['id']: set(words_of(f['text'])) - self.index.noise for f in self.facts.facts}
        mine = self.words_in[fact['id']]
        others = [f for f in self.facts.facts if f is not fact]
        return sorted(others, key=lambda f: -len(mine & self.words_in[f['id']]) / len(mine | self.words_in[f['id']]))[:5]

    def unsure_turn(self, before):
        """As last_turn, where the look-up is not sure which of two entries is meant, or whether one is: both are told."""
        rng = self.rng
        fact = rng.choice(self.facts.facts)
        question = self.question(fact) or 'help'
        if rng.random() < 0.3:
            if rng.random() < 0.5:
                question = self.unrelated_question()
            text, = self.alter([fact['text']]) if rng.random() < 0.4 else [fact['text']]
            text = fill(text, machine(rng))
            return question, [either(NONE['text'], text)], either(rng.choice(self.talk['unsure']), text), 'unsure', 'unrelated'
        if not self.held_out and rng.random() < 0.25:
            (a, *_), (b, *_) = self.invented(2)
            return question, [either(a, b)], either(a, b), 'unsure', 'invented'
        kind = rng.random()
        others = [f for f in self.facts.facts if kind > 0.7 or f['topic'] == fact['topic']]
        if kind < 0.2:
            others = self.lookup(question, before)
        elif kind < 0.5:
            others = self.alike(fact)
        others = [f for f in others if f is not fact and not f.get('alone')] or self.facts.facts[:1]
        facts = rng.sample([fact, rng.choice(others)], 2)
        if not self.held_out and rng.random() < 0.5:
            question = self.any_question() if rng.random() < 0.3 else self.strange(question, fact['text'])
        texts = [f['text'] for f in facts]
        if not self.held_out and rng.random() < 0.2:
            # the same but for the names: only the place says where to go on
            texts = rng.sample([texts[0], *self.alter(texts[:1])], 2)
        elif not self.held_out and rng.random() < 0.4:
            texts = self.alter(texts)
        values = machine(rng)
        text = (AS_SAID if rng.random() < 0.1 else '') + either(*[fill(t, values) for t in texts])
        return question, [text], text, 'unsure', facts[0]['id']

    def last_turn(self, own, name, before):
        """(question, entries, answer, kind, id)"""
        rng = self.rng
        kind = rng.random()
        asks_name = name and rng.random() < 0.3
        if kind < 0.2 and not asks_name:
            return self.unsure_turn(before)
        if kind < 0.55 and not asks_name:
            question, entries, answer, which = self.fact_turn(before)
            return question, entries, self.answer(answer), 'fact', which
        if kind < 0.8 or asks_name:
            rows = [r for r in self.talk['talk'] if not asks_name or r['id'] == 'name']
            if not asks_name and rng.random() < 0.35:
                rows = [r for r in rows if r['id'] in COMMON]
            row = rng.choice(rows)
            return *self.talk_turn(row, name), 'talk', row['id']
        if kind < 0.87:
            return *self.talk_turn(self.talk['story']), 'talk', 'story'
        if kind < 0.91:
            return self.unrelated_question(), [], rng.choice(self.talk['declines']), 'talk', 'unrelated'
        if kind < 0.93:
            # nothing was found, whatever it sounds like
            row = rng.choice(self.talk['talk'])
            question = rng.choice(self.asked.get('talk-' + row['id'], []) + row['ask'])
            return fill(question, {'user': self.user_name()}), [], rng.choice(self.talk['declines']), 'talk', 'unrelated'
        if kind < 0.95:
            question = self.question(rng.choice(self.facts.facts)) or 'help'
            return question, [], rng.choice(self.talk['missing']), 'missing', 'unknown'
        if kind < 0.97:
            return rng.choice(rng.choice(self.unknown)), [], rng.choice(self.talk['missing']), 'missing', 'unknown'
        # a name that none of the entries has
        name = rng.choice([self.new_key(), '/' + self.word(), '--' + self.word()])
        others = [r[0] for r in self.invented(rng.choice([1, 2, 3])) if name not in r[0]]
        return self.frame('about', name), others, rng.choice(self.talk['missing']), 'missing', 'missing'

    def follow_up(self):
        """A turn about a fact, then one that leans on it."""
        rng = self.rng
        while True:
            fact = rng.choice(self.facts.facts)
            first = self.question(fact)
            if rng.random() < 0.7 and fact['id'] in self.next:
                text, which = rng.choice(self.next[fact['id']])
            elif fact.get('back') and rng.random() < 0.6:
                text, which = rng.choice(BACK), fact['back']
            elif fact.get('see'):
                which = rng.choice(fact['see'])
                about = self.facts.by_id.get(which, {}).get('about')
                text = rng.choice(SEE).format(rng.choice(about)) if about else None
            else:
                continue
            if not first or not text:
                continue
            target = self.facts.by_id.get(which)
            if not target:
                continue
            entries = self.mixed(target, self.lookup(text, fact['id']))
            values = machine(rng)
            texts = [f['text'] for f in entries] + [target['text'], fact['text']]
            if rng.random() < 0.3:
                texts = self.alter(texts)
            *texts, answer, before = [fill(t, values) for t in texts]
            if target is fact:
                texts = [AS_SAID + t if t == answer else t for t in texts]
                answer = AS_SAID + answer
            return [(first, before)], text, texts, answer, target['id']

    def dense(self):
        """Several questions about the entries of one system message: more to learn
        from as many tokens."""
        rng = self.rng
        if rng.random() < 0.4:
            rows = [(text, self.frame(kind, phrase)) for text, kind, phrase in self.invented(3)]
        else:
            near = self.lookup(self.question(rng.choice(self.facts.facts)) or 'help')
            facts = near if len(near) > 1 and rng.random() < 0.6 else rng.sample(self.facts.facts, 3)
            asked = [(f['text'], self.question(f)) for f in facts]
            rows = [r for r in asked if r[1]] or self.dense()
            if isinstance(rows, dict):
                return rows
            if rng.random() < 0.4:
                rows = list(zip(self.alter([t for t, _ in rows]), [q for _, q in rows]))
        values = machine(rng)
        rows = [(fill(t, values), q) for t, q in rows]
        messages = [{'role': 'system', 'content': system_message(self.own_system()[0], [t for t, _ in rows])}]
        for text, question in rng.sample(rows, len(rows)):
            messages += [{'role': 'user', 'content': self.dress(question)},
                         {'role': 'assistant', 'content': self.answer(text)}]
        return {'messages': messages, 'kind': 'dense', 'id': 'dense', 'learn': len(rows)}

    def drill(self):
        """Entries of any words at all and questions for their names: nothing but
        reading helps, and each piece of the vocabulary is copied some time."""
        rng = self.rng

        def word():
            if rng.random() < 0.4:
                return rng.choice(self.words)
            text = ''.join(rng.choice('abcdefghijklmnopqrstuvwxyz') for _ in range(rng.randint(2, 7)))
            return rng.choice([text, text, text.capitalize(), '/' + text, '--' + text, str(rng.randrange(1000))])

        names = [self.word() if rng.random() < 0.5 else word() for _ in range(rng.choice([2, 3, 3, 3]))]
        rows = []
        for name in names:
            text = [name]
            for _ in range(rng.randint(3, 10)):
                # what stands there twice goes on in two ways
                text.append(rng.choice(text) if rng.random() < 0.2 else word())
            rows.append((name, ' '.join(text) + '.'))
        messages = [{'role': 'system', 'content': system_message(self.own_system()[0], [text for _, text in rows])}]
        for name, text in rng.sample(rows, len(rows)):
            messages += [{'role': 'user', 'content': self.frame('about', name)}, {'role': 'assistant', 'content': text}]
        return {'messages': messages, 'kind': 'drill', 'id': 'drill', 'learn': len(rows)}

    def dialogue(self):
        rng = self.rng
        if not self.held_out and rng.random() < self.drill_part:
            return self.drill()
        if not self.held_out and rng.random() < self.dense_part:
            return self.dense()
        own, name = self.own_system()
        self.begin()
        turns = []
        if not self.held_out and rng.random() < 0.25:
            part = rng.random()
            earlier, question, entries, answer, which = (self.one_more() if part < 0.22 else self.names(name) if part < 0.69
                                                         else self.follow_up())
            turns = [(self.dress(q), a) for q, a in earlier]
            kind = 'follow'
            if which in self.facts.by_id and rng.random() < 0.2:
                _, entries, answer, kind, which = self.unsure_turn(None)
        else:
            before = None
            long = rng.random() < 0.02
            while not self.held_out and (len(turns) < 8 if long else rng.random() < 0.25 and len(turns) < 3):
                question, _, answer, _, which = self.last_turn(own, name, before)
                turns.append((self.dress(question), answer))
                before = which if which in self.facts.by_id else before
            question, entries, answer, kind, which = self.last_turn(own, name, before)
        messages = [{'role': 'system', 'content': system_message(own, entries)}]
        for q, a in turns:
            messages += [{'role': 'user', 'content': q}, {'role': 'assistant', 'content': a}]
        messages += [{'role': 'user', 'content': self.dress(question)}, {'role': 'assistant', 'content': answer}]
        return {'messages': messages, 'kind': kind, 'id': which, 'learn': 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('n', type=int, help='how many dialogues')
    parser.add_argument('-o', '--output', default='-')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--held-out', action='store_true')
    args = parser.parse_args()
    maker = Maker(args.seed, args.held_out)
    out = sys.stdout if args.output == '-' else open(args.output, 'w')
    for _ in range(args.n):
        print(json.dumps(maker.dialogue(), ensure_ascii=False), file=out)
    out.close()


if __name__ == '__main__':
    main()
