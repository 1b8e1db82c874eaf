import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainConfig } from './explain-config.ts';
import { loadConfig } from './load-config.ts';
import { secretSchema } from './secret.ts';

const schema = z.object({
  port: z.number().default(4747),
  host: z.string(),
  key: secretSchema,
  plain: secretSchema,
  address: z.string(),
  names: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  hook: z.string().default(''),
});

test('each value stands with its origin, and what is secret or came through a reference is masked', () => {
  const folder = tempFolder();
  const file = join(folder, 'dragoman.json');
  writeFileSync(
    file,
    '{\n  "key": "{env:KEY}",\n  "plain": "sk-written-down",\n  "address": "https://{env:HOST}/v1",\n  "names": ["a"],\n  "command": ["run", "--key", "abc"],\n  "hook": "https://ada:pw@d.example"\n}',
  );
  const overrides = [{ path: ['host'], value: '::1', source: '--host' }];
  const config = loadConfig({
    schema,
    file,
    isFileRequired: true,
    secretsFile: join(folder, 's'),
    env: { KEY: 'sk-1', HOST: 'inner' },
    overrides,
  });

  expect(explainConfig(config)).toEqual([
    { setting: 'port', value: '4747', from: 'default' },
    { setting: 'host', value: '"::1"', from: '--host' },
    { setting: 'key', value: '••••••', from: `${file}:2:10 through env:KEY` },
    { setting: 'plain', value: '••••••', from: `${file}:3:12` },
    { setting: 'address', value: '••••••', from: `${file}:4:14 through env:HOST` },
    { setting: 'names[0]', value: '"a"', from: `${file}:5:13` },
    { setting: 'command[0]', value: '"run"', from: `${file}:6:15` },
    { setting: 'command[1]', value: '"--key"', from: `${file}:6:22` },
    { setting: 'command[2]', value: '"••••••"', from: `${file}:6:31` },
    { setting: 'hook', value: '"https://••••••@d.example"', from: `${file}:7:11` },
  ]);
});
