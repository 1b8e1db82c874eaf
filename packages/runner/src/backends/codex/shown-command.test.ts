import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWords } from './shell-words.ts';
import { shownCommand } from './shown-command.ts';

test.for([
  ["/bin/zsh -lc 'npm test'", 'npm test'],
  ['bash -lc ls', 'ls'],
  [`bash -c "echo \\"\\$HOME\\""`, 'echo "$HOME"'],
  ["/usr/bin/bash -lc 'echo '\\''hi'\\'''", "echo 'hi'"],
  ['git status', 'git status'],
  ["python -c 'print(1)'", "python -c 'print(1)'"],
  ["bash -lc 'a' b", "bash -lc 'a' b"],
  ["bash -lc 'open", "bash -lc 'open"],
] as const)('%s is shown as %s', ([told, shown]) => {
  expect(shownCommand(told)).toBe(shown);
});

test('whatever script a shell is handed, it is shown as it was written', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (script) => {
      expect(shownCommand(`/bin/bash -lc '${script.replaceAll("'", `'\\''`)}'`)).toBe(script);
    }),
  );
});

test('words that are quoted are read as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
      expect(shellWords(line)).toEqual(words);
    }),
  );
});
