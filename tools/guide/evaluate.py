"""Asks the guide in the sotto binary the held-out questions and prints every miss.
The program looks up; with --look-up python that is done here, as in training."""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from evaluate_lookup import DECLINES, SETS
from facts import Facts, fill, is_right, load, machine
from generate import AS_SAID, DEFAULT_SYSTEM, OR, Maker, either, system_message
from retrieve import Index, stem


RIGHT = ('right', 'second')


def is_new(text, told):
    """Whether less than half of the sentences stand in one of those told."""
    sentences = set(text.split('. '))
    return all(len(sentences & set(old.split('. '))) * 2 < len(sentences) for old in told)


class Guide:
    def __init__(self, args):
        self.args = args
        self.facts = Facts()
        self.index = Index(self.facts)
        self.talk = load('talk.yaml')
        self.texts = {f['id']: re.sub(r'\\{\w+\\}', '.+', re.escape(f['text'])) for f in self.facts.facts}
        self.user_said = next(row['say'] for row in self.talk['talk'] if row['id'] == 'user-name')
        self.values = dict(machine(), name='the guide of sotto')
        self.model = args.model
        if args.look_up == 'python':
            # a copy that the program does not know as the guide
            self.folder = tempfile.TemporaryDirectory()
            self.model = os.path.join(self.folder.name, 'guide.gguf')
            with open(args.model, 'rb') as old, open(self.model, 'wb') as new:
                new.write(old.read().replace(b'sotto.guide', b'sotto.plain', 1))

    def reply(self, messages):
        """What the model says to messages as in generate.py. All but the last
        one stand in a prompt template, since texts cannot hold control tokens."""
        def raw(text):
            return json.dumps('{% raw %}' + text + '{% endraw %}')

        parts = []
        own = messages.pop(0)['content'] if messages[0]['role'] == 'system' else None
        if own and self.args.look_up == 'python':
            parts.append('system: %s\n' % raw(own))
        own = ['--system-prompt', own] if own and not parts else []
        if len(messages) > 1:
            parts.append('messages:\n' + ''.join('  - %s: %s\n' % (m['role'], raw(m['content'])) for m in messages[:-1]))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'asked.yaml'), 'w') as f:
                f.write(''.join(parts))
            done = subprocess.run(
                [self.args.sotto, 'run', '-m', self.model, '-p', messages[-1]['content'], '-n', '250', '--temp', str(self.args.temp),
                 '-s', '1', '-t', '1'] + own + (['--prompt-dir', folder, '-T', 'asked'] if parts else []),
                capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode == 1 and b'can only answer' in done.stderr:
            return self.facts.declines[0]
        if done.returncode:
            sys.exit(done.stderr.decode())
        return done.stdout.decode(errors='replace').strip()

    def ask(self, question, history=(), own=None):
        """(the reply, the entries that were looked up)"""
        asked = [m['content'] for m in history if m['role'] == 'user'] + [question]
        found, told = self.index.converse(asked)
        entries = [f['text'] for _, f in found]
        if self.args.look_up == 'python':
            texts = [fill(e, self.values) for e in entries]
            texts = [either(*texts)] if len(texts) > 1 else texts
            own = system_message(own or DEFAULT_SYSTEM, [AS_SAID + texts[0]] if told else texts)
        messages = [{'role': 'system', 'content': own}] if own else []
        return self.reply(messages + [*history, {'role': 'user', 'content': question}]), entries

    def says(self, fact, reply):
        """Whether a reply is right and has no number of its own; what the program filled in may be anything."""
        if self.args.look_up == 'program' and '{' in fact['text']:
            return bool(re.search(self.texts[fact['id']], reply))
        told, known = (set(re.findall(r'\d+(?:\.\d+)?', text)) for text in (reply, fill(fact['text'], self.values)))
        return is_right(fact, reply, self.values) and told <= known

    def parts(self, reply):
        """What a reply tells: an entry, or the two of which it is not sure."""
        return reply.split(' ' + OR)

    def is_garbled(self, reply):
        """Whether one of two parts is neither an entry nor a refusal."""
        parts = self.parts(reply)
        return len(parts) > 1 and not all(self.declines(part) or any(re.search(text, part) for text in self.texts.values()) for part in parts)

    def declines(self, reply):
        if any(reply.startswith(self.facts.by_id[which]['text']) for which in DECLINES):
            return True
        return '/model' in reply and any(reply.startswith(d[:12]) for d in self.facts.declines + self.talk['declines'] + self.talk['unsure'] + self.talk['missing'])

    def is_name_of(self, reply, question):
        """Whether a reply greets somebody by a word of the question that says nothing else."""
        names = [re.fullmatch(re.escape(said).replace(re.escape('{user}'), '(.+)'), reply) for said in self.user_said]
        words = set(re.findall(r"[\w'-]+", question)) - {w for w in question.split() if stem(w.lower()) in self.index.noise}
        return any(m and m.group(1) in words for m in names)

    def judge(self, wanted, reply, question='', told=()):
        """'right', 'second' (right, as the second of two), 'declined' or 'wrong'; a story or a joke that was `told` is no new one."""
        rows = {r['id']: r for r in self.talk['talk']}
        facts = [self.facts.by_id[one] for one in wanted.split('|') if one in self.facts.by_id]
        if self.is_garbled(reply):
            return 'wrong'
        for place, part in zip(('right', 'second'), self.parts(reply)):
            if any(self.says(fact, part) for fact in facts):
                return place
        for one in wanted.split('|'):
            if one == 'decline':
                if self.declines(reply):
                    return 'right'
            elif one == 'story':
                if reply.count('.') >= 4 and is_new(reply, told):
                    return 'right'
            elif one in rows and (not rows[one].get('again') or is_new(reply, told)):
                has = [p.lower() for has in rows[one]['has'] for p in fill(has, self.values).split('|')]
                if any(p in reply.lower() for p in has) or one == 'user-name' and self.is_name_of(reply, question):
                    return 'right'
        return 'declined' if self.declines(reply) else 'wrong'


def report(name, results, n_both=0):
    """`n_both`: replies that told two entries."""
    counts = [results.count('right') + results.count('second'), *(results.count(r) for r in ('second', 'declined', 'wrong')), n_both]
    print('%s: %d asked, right %.1f %% (as the second of two %.1f %%), declined %.1f %%, wrong %.1f %%; two told %.1f %%' % (
        name, len(results), *(100 * count / max(1, len(results)) for count in counts)), flush=True)


def single(guide, name, questions):
    results = []
    with ThreadPoolExecutor(guide.args.jobs) as pool:
        replies = list(pool.map(lambda row: guide.ask(row[1]), questions))
    for (wanted, question), (reply, entries) in zip(questions, replies):
        result = guide.judge(wanted, reply, question)
        results.append(result)
        if result not in RIGHT:
            texts = [guide.facts.by_id[w]['text'] for w in wanted.split('|') if w in guide.facts.by_id]
            at = [entries.index(t) + 1 for t in texts if t in entries]
            note = ', not looked up' if texts and not at else ', entry %d' % min(at) if at else ', %d entries' % len(entries)
            print('%s %s: %s (%s%s)\n    %s' % (name, result, question, wanted, note, reply))
    report(name, results, sum(len(guide.parts(reply)) > 1 for reply, _ in replies))


def held_out(guide, n):
    """Questions of held-out frames and phrases about every fact in turn."""
    maker = Maker(7, held_out=True)
    out = []
    while len(out) < n:
        for fact in maker.facts.facts:
            question = maker.question(fact)
            if question and len(out) < n:
                out.append((fact['id'], maker.dress(question)))
    return out


def converse(guide, name, dialogues):
    def run(turns):
        history, rows = [], []
        for question, wanted in turns:
            reply, _ = guide.ask(question, history)
            before = history[-2]['content'] if history else None
            told = [m['content'] for m in history if m['role'] == 'assistant']
            rows.append((guide.judge(wanted, reply, question, told), before, question, wanted, reply))
            history += [{'role': 'user', 'content': question}, {'role': 'assistant', 'content': reply}]
        return rows

    with ThreadPoolExecutor(guide.args.jobs) as pool:
        done = list(pool.map(run, dialogues))
    for row in [r for rows in done for r in rows if r[0] not in RIGHT]:
        print('%s %s: %s -> %s (%s)\n    %s' % (name, *row))
    report('turns of ' + name, [r[0] for rows in done for r in rows], sum(len(guide.parts(r[-1])) > 1 for rows in done for r in rows))
    print('%s right in all turns: %d of %d' % (name, sum(all(r[0] in RIGHT for r in rows) for rows in done), len(done)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('model')
    parser.add_argument('--sotto', default='./sotto')
    parser.add_argument('--temp', type=float, default=0)
    parser.add_argument('--look-up', choices=['program', 'python'], default='program')
    parser.add_argument('--jobs', type=int, default=2, help='questions at a time')
    parser.add_argument('--most', type=int, default=10000, help='questions of each set')
    parser.add_argument('--sets', default=','.join(['held-out', *SETS, 'names']))
    args = parser.parse_args()
    guide = Guide(args)
    sets = args.sets.split(',')

    def thin(rows):
        step = max(1, len(rows) // args.most)
        return rows[::step][:args.most]

    if 'held-out' in sets:
        single(guide, 'held-out', held_out(guide, min(300, args.most)))
    for name in sets:
        if name.startswith('strangers'):
            single(guide, name, thin([(w, q) for w, qs in load(name + '.yaml').items() for q in qs]))
        elif name.startswith('unrelated'):
            single(guide, name, thin([('decline', q) for q in load(name + '.yaml')]))
        elif name.startswith('dialogues'):
            converse(guide, name, thin(load(name + '.yaml')))
    if 'names' in sets:
        results = []
        for name in ['Zelda', 'Bruno', 'Mortimer', 'Kiki', 'Tarlo'][:args.most]:
            reply, _ = guide.ask("what's your name?", own='You are %s, a guide.' % name)
            results.append('right' if name in reply else 'wrong')
            if name not in reply:
                print('names wrong: %s\n    %s' % (name, reply))
        report('names', results)
    return 0


if __name__ == '__main__':
    sys.exit(main())
