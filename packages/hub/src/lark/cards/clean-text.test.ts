import { partMaker } from '@dragoman/protocol';
import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { cleanLine, cleanOutput, cleanProse, cleanText } from './clean-text.ts';
import { larkRenderer } from './card-renderer.ts';

test('titles and commands show every mark that nobody sees, and an answer only those that turn letters around', () => {
  expect(cleanText('rm\u200b -rf \u202e/emoh\ud800')).toBe('rm⟨U+200B⟩ -rf ⟨U+202E⟩/emoh\ufffd');
  expect(cleanLine('in\u2060voice\u202efdp.exe', 60)).toBe('in⟨U+2060⟩voice⟨U+202E⟩fdp.exe');
  expect(cleanOutput('\u001b[31mred\u001b[0m\u00ad')).toBe('red⟨U+00AD⟩');
  expect(cleanProse('so\u00adft \u202elive 👩‍💻\ud800')).toBe('soft ⟨U+202E⟩live 👩‍💻\ufffd');
});

test('a command, a title and the name of a file hide nothing in a card', () => {
  const session = sessionOf();
  session.turn('go');
  session.block('assistant', {
    type: 'tool_use',
    id: 'call_1',
    name: 'bash',
    title: 'List\u200b files',
    input: { command: 'ls \u2066\u202e; echo\u{e0041}' },
  });
  session.block('assistant', {
    type: 'file',
    media_type: 'application/pdf',
    name: 'bill\u202efdp.exe',
    url: 'https://a.example/bill',
  });
  const view = session.view();
  const scene = { view, language: 'en' as const, link: undefined, ownPrompts: new Map<string, string>() };

  const cards = JSON.stringify(partMaker()(view).flatMap((part) => larkRenderer.part(part, scene)));

  expect(cards).toContain('ls ⟨U+2066⟩⟨U+202E⟩; echo⟨U+E0041⟩');
  expect(cards).toContain('bill⟨U+202E⟩fdp.exe');
  expect(cards).not.toMatch(/[\u200b\u202e\u2066]|\u{e0041}/u);
});
