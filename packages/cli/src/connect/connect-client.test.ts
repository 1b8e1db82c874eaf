import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newTokenText } from '@dragoman/server';
import { rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Client, Surroundings } from './client.ts';
import { CLIENTS } from './clients.ts';
import { planConnection, planUndo, writeConnection, writeUndo } from './connect-client.ts';
import { ConnectionRecords } from './connection-records.ts';

const URL_ = 'http://127.0.0.1:4747';

/** A home of its own, and a client connected there. */
function setUp(client: Client) {
  const home = tempFolder();
  const around: Surroundings = { home, env: {}, platform: 'linux', exists: existsSync };
  const records = new ConnectionRecords(join(home, 'data'));
  const { text: token } = newTokenText();
  const connection = { url: URL_, token, model: 'default' };
  const paths = client.plan(connection, around).map(({ path }) => path);
  return {
    home,
    token,
    records,
    paths,
    connect() {
      writeConnection(planConnection(client, connection, around), token, records, {
        client: client.id,
        url: URL_,
        model: 'default',
        connectedAt: 1,
        tokenId: 'tok_1',
        tokenStart: token.slice(0, 12),
        isRemote: false,
      });
    },
    undo() {
      const plans = planUndo(records.read(client.id)!);
      writeUndo(plans);
      return plans.flatMap(({ kept }) => kept);
    },
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe.each(CLIENTS.map((client) => [client.id, client] as const))('%s', (_, client) => {
  test('is connected where nothing was, and nothing is left of it afterwards', () => {
    const { connect, undo, paths, token, records } = setUp(client);

    connect();

    const written = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
    expect(written).toContain(token);
    expect(written).toContain(URL_);
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(records.read(client.id))).not.toContain(token.slice(12));
    expect(undo()).toEqual([]);
    for (const path of paths) expect(existsSync(path)).toBe(false);
  });

  test('leaves any file of settings as it was, to the letter and its permissions, when it is undone', () => {
    fc.assert(
      fc.property(textFor(client), fc.constantFrom(0o600, 0o644), (text, mode) => {
        const { home, connect, undo, paths, token } = setUp(client);
        for (const path of paths) {
          put(path, text(path));
          chmodSync(path, mode);
        }
        connect();
        for (const path of paths) {
          const after = readFileSync(path, 'utf8');
          expect(statSync(path).mode & 0o777).toBe(after.includes(token) ? 0o600 : mode);
        }
        expect(undo()).toEqual([]);
        for (const path of paths) {
          expect(readFileSync(path, 'utf8')).toBe(text(path));
          expect(statSync(path).mode & 0o777).toBe(mode);
        }
        rmSync(home, { recursive: true });
      }),
      { numRuns: rounds(6_000) },
    );
  });
});

describe('what is written', () => {
  const clientOf = (id: string) => CLIENTS.find((client) => client.id === id)!;

  test('for Codex is a provider of its own beside what is there', () => {
    const { connect, paths, token } = setUp(clientOf('codex'));
    put(paths[0]!, '# mine\nmodel = "gpt-5" # the best\napproval_policy = "on-request"\n\n[tools]\nweb = true\n');

    connect();

    expect(readFileSync(paths[0]!, 'utf8')).toBe(`# mine
model = "default" # the best
approval_policy = "on-request"
model_provider = "dragoman"

[tools]
web = true

[model_providers.dragoman]
name = "Dragoman"
base_url = "http://127.0.0.1:4747/v1"
wire_api = "responses"
experimental_bearer_token = "${token}"
`);
  });

  test('for Continue is one more model, as deep as the others', () => {
    const { connect, paths, token } = setUp(clientOf('continue'));
    put(paths[0]!, 'name: Mine\nmodels:\n  # fast\n  - name: A\n    model: a # one\n\nrules: []\n');

    connect();

    expect(readFileSync(paths[0]!, 'utf8')).toBe(`name: Mine
models:
  # fast
  - name: A
    model: a # one
  - name: "Dragoman"
    provider: "openai"
    model: "default"
    apiBase: "http://127.0.0.1:4747/v1"
    apiKey: "${token}"
    roles:
      - "chat"
      - "edit"
      - "apply"

rules: []
`);
  });

  test('for Zed stands between comments that stay', () => {
    const { connect, paths, token } = setUp(clientOf('zed'));
    put(
      paths[0]!,
      '{\n\t// mine\n\t"theme": "One", // dark\n\t"language_models": { "ollama": { "api_url": "http://old" } },\n}\n',
    );

    connect();

    expect(readFileSync(paths[0]!, 'utf8')).toBe(
      `{\n\t// mine\n\t"theme": "One", // dark\n\t"language_models": { "ollama": { "api_url": "http://127.0.0.1:4747/token/${token}" } },\n\t"agent": {\n\t\t"default_model": {\n\t\t\t"provider": "ollama",\n\t\t\t"model": "default"\n\t\t}\n\t},\n}\n`,
    );
  });
});

describe('what was changed since', () => {
  const clientOf = (id: string) => CLIENTS.find((client) => client.id === id)!;
  const changed = (id: string, before: string, change: (text: string) => string) => {
    const { connect, undo, paths } = setUp(clientOf(id));
    if (before !== '') put(paths[0]!, before);
    connect();
    writeFileSync(paths[0]!, change(readFileSync(paths[0]!, 'utf8')));
    return { kept: undo(), text: existsSync(paths[0]!) ? readFileSync(paths[0]!, 'utf8') : undefined };
  };

  test('elsewhere in a file stays, and the rest is as it was', () => {
    expect(
      changed('claude', '{\n  "env": { "A": "1" },\n  "theme": "dark"\n}\n', (text) =>
        text.replace('"dark"', '"light",\n  "mine": [1, 2]'),
      ),
    ).toEqual({ kept: [], text: '{\n  "env": { "A": "1" },\n  "theme": "light",\n  "mine": [1, 2]\n}\n' });
    expect(
      changed('codex', 'model = "gpt-5"\n\n[tools]\nweb = true\n', (text) => `# new\n${text}\n[mcp]\na = 1\n`),
    ).toEqual({ kept: [], text: '# new\nmodel = "gpt-5"\n\n[tools]\nweb = true\n\n[mcp]\na = 1\n' });
    expect(changed('aider', 'dark-mode: true\n', (text) => `${text}vim: true\n`)).toEqual({
      kept: [],
      text: 'dark-mode: true\nvim: true\n',
    });
  });

  test('in a file that was made stays, without what was put there', () => {
    const { kept, text } = changed('claude', '', (made) => made.replace(/\s*\}\s*$/, ',\n  "theme": "dark"\n}\n'));
    expect(kept).toEqual([]);
    expect(text).toBe('{\n  "theme": "dark"\n}\n');
  });

  test('in a group that was made keeps the group', () => {
    const { kept, text } = changed('claude', '{ "theme": "dark" }', (made) =>
      made.replace('"env": {', '"env": { "MINE": "1",'),
    );
    expect(kept).toEqual([]);
    expect(JSON.parse(text!)).toEqual({ theme: 'dark', env: { MINE: '1' } });
  });

  test('in a group that was empty before leaves it there', () => {
    const { kept, text } = changed('claude', '{ "env": {} }', (made) =>
      JSON.stringify({ ...(JSON.parse(made) as object), theme: 'dark' }),
    );
    expect(kept).toEqual([]);
    expect(JSON.parse(text!)).toEqual({ env: {}, theme: 'dark' });
  });

  test('by a client that wrote its file anew leaves nothing of a connection', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CLIENTS),
        fc.dictionary(fc.constantFrom('env', 'security', 'provider', 'providers', 'own'), fc.constant({ mine: 1 })),
        fc.option(fc.constantFrom('theme', 'other'), { nil: undefined }),
        (client, before, added) => {
          const { connect, undo, paths, home } = setUp(client);
          const own = paths.filter((path) => path.endsWith('.json'));
          const isNew = Object.keys(before).length === 0;
          if (!isNew) for (const path of own) put(path, JSON.stringify(before));
          connect();
          const news = added === undefined ? {} : { [added]: true };
          for (const path of own) {
            const now = JSON.parse(readFileSync(path, 'utf8')) as object;
            writeFileSync(path, JSON.stringify({ ...news, ...now }, null, 4));
          }

          expect(undo()).toEqual([]);

          for (const path of own) {
            const left = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as unknown) : undefined;
            expect(left).toEqual(isNew && added === undefined ? undefined : { ...before, ...news });
          }
          rmSync(home, { recursive: true });
        },
      ),
      { numRuns: rounds(6_000) },
    );
  });

  test('of what was put there stays and is named', () => {
    const { kept, text } = changed('claude', '{ "env": { "ANTHROPIC_MODEL": "old" } }', (made) =>
      made.replace('"ANTHROPIC_MODEL": "default"', '"ANTHROPIC_MODEL": "better"'),
    );
    expect(kept).toEqual(['env.ANTHROPIC_MODEL']);
    expect(JSON.parse(text!)).toEqual({ env: { ANTHROPIC_MODEL: 'better' } });
  });

  test('in a group with the token goes with it, for the token is worth nothing any more', () => {
    const { kept, text } = changed('cline', '{ "version": 1 }', (made) => {
      const now = JSON.parse(made) as { providers: { ollama: object } };
      Object.assign(now.providers.ollama, { updatedAt: '2026-11-17T20:00:00.000Z', lastModel: 'default' });
      return JSON.stringify(now);
    });
    expect(kept).toEqual([]);
    expect(JSON.parse(text!)).toEqual({ version: 1 });
  });

  test('in a group from which the token was taken stays and is named', () => {
    const { kept, text } = changed('opencode', '{}', (made) => {
      const now = JSON.parse(made) as { provider: { dragoman: { options: object } } };
      now.provider.dragoman.options = { baseURL: 'http://elsewhere' };
      return JSON.stringify(now);
    });
    expect(kept).toEqual(['provider.dragoman']);
    expect(JSON.parse(text!)).toMatchObject({ provider: { dragoman: { options: { baseURL: 'http://elsewhere' } } } });
  });

  test('a file that is gone stays gone', () => {
    const { connect, undo, paths } = setUp(clientOf('claude'));
    put(paths[0]!, '{}');
    connect();
    rmSync(paths[0]!);
    expect(undo()).toEqual([]);
    expect(existsSync(paths[0]!)).toBe(false);
  });
});

