import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMAND_NAMES, type CommandName } from './command-names.ts';
import { parseCommand } from './parse-command.ts';
import { parseNew } from './parse-new.ts';
import { newCommand } from './offer-places.ts';

test('a command is a slash of either width and a name of either language, in any case', () => {
  for (const name of Object.keys(COMMAND_NAMES) as CommandName[])
    for (const word of [...COMMAND_NAMES[name].en, ...COMMAND_NAMES[name].zh])
      for (const text of [`/${word}`, `／${word}`, ` /${word.toUpperCase()} `])
        expect(parseCommand(text)).toEqual({ type: 'command', name, args: '' });
  expect(parseCommand('/switch  the login page ')).toEqual({ type: 'command', name: 'switch', args: 'the login page' });
  expect(parseCommand('/new able\nfix it\nnow')).toEqual({ type: 'command', name: 'new', args: 'able\nfix it\nnow' });
  expect(parseCommand('/new\nfix it')).toEqual({ type: 'command', name: 'new', args: 'fix it' });
});

test('in Chinese no space is needed behind a name', () => {
  expect(parseCommand('/搜索登录失败')).toEqual({ type: 'command', name: 'search', args: '登录失败' });
  expect(parseCommand('/切换2')).toEqual({ type: 'command', name: 'switch', args: '2' });
  expect(parseCommand('/取消静音')).toEqual({ type: 'command', name: 'unmute', args: '' });
});

test('a path and a fraction are no commands, and an unknown word is told', () => {
  for (const text of ['hello', '/usr/bin/env is missing', '1/2', '//compact', '/', '/ new', '!new', ''])
    expect(parseCommand(text)).toBeUndefined();
  expect(parseCommand('/swich 2')).toEqual({ type: 'unknown', word: 'swich' });
});

test('any text is a command or a prompt, and nothing throws', () => {
  const agents = new Set(['able', 'scribe']);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom('/', '／', '@', '"', '“', '”', '\\', ' ', '\n', '~', 'n', 'e', 'w', '新', '建', '1'),
    }),
  );
  fc.assert(
    fc.property(text, (given) => {
      for (const one of [given, `/${given}`, `／新建${given}`]) {
        const parsed = parseCommand(one);
        const words = parsed?.type === 'unknown' ? [parsed.word] : [];
        const rest = parsed?.type === 'command' ? parseNew(parsed.args, agents).prompt : '';
        expect([...words, rest].every((word) => word.split(/\s+/).every((piece) => one.includes(piece)))).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a new session names an agent, a folder and a machine in any order; what is left is the prompt', () => {
  const agents = new Set(['able', 'claude code']);
  expect(parseNew('able ~/app @desk', agents)).toEqual({
    agent: 'able',
    folder: '~/app',
    machine: 'desk',
    prompt: '',
    isPromptOnLine: false,
  });
  expect(parseNew('@desk “/my app” Able fix able\nsoon', agents)).toEqual({
    agent: 'able',
    folder: '/my app',
    machine: 'desk',
    prompt: 'fix able\nsoon',
    isPromptOnLine: true,
  });
  expect(parseNew('C:\\code fix it', agents)).toMatchObject({ folder: 'C:\\code', prompt: 'fix it' });
  expect(parseNew('', agents)).toEqual({ prompt: '', isPromptOnLine: false });
});

test('the button of a place says exactly that place, whatever it is called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (name, said) => {
      const agent = `a${name.replaceAll('\n', '')}`.toLowerCase();
      const folder = `/${name}`;
      fc.pre(agent.trim() === agent && said.trim() === said);
      const taker = { agent, capabilities: {} };
      const text = newCommand({ agent, folder, runnerId: 'run_desk', machine: 'desk', taker }, said);
      const parsed = parseCommand(text);
      expect(parsed).toMatchObject({ type: 'command', name: 'new' });
      expect(parseNew((parsed as { args: string }).args, new Set([agent]))).toEqual({
        agent,
        folder,
        machine: 'run_desk',
        prompt: said,
        isPromptOnLine: false,
      });
    }),
  );
});
