import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigInvalidError, type ConfigProblem } from './config-problem.ts';
import { type ConfigOverride, loadConfig } from './load-config.ts';
import { Secret, secretSchema } from './secret.ts';
import { configSchema, serverConfigShape } from './server-config.ts';

const schema = configSchema({
  ...serverConfigShape,
  retryMinutes: z.number().positive().lt(9).default(1),
  extensions: z.array(z.string().regex(/^\.\w+$/, 'expected an extension such as ".ts"')).optional(),
  providers: z
    .record(
      z.string().regex(/^[^/]+$/, 'expected a name without "/"'),
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('chat'), apiKey: secretSchema, models: z.array(z.string()).default([]) }),
        z.strictObject({ type: z.literal('offline') }),
      ]),
    )
    .default({}),
  routes: z
    .record(
      z.string(),
      z.union([
        z.array(z.string()),
        z.strictObject({ targets: z.array(z.string()), temperature: z.number().optional() }),
      ]),
    )
    .default({}),
});

function source(
  text: string,
  options: { env?: Record<string, string>; overrides?: ConfigOverride[]; folder?: string } = {},
) {
  const folder = options.folder ?? tempFolder();
  const file = join(folder, 'dragoman.json');
  writeFileSync(file, text);
  return {
    schema,
    file,
    isFileRequired: false,
    secretsFile: join(folder, 'secrets.json'),
    env: options.env ?? {},
    overrides: options.overrides ?? [],
  };
}

function problemsOf(config: Parameters<typeof loadConfig>[0]): readonly ConfigProblem[] {
  try {
    loadConfig(config);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalidError && error.problems.length > 0) return error.problems;
    throw error;
  }
}

/** The mistakes as `line:column setting: message`, without the file's name. */
function mistakes(text: string, options: Parameters<typeof source>[1] = {}): string[] {
  return problemsOf(source(text, options)).map(({ place, setting, message }) => {
    const where = 'line' in place ? `${place.line}:${place.column}` : place.source;
    return `${where} ${setting}: ${message}`;
  });
}

test('an empty file, a file of comments and no file at all are the defaults', () => {
  for (const text of ['', '// nothing yet\n', '{}']) expect(loadConfig(source(text)).value.server.port).toBe(4747);
  expect(loadConfig({ ...source(''), file: join(tempFolder(), 'none.json') }).value.server.host).toBe('127.0.0.1');
});

test('a file that the user named must be there', () => {
  const file = join(tempFolder(), 'none.json');

  expect(() => loadConfig({ ...source(''), file, isFileRequired: true })).toThrow(
    `The configuration file ${file} is not there.`,
  );
});

test('comments and trailing commas are welcome', () => {
  const { value } = loadConfig(source('{\n  // people read this\n  "server": { "port": 4800, },\n}'));

  expect(value.server.port).toBe(4800);
});

test('broken JSON is reported with its line, once for each slip', () => {
  expect(mistakes('{\n  "server": { "port": 4800\n  "log": {}\n}\n')).toEqual([
    '3:3 : expected "," before this, found "\\""',
    '5:1 : expected "}", found the end of the file',
  ]);
  expect(mistakes('{ server: {} }')).toEqual(['1:3 : expected a value; text needs double quotes, found "s"']);
  expect(mistakes('{ "log": { "level": "info } }')).toEqual([
    '1:21 : this text has no end; expected \'"\', found "\\""',
  ]);
});

test('an unknown key is reported at the key, with the one that was probably meant', () => {
  expect(mistakes('{\n  "server": {\n    "prot": 1\n  }\n}')).toEqual([
    '3:5 server.prot: unknown key; did you mean "port"?',
  ]);
  expect(mistakes('{ "zebra": 1 }')).toEqual([
    '1:3 zebra: unknown key; expected one of $schema, server, log, telemetry, retryMinutes, extensions, providers, routes',
  ]);
  expect(mistakes('{ "providers": { "a": { "type": "chat", "apiKey": "k", "apikeys": "k" } } }')).toEqual([
    '1:56 providers.a.apikeys: unknown key; did you mean "apiKey"?',
  ]);
});