describe('a file that cannot be changed', () => {
  test.each([
    ['claude', '{ "env": ', /settings\.json:1:\d+: .*Nothing was changed\. Fix the file and try again\./],
    ['claude', '{ "env": [] }', /env is a list/],
    ['claude', '{ "env": {}, "env": {} }', /is given twice/],
    ['codex', 'model = \n[a', /config\.toml:1: this is not TOML/],
    ['codex', 'model_providers = { a = { name = "x" } }\n', /config\.toml:1: model_providers is written as a value/],
    ['continue', 'models: [a, b]\n', /models is not a list with an item on each line/],
    ['continue', 'a: [\n', /config\.yaml:\d+: /],
    ['aider', 'a: 1\n---\nb: 2\n', /it holds several documents/],
    ['gemini', 'GEMINI_API_KEY=a\nGEMINI_API_KEY=b\n', /GEMINI_API_KEY is set 2 times/],
  ])('%s: %j is refused with what is wrong, and nothing is written', (id, text, message) => {
    const { connect, paths, records } = setUp(CLIENTS.find((client) => client.id === id)!);
    put(paths[0]!, text);

    expect(connect).toThrow(message);

    expect(readFileSync(paths[0]!, 'utf8')).toBe(text);
    expect(records.read(id)).toBeUndefined();
  });

  test('a second file that cannot be written leaves the first as it was', () => {
    const { connect, paths, records } = setUp(CLIENTS.find(({ id }) => id === 'pi')!);
    put(paths[0]!, '{ "mine": 1 }');
    mkdirSync(paths[1]!, { recursive: true });

    expect(connect).toThrow('this is not a file');

    expect(readFileSync(paths[0]!, 'utf8')).toBe('{ "mine": 1 }');
    expect(records.read('pi')).toBeUndefined();
  });

  test('Continue in its old form is not put out of force', () => {
    const { connect, home } = setUp(CLIENTS.find(({ id }) => id === 'continue')!);
    put(join(home, '.continue', 'config.json'), '{}');
    expect(connect).toThrow('Continue is set up here in its old file');
  });
});

