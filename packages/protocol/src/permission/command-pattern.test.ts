import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandSpellings, compileCommandPattern, normalizeCommand } from './command-pattern.ts';

const matches = (pattern: string, command: string) => compileCommandPattern(pattern)(normalizeCommand(command));

test('gaps count once, and what is quoted stays as it is', () => {
  expect(normalizeCommand('  git \t push  ')).toBe('git push');
  expect(normalizeCommand('echo "a  b"   \'c  d\'')).toBe('echo "a  b" \'c  d\'');
  expect(normalizeCommand('git \\\n  push')).toBe('git push');
  expect(normalizeCommand('a\\  b')).toBe('a\\  b');
  expect(normalizeCommand("echo 'a\\'  b")).toBe("echo 'a\\' b");
  expect(normalizeCommand('echo a\n  b')).toBe('echo a\n b');
});

test('bringing a command into form twice changes nothing more', () => {
  const commands = fc
    .array(fc.constantFrom('a', ' ', '\t', '\n', '\\', '"', "'", '*', '[', ']', '\\\n'), { maxLength: 12 })
    .map((pieces) => pieces.join(''));

  fc.assert(
    fc.property(commands, (command) => {
      const once = normalizeCommand(command);
      expect(normalizeCommand(once)).toBe(once);
    }),
    { seed: 23, numRuns: 2_000 },
  );
});

test('a last star after a gap also means no arguments at all [ACC-21]', () => {
  expect(matches('git push *', 'git push')).toBe(true);
  expect(matches('git push *', 'git  push origin')).toBe(true);
  expect(matches('git push *', 'git pushy')).toBe(false);
  expect(matches('git push*', 'git pushy')).toBe(true);
  expect(matches('git', 'git push')).toBe(false);
  expect(matches('echo [*]', 'echo')).toBe(false);
});

test('a command is also known by what it comes down to', () => {
  expect(commandSpellings('ls -l')).toEqual(['ls -l']);
  expect(commandSpellings('/bin/rm  -rf x')).toEqual(['/bin/rm -rf x', 'rm -rf x']);
  expect(commandSpellings('\\rm x')).toEqual(['\\rm x', 'rm x']);
  expect(commandSpellings('A=1 B+=2 rm.exe x')).toEqual(['A=1 B+=2 rm.exe x', 'rm x']);
  expect(commandSpellings('A=1')).toEqual(['A=1']);
  expect(commandSpellings('sudo -u me rm x')).toContain('rm x');
  expect(commandSpellings('find . | xargs rm')).not.toContain('rm');
  expect(commandSpellings('bash -c "cd a && rm -rf  b"')).toContain('rm -rf b');
  expect(commandSpellings('')).toEqual(['']);
});