test('a wrong type, a wrong number and a wrong word say what was expected and what was found', () => {
  expect(mistakes('{ "server": { "port": "4800" } }')).toEqual(['1:23 server.port: expected a number, found text']);
  expect(mistakes('{ "server": { "port": 70000 } }')).toEqual([
    '1:23 server.port: expected a number of at most 65535, found 70000',
  ]);
  expect(mistakes('{ "retryMinutes": 0 }')).toEqual(['1:19 retryMinutes: expected a number greater than 0, found 0']);
  expect(mistakes('{ "retryMinutes": 9 }')).toEqual(['1:19 retryMinutes: expected a number less than 9, found 9']);
  expect(mistakes('{ "server": { "port": 1.5 } }')).toEqual(['1:23 server.port: expected a whole number, found 1.5']);
  expect(mistakes('{ "server": [] }')).toEqual(['1:13 server: expected an object { … }, found a list']);
  expect(mistakes('{ "log": { "level": "loud" } }')).toEqual([
    '1:21 log.level: expected one of "silent", "fatal", "error", "warn", "info", "debug", "trace", found "loud"',
  ]);
  expect(mistakes('{ "server": { "publicUrl": "example" } }')).toEqual([
    '1:28 server.publicUrl: expected an address such as "https://example.com", found text',
  ]);
  expect(mistakes('[]')).toEqual(['1:1 : expected an object { … }, found a list']);
});

test('text of a wrong form is told in the words of the setting, not as a pattern', () => {
  expect(mistakes('{ "extensions": [".ts", "js"] }')).toEqual([
    '1:25 extensions[1]: expected an extension such as ".ts", found text',
  ]);
  expect(mistakes('{ "providers": { "a/b": { "type": "offline" } } }')).toEqual([
    '1:18 providers["a/b"]: expected a name without "/"',
  ]);
});

test('a union tells the mistake of the form that was meant', () => {
  expect(mistakes('{ "routes": { "a": 7 } }')).toEqual([
    '1:20 routes.a: expected a list [ … ] or an object { … }, found 7',
  ]);
  expect(mistakes('{ "routes": { "a": { "targets": ["x"], "temprature": 1 } } }')).toEqual([
    '1:40 routes.a.temprature: unknown key; did you mean "temperature"?',
  ]);
  expect(mistakes('{ "providers": { "a": { "type": "chad" } } }')).toEqual([
    '1:33 providers.a.type: expected one of "chat", "offline", found "chad"',
  ]);
  expect(mistakes('{ "providers": { "a": {} } }')).toEqual([
    '1:23 providers.a.type: is missing; expected one of "chat", "offline"',
  ]);
});

test('a missing setting is reported where it should stand', () => {
  expect(mistakes('{ "providers": { "a": { "type": "chat" } } }')).toEqual([
    '1:23 providers.a.apiKey: is missing; expected text in double quotes',
  ]);
});

test('a name that is given twice is a mistake', () => {
  expect(mistakes('{ "log": {}, "server": {}, "log": {} }')).toEqual(['1:28 log: is given twice; keep one of them']);
});

test('more entries than anybody sets up are one mistake, and of very many mistakes the first hundred are told', () => {
  const providers = (count: number) =>
    `{ "providers": { ${Array.from({ length: count }, (_, number) => `"p${number}": {}`).join(', ')} } }`;

  expect(mistakes(providers(1001))).toEqual(['1:16 providers: has 1001 entries; at most 1000 are read']);
  expect(mistakes(providers(1000))).toHaveLength(100);
  expect(() => loadConfig(source(providers(1000)))).toThrow('The configuration has more than 100 mistakes:');
  expect(() => loadConfig(source(providers(100)))).toThrow('The configuration has 100 mistakes:');
});

test('all mistakes are reported at once, in the order of the file', () => {
  const text =
    '{\n  "providers": { "a": { "type": "chat", "apiKey": "{env:NOT_SET}" } },\n  "server": { "port": true, "hosts": "x" },\n  "log": { "level": 3 }\n}';

  expect(mistakes(text)).toEqual([
    '2:51 providers.a.apiKey: the environment variable NOT_SET is not set; set it, or remove {env:NOT_SET}',
    '3:23 server.port: expected a number, found true',
    '3:29 server.hosts: unknown key; did you mean "host"?',
    '4:21 log.level: expected one of "silent", "fatal", "error", "warn", "info", "debug", "trace", found 3',
  ]);
});

test('the message names file, line and column of every mistake', () => {
  const config = source('{ "server": { "port": "x", "hots": 1 } }');

  expect(() => loadConfig(config)).toThrow(
    `The configuration has 2 mistakes:\n  ${config.file}:1:23  server.port: expected a number, found text\n  ${config.file}:1:28  server.hots: unknown key; did you mean "host"?`,
  );
});

test('what stands in a wrong place is not repeated, it may be a key', () => {
  const text =
    '{ "server": { "port": "sk-live-1234", "publicUrl": "sk-live-1234" }, "providers": { "a": { "type": "chat", "apiKey": ["sk-live-1234"] } } }';

  expect(mistakes(text).join('\n')).not.toContain('sk-live');
});

