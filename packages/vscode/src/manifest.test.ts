import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Manifest {
  engines: { vscode: string };
  devDependencies: Record<string, string>;
  contributes: {
    commands: { command: string; title: string; category?: string }[];
    configuration: { properties: Record<string, { scope: string }> };
  };
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as unknown;
const manifest = read('package.json') as Manifest;
const { commands, configuration } = manifest.contributes;

test('the palette has the settings under the name the specification gives, in Chinese and in English [EDITOR-07]', () => {
  const settings = commands.find(({ command }) => command === 'dragoman.settings');
  expect(settings).toEqual({ command: 'dragoman.settings', title: '%command.settings%' });
  expect(read('package.nls.zh-cn.json')).toMatchObject({ 'command.settings': 'Augment: BYOK 设置...' });
  expect(read('package.nls.json')).toMatchObject({ 'command.settings': 'Augment: BYOK Settings...' });
});

test('every setting has the scope of the machine: no repository can name a program or an address', () => {
  for (const [name, { scope }] of Object.entries(configuration.properties))
    expect([name, scope]).toEqual([name, 'machine']);
});

test('every text of the manifest is there in English and in Chinese', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const names = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, name]) => name!));
  for (const file of ['package.nls.json', 'package.nls.zh-cn.json'])
    expect(Object.keys(read(file) as object).toSorted()).toEqual([...names].toSorted());
});

test('the types are those of the oldest editor that is supported', () => {
  expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode']}`);
});