/** Settings of other kinds, as people write them, in the format of each file. */
function textFor(client: Client): fc.Arbitrary<(path: string) => string> {
  const name = fc.stringMatching(/^[a-z][a-z_]{0,8}$/).filter((word) => !RESERVED.has(word));
  const word = fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => text.replace(/[\r\n\u2028\u2029\0]/g, ' '));
  const value = fc.oneof(word, fc.integer(), fc.boolean());
  const shape = fc.record({
    fields: fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value, { maxKeys: 3 })), { maxKeys: 4 }),
    known: fc.boolean(),
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    comment: fc.boolean(),
    isEnded: fc.boolean(),
  });
  return shape.map(({ fields, known, indent, eol, comment, isEnded }) => (path) => {
    const written = textOf(path, fields, { known, indent, comment, client });
    const lines = written.replaceAll('\n', eol);
    return isEnded ? lines : lines.replace(/(?:\r?\n)+$/, '');
  });
}

/** What the clients themselves set, beside which a test puts nothing of another shape. */
const RESERVED = new Set([
  'env',
  'model',
  'models',
  'provider',
  'providers',
  'security',
  'agent',
  'scopes',
  'version',
  'name',
  'schema',
]);

function textOf(
  path: string,
  fields: Record<string, unknown>,
  { known, indent, comment, client }: { known: boolean; indent: string; comment: boolean; client: Client },
): string {
  if (path.endsWith('.toml')) {
    const [plain, tables] = [
      Object.entries(fields).filter(([, value]) => typeof value !== 'object'),
      Object.entries(fields).filter(([, value]) => typeof value === 'object'),
    ];
    return [
      ...(comment ? ['# mine'] : []),
      ...(known ? ['model = "gpt-5" # the best', "model_provider = 'openai'"] : []),
      ...plain.map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
      ...(comment ? ['list = [ # of', '  "a]", """', '[no.table]', '""", \'b\',', ']'] : []),
      ...tables.flatMap(([key, inner]) => [
        '',
        `[${key}]`,
        ...Object.entries(inner as object).map(([own, value]) => `  ${own} = ${JSON.stringify(value)}`),
      ]),
      ...(known
        ? [
            '',
            '[model_providers.dragoman]',
            'name = "Old"',
            'env_key = "X" # mine',
            '[model_providers.other]',
            'name = "O"',
          ]
        : []),
      '',
    ].join('\n');
  }
  if (path.endsWith('.yaml') || path.endsWith('.yml')) {
    const head = comment ? '# mine\n' : '';
    const own = known
      ? client.id === 'continue'
        ? 'models:\n- name: A # first\n  model: a\n\n# behind\n'
        : 'model: gpt-4o # mine\nopenai-api-key: "sk-old"\n'
      : '';
    return head + (Object.keys(fields).length === 0 ? '' : stringify(fields)) + own;
  }
  if (path.endsWith('.env'))
    return [
      ...(comment ? ['# mine'] : []),
      ...(known ? ['GEMINI_API_KEY="old"', 'export GEMINI_MODEL = gemini'] : []),
      ...Object.keys(fields).map((key) => `${key.toUpperCase()}=x y`),
      '',
    ].join('\n');
  const all = known
    ? { ...fields, env: { ANTHROPIC_MODEL: 'mine', OTHER: '1' }, model: client.id === 'qwen' ? { name: 'q' } : 'm' }
    : fields;
  const json = JSON.stringify(all, null, indent);
  return `${comment ? '// mine\n' : ''}${json}${comment ? ' /* end */' : ''}\n`;
}
