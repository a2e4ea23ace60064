"""Asks the guide in the sotto binary the held-out questions and prints every miss.
What the program looks up is looked up here and put into the system prompt."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import yaml

from facts import FOLDER, Facts, fill, is_right, machine
from generate import DEFAULT_SYSTEM, Maker, held, system_message
from retrieve import Index


def load(name):
    with open(os.path.join(FOLDER, name)) as f:
        return yaml.load(f, yaml.BaseLoader)


class Guide:
    def __init__(self, args):
        self.args = args
        self.facts = Facts()
        self.index = Index(self.facts, (lambda f, p: held(p)) if args.index == 'held-out' else None)
        self.talk = load('talk.yaml')
        self.values = dict(machine(), name='the guide of sotto')

    def reply(self, messages):
        """What the model says to messages as in generate.py. All but the last
        one stand in a prompt template, since texts cannot hold control tokens."""
        def raw(text):
            return json.dumps('{% raw %}' + text + '{% endraw %}')

        yaml_text = 'system: %s\nmessages:\n' % raw(messages[0]['content'])
        yaml_text += ''.join('  - %s: %s\n' % (m['role'], raw(m['content'])) for m in messages[1:-1])
        if len(messages) == 2:
            yaml_text = yaml_text.replace('messages:\n', '')
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, 'asked.yaml'), 'w') as f:
                f.write(yaml_text)
            done = subprocess.run(
                [self.args.sotto, 'run', '-m', self.args.model, '--prompt-dir', folder, '-T', 'asked', '-p',
                 messages[-1]['content'], '-n', '120', '--temp', str(self.args.temp), '-s', '1', '-t', '1'],
                capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(done.stderr.decode())
        return done.stdout.decode(errors='replace').strip()

    def ask(self, question, before=None, history=(), own=DEFAULT_SYSTEM):
        entries = [fill(f['text'], self.values) for _, f in self.index.lookup(question, before)]
        messages = [{'role': 'system', 'content': system_message(own, entries)}, *history,
                    {'role': 'user', 'content': question}]
        return self.reply(messages), entries

    def declines(self, reply):
        return '/model' in reply and any(reply.startswith(d[:12]) for d in self.talk['declines']) or \
            any(reply.startswith(d[:20]) for d in self.talk['missing'])

    def judge(self, wanted, reply, question=''):
        """'right', 'declined' or 'wrong'."""
        rows = {r['id']: r for r in self.talk['talk']}
        for one in wanted.split('|'):
            if one == 'decline':
                if self.declines(reply):
                    return 'right'
            elif one == 'story':
                if reply.count('.') >= 4:
                    return 'right'
            elif one in rows:
                values = dict(self.values, user=question.split()[-1])
                if any(p in reply.lower() for has in rows[one]['has'] for p in fill(has, values).lower().split('|')):
                    return 'right'
            elif is_right(self.facts.by_id[one], reply, self.values):
                return 'right'
        return 'declined' if self.declines(reply) else 'wrong'


def report(name, results):
    n = max(1, len(results))
    print('%s: %d asked, right %.1f %%, declined %.1f %%, wrong %.1f %%' % (
        (name, len(results)) + tuple(100 * results.count(r) / n for r in ('right', 'declined', 'wrong'))), flush=True)


def single(guide, name, questions):
    results = []
    for wanted, question in questions:
        reply, entries = guide.ask(question)
        result = guide.judge(wanted, reply, question)
        results.append(result)
        if result != 'right':
            looked = any(guide.facts.by_id[w]['text'] and fill(guide.facts.by_id[w]['text'], guide.values) in entries
                         for w in wanted.split('|') if w in guide.facts.by_id)
            print('%s %s: %s (%s%s)\n    %s' % (name, result, question, wanted, '' if looked else ', not looked up', reply))
    report(name, results)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('model')
    parser.add_argument('--sotto', default='./sotto')
    parser.add_argument('--temp', type=float, default=0)
    parser.add_argument('--index', choices=['all', 'held-out'], default='all',
                        help='whether the look-up knows the phrases that were held out of the training')
    parser.add_argument('--most', type=int, default=10000, help='questions of each set')
    parser.add_argument('--sets', default='held-out,strangers,unrelated,dialogues,names')
    args = parser.parse_args()
    guide = Guide(args)
    sets = args.sets.split(',')

    def thin(rows):
        step = max(1, len(rows) // args.most)
        return rows[::step][:args.most]

    if 'held-out' in sets:
        single(guide, 'held-out', held_out(guide, min(300, args.most)))
    if 'strangers' in sets:
        single(guide, 'strangers', thin([(w, q) for w, qs in load('strangers.yaml').items() for q in qs]))
    if 'unrelated' in sets:
        single(guide, 'unrelated', thin([('decline', q) for q in load('unrelated.yaml')]))
    if 'dialogues' in sets:
        results = []
        for turns in thin(load('dialogues.yaml')):
            history, before = [], None
            for question, wanted in turns:
                reply, _ = guide.ask(question, before, history)
                results.append(guide.judge(wanted, reply, question))
                if results[-1] != 'right':
                    print('dialogues %s: %s -> %s (%s)\n    %s' % (results[-1], before, question, wanted, reply))
                history += [{'role': 'user', 'content': question}, {'role': 'assistant', 'content': reply}]
                before = question
        report('turns of dialogues', results)
        whole = [all(r == 'right' for r in results[i:i + 3]) for i in range(0, len(results), 3)]
        print('dialogues right in all turns: %d of %d' % (sum(whole), len(whole)))
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