test('what a reference led to is not repeated, wherever it is wrong', () => {
  const text = '{ "log": { "level": "{env:LEVEL}" } }';

  expect(mistakes(text, { env: { LEVEL: 'sk-live-1234' } })).toEqual([
    '1:21 log.level: expected one of "silent", "fatal", "error", "warn", "info", "debug", "trace", found "{env:LEVEL}"',
  ]);
});

test('a byte-order mark at the beginning is overlooked', () => {
  expect(loadConfig(source('\uFEFF{ "server": { "port": 4801 } }')).value.server.port).toBe(4801);
});

test('a file with endless mistakes is reported by its first ones', () => {
  expect(mistakes(`[\n${'x\n'.repeat(100_000)}`)).toHaveLength(20);
});

test('references come from the environment, a file beside the configuration, and the secrets file', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'key.txt'), 'from-file\n');
  writeFileSync(join(folder, 'secrets.json'), '{"key":"from-secrets"}', { mode: 0o600 });
  const provider = (apiKey: string) => ({ type: 'chat', apiKey });
  const text = JSON.stringify({
    providers: {
      a: provider('{env:KEY}'),
      b: provider('{file:key.txt}'),
      c: provider('{secret:key}'),
      d: provider('Bearer {env:KEY}!'),
    },
  });

  const { value, environmentNames } = loadConfig(source(text, { folder, env: { KEY: 'from-env', UNUSED: 'x' } }));

  const keys = Object.values(value.providers).map((provider) => ('apiKey' in provider ? provider.apiKey.reveal() : ''));
  expect(keys).toEqual(['from-env', 'from-file', 'from-secrets', 'Bearer from-env!']);
  expect(environmentNames).toEqual(['KEY']);
});

test('a reference to a file or secret that is not there says how to mend it', () => {
  const folder = tempFolder();
  const text =
    '{ "providers": { "a": { "type": "chat", "apiKey": "{file:none.txt}" }, "b": { "type": "chat", "apiKey": "{secret:none}" } } }';

  expect(mistakes(text, { folder })).toEqual([
    `1:51 providers.a.apiKey: ${join(folder, 'none.txt')} cannot be read (ENOENT); create it, or change {file:none.txt}`,
    '1:105 providers.b.apiKey: there is no secret named none; add it with: dragoman secret set none',
  ]);
});

test('a secrets file that others can read is refused', () => {
  const folder = tempFolder();
  const file = join(folder, 'secrets.json');
  writeFileSync(file, '{"key":"x"}');
  chmodSync(file, 0o644);

  expect(mistakes('{ "providers": { "a": { "type": "chat", "apiKey": "{secret:key}" } } }', { folder })).toEqual([
    `1:51 providers.a.apiKey: ${file} can be read by other users (mode 644); run: chmod 600 ${file}`,
  ]);
});

test('an option wins over the file, and a wrong one is reported by its name', () => {
  const override = (value: unknown) => ({ overrides: [{ path: ['server', 'port'], value, source: '--port' }] });

  expect(loadConfig(source('{ "server": { "port": 1, "host": "::1" } }', override(4801))).value.server).toMatchObject({
    port: 4801,
    host: '::1',
  });
  expect(mistakes('{}', override('many'))).toEqual(['--port server.port: expected a number, found text']);
});

test('a secret prints, serialises and inspects as a mask', () => {
  const secret = new Secret('sk-live-1234');

  expect(`${secret.toString()} ${JSON.stringify({ secret })}`).toBe('•••••• {"secret":"••••••"}');
  expect(secret.reveal()).toBe('sk-live-1234');
});

test('any damage to a good file gives a configuration or a report with places inside the file', () => {
  const good = `{
  // ports
  "server": { "port": 4800, "corsOrigins": ["https://a.example"] },
  "providers": { "a": { "type": "chat", "apiKey": "k" } },
  "log": { "level": "warn" }
}
`;
  const folder = tempFolder();
  fc.assert(
    fc.property(fc.nat(good.length), fc.nat(12), fc.string({ maxLength: 6 }), (at, cut, put) => {
      const text = good.slice(0, at) + put + good.slice(at + cut);
      const lines = text.split('\n');
      for (const { place } of problemsOf(source(text, { folder }))) {
        const isInside = 'line' in place && place.column <= (lines[place.line - 1]?.length ?? -1) + 1;
        expect({ text, place, isInside }).toMatchObject({ isInside: true });
      }
    }),
    { seed: 2, numRuns: 300 },
  );
});
