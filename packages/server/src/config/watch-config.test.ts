import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from './load-config.ts';
import { writeLayerCopy } from '../shared-settings/shared-layer.ts';
import { serverConfigSchema } from './server-config.ts';
import { watchConfig } from './watch-config.ts';

/** A watched file, and the news about it one after the other. */
function watched(text: string | undefined, linkedTo = '') {
  const folder = tempFolder();
  const file = join(folder, 'dragoman.json');
  if (text === undefined) symlinkSync(linkedTo, file);
  else writeFileSync(file, text);
  const source = {
    schema: serverConfigSchema,
    file,
    isFileRequired: false,
    secretsFile: join(folder, 'secrets.json'),
    sharedFile: join(folder, 'shared-settings.json'),
    env: {},
    overrides: [],
  };

  const news: string[] = [];
  let wake = () => {};
  const tell = (text: string) => {
    news.push(text);
    wake();
  };
  const watch = watchConfig(source, loadConfig(source), {
    changed: ({ value }) => tell(`level ${value.log.level}`),
    refused: (error) => tell(`refused: ${(error as Error).message}`),
    heldBack: (problem) => tell(problem),
  });
  onTestFinished(() => watch.stop());
  const next = async () => {
    while (news.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return news.shift();
  };
  return { file, sharedFile: source.sharedFile, next, watch, news };
}

test('an edit is picked up, also one that puts a new file in the place of the old one', async () => {
  const { file, next } = watched('{}');

  writeFileSync(file, '{ "log": { "level": "debug" } }');
  expect(await next()).toBe('level debug');

  writeFileSync(`${file}.swp`, '{ "log": { "level": "warn" } }');
  renameSync(`${file}.swp`, file);
  expect(await next()).toBe('level warn');
});

test('a bad edit changes nothing and says so; taking it back is good news again', async () => {
  const { file, next } = watched('{ "log": { "level": "warn" } }');

  writeFileSync(file, '{ "log": { "levle": "debug" } }');
  expect(await next()).toBe(
    `refused: The configuration has a mistake:\n  ${file}:1:12  log.levle: unknown key; did you mean "level"?`,
  );

  writeFileSync(file, '{ "log": { "level": "warn" } }');
  expect(await next()).toBe('level warn');
});

test('a file that is removed changes nothing and is missed', async () => {
  const { file, next } = watched('{ "log": { "level": "warn" } }');

  rmSync(file);

  expect(await next()).toBe(`refused: The configuration file ${file} is not there.`);
});

test('a file behind a link is followed, too', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'real.json'), '{}');
  const { next } = watched(undefined, join(folder, 'real.json'));

  writeFileSync(join(folder, 'real.json'), '{ "log": { "level": "debug" } }');

  expect(await next()).toBe('level debug');
});

test('an edit that changes no setting is no news', async () => {
  const { file, next } = watched('{ "log": { "level": "warn" } }');

  writeFileSync(file, '// only a comment\n{ "log": { "level": "warn" } }');
  writeFileSync(file, '{ "log": { "level": "error" } }');

  expect(await next()).toBe('level error');
});

test('asked to, it reads at once, and what is wrong is thrown and remembered until it is mended', async () => {
  const { file, watch, news } = watched('{ "log": { "level": "warn" } }');
  const refusal = `The configuration has a mistake:\n  ${file}:1:12  log.levle: unknown key; did you mean "level"?`;

  writeFileSync(file, '{ "log": { "levle": "debug" } }');
  expect(() => watch.reload()).toThrow(refusal);
  expect(watch.problem).toBe(refusal);

  writeFileSync(file, '{ "log": { "level": "debug" } }');
  watch.reload();
  expect(watch.problem).toBe(undefined);
  expect(news).toEqual([`refused: ${refusal}`, 'level debug']);
});

test('what another process on the same folder took from the shared settings is picked up', async () => {
  const { sharedFile, next } = watched('{ "log": { "level": "warn" } }');

  writeLayerCopy(sharedFile, { number: 1, changes: [{ path: ['log', 'level'], value: 'debug' }], secrets: {} });

  expect(await next()).toBe('level debug');
});

test('what servers share is taken but for what cannot be in force, which is told once', async () => {
  const { sharedFile, next, news, watch } = watched('{}');
  const bad = { path: ['log', 'format'], value: 'loud' };
  const level = (value: string) => ({ path: ['log', 'level'], value });
  const share = (value: string) => writeLayerCopy(sharedFile, { number: 1, changes: [bad, level(value)], secrets: {} });

  share('warn');
  watch.reload();
  share('debug');
  watch.reload();

  expect(watch.problem).toMatch(
    /^Not all settings that the servers share .*:\n {2}log\.format: expected one of [^\n]+$/,
  );
  expect([await next(), await next(), await next(), news]).toEqual([watch.problem, 'level warn', 'level debug', []]);
});
