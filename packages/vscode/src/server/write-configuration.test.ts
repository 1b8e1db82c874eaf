import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeConfiguration, writeConfiguration } from './write-configuration.ts';

const byPanel = {
  providers: { byok: { type: 'openai-chat', models: ['m'] } },
  routes: { default: { targets: ['byok/m'] }, '*': { targets: ['byok/m'] } },
  augment: { baseUrl: 'https://example.com' },
};

test('what was set in the console stays, and what the panel decides is replaced or gone', () => {
  const kept = {
    $schema: './dragoman.schema.json',
    log: { level: 'debug' },
    providers: { byok: { type: 'openai-chat', models: ['old'] }, mine: { type: 'ollama' } },
    routes: { default: ['mine/x'], fast: ['mine/y'] },
    augment: { token: '{env:OLD}' },
  };

  expect(mergeConfiguration(kept, byPanel)).toEqual({
    $schema: './dragoman.schema.json',
    log: { level: 'debug' },
    providers: { ...byPanel.providers, mine: { type: 'ollama' } },
    routes: { ...byPanel.routes, fast: ['mine/y'] },
    augment: { baseUrl: 'https://example.com' },
  });
  expect(mergeConfiguration(mergeConfiguration(kept, byPanel), {})).toEqual({
    $schema: './dragoman.schema.json',
    log: { level: 'debug' },
    providers: { mine: { type: 'ollama' } },
    routes: { fast: ['mine/y'] },
  });
});

test('doing it twice changes nothing, whatever stands in the file', () => {
  const section = fc.dictionary(fc.constantFrom('byok', 'mine', 'default', '*', 'fast'), fc.jsonValue());
  const anything = fc.dictionary(
    fc.constantFrom('providers', 'routes', 'augment', 'log'),
    fc.oneof(section, fc.jsonValue()),
  );
  fc.assert(
    fc.property(anything, (kept) => {
      const once = mergeConfiguration(kept, byPanel);
      expect(mergeConfiguration(once, byPanel)).toEqual(once);
    }),
    { seed: 10 },
  );
});

test('the file is for one person alone, and one that is broken is replaced', async () => {
  const folder = tempFolder();
  const file = join(folder, 'dragoman.json');
  writeFileSync(file, '{ "broken', { mode: 0o644 });
  await Promise.all(Array.from({ length: 10 }, () => writeConfiguration(file, byPanel)));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(byPanel);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['dragoman.json']);
});
