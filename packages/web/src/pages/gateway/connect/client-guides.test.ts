import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connection } from './client-guide.ts';
import { CLIENT_GUIDES } from './client-guides.ts';
import { inShell } from './quoting.ts';

const CONNECTION: Connection = { url: 'http://127.0.0.1:4747', token: 'DGM_abc', model: 'default' };
const stepsOf = (id: string, connection = CONNECTION) =>
  CLIENT_GUIDES.find((guide) => guide.id === id)!
    .steps(connection)
    .map(({ code, values }) => code?.text ?? values);

test('Claude Code is connected by four variables', () => {
  expect(stepsOf('claude-code')).toEqual([
    [
      'export ANTHROPIC_BASE_URL=http://127.0.0.1:4747',
      'export ANTHROPIC_AUTH_TOKEN=DGM_abc',
      'export ANTHROPIC_MODEL=default',
      'export ANTHROPIC_DEFAULT_HAIKU_MODEL=default',
      'claude',
    ].join('\n'),
    expect.stringContaining('"ANTHROPIC_AUTH_TOKEN": "DGM_abc"'),
  ]);
});

test('Augment is told an address that ends with a slash', () => {
  const [settings, session, program] = stepsOf('augment') as string[];
  expect(JSON.parse(settings!)).toEqual({
    'augment.advanced': { apiToken: 'DGM_abc', completionURL: 'http://127.0.0.1:4747/' },
  });
  expect(JSON.parse(session!)).toEqual({ accessToken: 'DGM_abc', tenantURL: 'http://127.0.0.1:4747/', scopes: [] });
  expect(program).toContain("apiUrl: 'http://127.0.0.1:4747/'");
});

test('forms get the address with /v1, the token and the name to ask for', () => {
  for (const id of ['cursor', 'cline', 'any'])
    expect(stepsOf(id)).toEqual([
      [
        { name: 'address', text: 'http://127.0.0.1:4747/v1' },
        { name: 'key', text: 'DGM_abc' },
        { name: 'model', text: 'default' },
      ],
    ]);
});

test('every guide names the server and the token', () => {
  for (const { id } of CLIENT_GUIDES) {
    const told = JSON.stringify(stepsOf(id));
    expect([id, told.includes('127.0.0.1:4747'), told.includes('DGM_abc')]).toEqual([id, true, true]);
  }
});

test('whatever a model is called, the texts that JSON is in stay JSON, and scripts stay scripts', () => {
  const model = `it's "mine" \\ $HOME\n`;
  const connection = { ...CONNECTION, model };
  for (const id of ['claude-code', 'opencode']) {
    const text = stepsOf(id, connection).findLast((step) => typeof step === 'string' && step.startsWith('{'));
    expect(JSON.stringify(JSON.parse(text as string))).toContain(JSON.stringify(model));
  }
  expect(stepsOf('openai-typescript', connection)[1]).toContain(`model: ${JSON.stringify(model)}`);
});

test('a shell reads a quoted text as it is', () => {
  const texts = ['', 'plain', `it's`, '$HOME `ls` "x" \\n', 'a\nb', '!! ~ *'];
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (!text.includes('\0')) texts.push(text);
    }),
    { numRuns: 50 },
  );
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${texts.map(inShell).join(' ')}`], { encoding: 'utf8' });
  expect(printed.split('\0').slice(0, -1)).toEqual(texts);
});
