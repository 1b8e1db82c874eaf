import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeConfiguration, writeConfiguration } from './write-configuration.ts';

const byPanel = {
  providers: { byok: { type: 'openai-chat', models: ['m'] } },
  routes: { default: { targets: ['byok/m'] }, '*': { targets: ['byok/m'] } },
  augment: { baseUrl: 'https://example.com' },
};

test('what a person wrote stays to the letter, and what the panel decides is replaced or gone', () => {
  const kept = `{
  // The shape of this file.
  "$schema": "./dragoman.schema.json",
  "log": { "level": "debug" }, // While I look for something.
  "providers": {
    "byok": { "type": "openai-chat", "models": ["old"] },
    "mine": { "type": "ollama" }, /* at home */
  },
  "routes": { "default": ["mine/x"], "fast": ["mine/y"] },
  "retrieval": { "engine": "ripgrep", "keepUnusedDays": 7 },
  "augment": {
    "token": "{env:OLD}",
    // Mine, not the panel's.
    "models": ["a"],
  },
}
`;
  const changed = changeConfiguration('dragoman.json', kept, byPanel);

  expect(changed).toBe(`{
  // The shape of this file.
  "$schema": "./dragoman.schema.json",
  "log": { "level": "debug" }, // While I look for something.
  "providers": {
    "byok": { "type": "openai-chat", "models": ["m"] },
    "mine": { "type": "ollama" }, /* at home */
  },
  "routes": { "default": {
    "targets": ["byok/m"]
  }, "fast": ["mine/y"], "*": { "targets": ["byok/m"] } },
  "retrieval": { "keepUnusedDays": 7 },
  "augment": {
    // Mine, not the panel's.
    "models": ["a"],
    "baseUrl": "https://example.com",
  },
}
`);
  expect(changeConfiguration('dragoman.json', changed, {})).toBe(`{
  // The shape of this file.
  "$schema": "./dragoman.schema.json",
  "log": { "level": "debug" }, // While I look for something.
  "providers": {
    "mine": { "type": "ollama" }, /* at home */
  },
  "routes": { "fast": ["mine/y"] },
  "retrieval": { "keepUnusedDays": 7 },
  "augment": {
    // Mine, not the panel's.
    "models": ["a"],
  },
}
`);
});

test('doing it twice changes nothing, whatever stands in the sections', () => {
  const section = fc.dictionary(fc.constantFrom('byok', 'mine', 'default', '*', 'fast', 'token'), fc.jsonValue());
  const anything = fc.dictionary(fc.constantFrom('providers', 'routes', 'augment', 'log'), section);
  fc.assert(
    fc.property(anything, fc.constantFrom(undefined, 2, '\t'), (kept, indent) => {
      const once = changeConfiguration('dragoman.json', JSON.stringify(kept, undefined, indent), byPanel);
      expect(changeConfiguration('dragoman.json', once, byPanel)).toBe(once);
      expect(JSON.parse(once)).toMatchObject(byPanel);
    }),
    { seed: 10 },
  );
});

test('the file is for one person alone, and several windows may write it at once', async () => {
  const folder = tempFolder();
  const file = join(folder, 'dragoman.json');
  writeFileSync(file, '// Nothing yet.\n', { mode: 0o644 });
  await Promise.all(Array.from({ length: 10 }, () => writeConfiguration(file, byPanel)));
  const text = readFileSync(file, 'utf8');
  expect(text.startsWith('// Nothing yet.\n{')).toBe(true);
  expect(JSON.parse(text.slice('// Nothing yet.\n'.length))).toEqual(byPanel);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['dragoman.json']);
});

test.each([
  ['{ "broken', 'line 1, column 3'],
  ['{ "a": 1 "b": 2 }', 'line 1, column 10'],
  ['[]', 'The configuration is a list'],
  ['{ "providers": [1] }', 'providers is a list'],
])('a file that cannot be changed is named and left as it is: %s', async (text, why) => {
  const file = join(tempFolder(), 'dragoman.json');
  writeFileSync(file, text);

  const refusal = await writeConfiguration(file, byPanel).catch((error: unknown) => error);

  expect(refusal).toMatchObject({ code: 'config-invalid', message: expect.stringContaining(why) });
  expect(refusal).toMatchObject({ message: expect.stringContaining(`The configuration ${file} cannot be changed`) });
  expect(readFileSync(file, 'utf8')).toBe(text);
});
