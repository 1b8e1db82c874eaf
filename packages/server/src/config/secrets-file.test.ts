import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { SecretsFile } from './secrets-file.ts';

test('secrets are kept in a file that only its owner can read', () => {
  const file = join(tempFolder(), 'inner', 'secrets.json');
  const secrets = new SecretsFile(file);

  secrets.set('openai', 'sk-1');
  secrets.set('anthropic', 'sk-2');
  secrets.set('openai', 'sk-3');

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.fromEntries(new SecretsFile(file).read())).toEqual({ openai: 'sk-3', anthropic: 'sk-2' });
  expect(secrets.remove('openai')).toBe(true);
  expect(secrets.remove('openai')).toBe(false);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ anthropic: 'sk-2' });
});

test('a name that could not be referred to is refused', () => {
  const secrets = new SecretsFile(join(tempFolder(), 'secrets.json'));

  expect(() => secrets.set('a}b', 'x')).toThrow(
    '"a}b" is not a valid secret name; it must start with a letter or digit, followed by letters, digits, ".", "-" and "_"',
  );
});

test('a name that JSON would swallow is refused', () => {
  expect(() => new SecretsFile(join(tempFolder(), 'secrets.json')).set('__proto__', 'x')).toThrow(
    '"__proto__" is not a valid secret name',
  );
});

test('a broken secrets file is reported without what stands in it', () => {
  const file = join(tempFolder(), 'secrets.json');
  writeFileSync(file, '{"key": sk-live-1234', { mode: 0o600 });

  expect(() => new SecretsFile(file).read()).toThrow(
    `${file} is not a JSON object of names and texts; correct it or remove it`,
  );
});

test('several are changed at once, and what they were puts them back', () => {
  const secrets = new SecretsFile(join(tempFolder(), 'secrets.json'));
  secrets.set('kept', '1');
  secrets.set('changed', '2');
  secrets.set('removed', '3');
  const before = secrets.read();

  const undo = secrets.change(
    new Map([
      ['changed', '4'],
      ['removed', undefined],
      ['added', '5'],
    ]),
  );

  expect(secrets.read()).toEqual(
    new Map([
      ['kept', '1'],
      ['changed', '4'],
      ['added', '5'],
    ]),
  );
  secrets.change(undo);
  expect(secrets.read()).toEqual(before);
  expect(() =>
    secrets.change(
      new Map([
        ['good', '1'],
        ['a b', '2'],
      ]),
    ),
  ).toThrow('"a b" is not a valid secret name');
  expect(secrets.read()).toEqual(before);
});
