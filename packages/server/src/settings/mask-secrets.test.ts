import { expect, test } from 'vitest';
import { keepSecrets, maskSecrets } from './mask-secrets.ts';
import { roomySchema } from './settings-door.fixture.ts';

const MASK = '••••••';

test('secrets are masked, references and everything else stay', () => {
  expect(
    maskSecrets(roomySchema, {
      $schema: './dragoman.schema.json',
      server: { port: 4747, publicUrl: 'https://d.example' },
      providers: {
        a: { type: 'chat', apiKey: 'sk-1', headers: { 'api-key': 'sk-2', authorization: 'Bearer {env:KEY}' } },
        b: { type: 'chat', apiKey: ['{env:KEY}', 'sk-3', 'sk-4{env:KEY}'], models: ['*'] },
      },
    }),
  ).toEqual({
    $schema: './dragoman.schema.json',
    server: { port: 4747, publicUrl: 'https://d.example' },
    providers: {
      a: { type: 'chat', apiKey: MASK, headers: { 'api-key': MASK, authorization: 'Bearer {env:KEY}' } },
      b: { type: 'chat', apiKey: ['{env:KEY}', MASK, MASK], models: ['*'] },
    },
  });
});

test('a text that the schema has no place for is masked, and where anything may stand, what sounds like a secret', () => {
  expect(
    maskSecrets(roomySchema, {
      provider: { a: { apiKey: 'sk-1', retries: 3 } },
      providers: { a: { type: 'chat', apikey: 'sk-2', options: { region: 'eu', auth: { accessToken: 'sk-3' } } } },
      agents: { mine: { backend: 'mine', password: 'sk-4', passwords: ['sk-5'], color: 'red', key: '' } },
    }),
  ).toEqual({
    provider: { a: { apiKey: MASK, retries: 3 } },
    providers: { a: { type: 'chat', apikey: MASK, options: { region: 'eu', auth: { accessToken: MASK } } } },
    agents: { mine: { backend: 'mine', password: MASK, passwords: [MASK], color: 'red', key: '' } },
  });
});

test('a masked secret that is sent back keeps what it stood for', () => {
  const before = { apiKey: ['sk-1', '{env:KEY}', 'sk-2'], headers: { key: 'sk-3' }, models: ['a'] };
  const shown = { apiKey: [MASK, '{env:KEY}', MASK], headers: { key: MASK }, models: ['a'] };
  const keep = (given: unknown) => keepSecrets(given, before, shown, ['providers', 'a']);

  expect(keep({ ...shown, models: ['b'] })).toEqual({ ...before, models: ['b'] });
  expect(keep({ apiKey: [MASK, MASK, '{secret:new}'] })).toEqual({ apiKey: ['sk-1', 'sk-2', '{secret:new}'] });
  expect(keep({ apiKey: ['{secret:new}'] })).toEqual({ apiKey: ['{secret:new}'] });
});

test('a mask that stands for nothing, or for one of several, is refused', () => {
  const refused = (given: unknown, before: unknown, shown: unknown) => () => keepSecrets(given, before, shown, ['a']);
  const why = `: ${MASK} stands for a secret, but it is unclear which one. Enter it again, preferably as a reference such as {secret:name}.`;

  expect(refused(MASK, undefined, undefined)).toThrow(`a${why}`);
  expect(refused({ key: MASK }, { key: '{env:KEY}' }, { key: '{env:KEY}' })).toThrow(`a.key${why}`);
  expect(refused({ key: [MASK] }, { key: ['1', '2'] }, { key: [MASK, MASK] })).toThrow(`a.key${why}`);
});

test('a key that people put into an address or among the words of a command is masked, and the rest stays to be edited', () => {
  const agents = {
    a: { backend: 'acp', command: ['npx', 'remote', '--api-key', 'abc', '--token={env:KEY}', '--model', 'fast'] },
    b: { backend: 'uap', url: 'https://ada:pw@d.example/v1?api-version=2&key=abc&token={env:KEY}#top' },
    c: { backend: 'uap', url: 'https://ada:{env:PW}@d.example/v1', notes: 'mail ada@d.example?' },
  };
  const shown = {
    a: { backend: 'acp', command: ['npx', 'remote', '--api-key', MASK, '--token={env:KEY}', '--model', 'fast'] },
    b: { backend: 'uap', url: `https://${MASK}@d.example/v1?api-version=2&key=${MASK}&token={env:KEY}#top` },
    c: agents.c,
  };
  const keep = (given: unknown) => keepSecrets(given, agents, shown, ['agents']);

  expect(maskSecrets(roomySchema, { agents })).toEqual({ agents: shown });
  expect(keep(shown)).toEqual(agents);
  expect(keep({ a: { command: ['npx', '--api-key', MASK, '-v'] } })).toEqual({
    a: { command: ['npx', '--api-key', 'abc', '-v'] },
  });
  expect(() => keep({ b: { url: `https://${MASK}@other.example/` } })).toThrow(`agents.b.url: ${MASK} stands for`);
});
