import { expect, test } from 'vitest';
import { chunk, startAcp, testAcp } from './acp.fixture.ts';
import type { FakeOffer } from './fake-agent.fixture.ts';

const REFUSAL = { code: -32000, message: 'Authentication required' };

test.each<[string, FakeOffer, string]>([
  [
    'a command that it describes',
    { authMethods: [{ id: 'x', name: 'Login', description: 'Run `fake auth login` in the terminal' }] },
    '`fake auth login`',
  ],
  [
    'arguments of its own for a terminal',
    { authMethods: [{ id: 'x', name: 'Login', type: 'terminal', args: ['--login'], env: { MODE: 'tui' } }] },
    expect.stringMatching(/^`MODE=tui .*fake-agent\.fixture\.ts"? --login`$/) as string,
  ],
  [
    'a command beside the protocol, and a variable',
    {
      authMethods: [
        { id: 'x', name: 'Login', _meta: { 'terminal-auth': { command: 'fake', args: ['log in'] } } },
        {
          id: 'y',
          name: 'Key',
          type: 'env_var',
          vars: [{ name: 'FAKE_KEY' }, { name: 'FAKE_REGION', optional: true }],
        },
      ],
    },
    '`fake "log in"`; or set FAKE_KEY in the environment of the runner',
  ],
  [
    'nothing but names',
    { authMethods: [{ id: 'x', name: 'Log in with Fake' }] },
    `\`${process.execPath}\` (it offers: Log in with Fake)`,
  ],
])('an agent that wants a login is told so, with %s', async (_what, offer, fix) => {
  const { backend, session } = testAcp({ offer: { ...offer, refusal: REFUSAL } });

  const error: unknown = await backend.start(session).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ code: 'unauthenticated', fix });
  expect((error as Error).message).toBe(
    `Fake wants a login; log in on that machine with: ${(error as { fix: string }).fix}`,
  );
});

test('what the configuration says of logging in goes before everything else', async () => {
  const { backend, session } = testAcp({
    offer: { refusal: { code: 401, message: 'Gemini API key is missing or not configured.' } },
    setup: { options: { login: 'make login' } },
  });

  await expect(backend.start(session)).rejects.toThrow('Fake wants a login; log in on that machine with: make login');
});

test('a way to authenticate that is configured, or whose variable is set, is used without asking', async () => {
  const authMethods = [
    { id: 'browser', name: 'Browser' },
    { id: 'key', name: 'Key', type: 'env_var', vars: [{ name: 'FAKE_KEY' }] },
  ];
  const offer = { refusal: REFUSAL, authMethods };

  const configured = await startAcp({
    offer: { ...offer, authIds: ['browser'] },
    setup: { options: { authMethod: 'browser' } },
  });
  const set = await startAcp({ offer: { ...offer, authIds: ['key'] }, env: { FAKE_KEY: 'k' } });

  expect(await configured.run([chunk('hi')])).toEqual({ reason: 'done' });
  expect(await set.run([chunk('hi')])).toEqual({ reason: 'done' });
  const refused = testAcp({ offer: { ...offer, authIds: [] }, env: { FAKE_KEY: 'k' } });
  await expect(refused.backend.start(refused.session)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a login that ended in the middle of a session fails the turn with what to do', async () => {
  const { run } = await startAcp({ setup: { options: { login: '`fake login`' } } });

  expect(await run([{ error: { code: -32000, message: 'You are not logged in.' } }])).toEqual({
    reason: 'failed',
    error: {
      code: 'unauthenticated',
      message: 'Fake wants a login; log in on that machine with: `fake login`',
      fix: '`fake login`',
    },
  });
  // The same number is used for other things, too.
  expect(await run([{ error: { code: -32000, message: 'The model is overloaded.' } }])).toEqual({
    reason: 'failed',
    error: { code: 'internal', message: 'The model is overloaded.' },
  });
});

test('an agent that is not there, speaks another version, refuses or ends at once is told in words', async () => {
  const missing = testAcp({ setup: { command: ['no-such-agent'], options: { install: 'npm install -g no-such' } } });
  await expect(missing.backend.start(missing.session)).rejects.toThrow(
    '"no-such-agent" is not on the PATH of this machine; install it with: npm install -g no-such',
  );
  const newer = testAcp({ offer: { protocolVersion: 7 } });
  await expect(newer.backend.start(newer.session)).rejects.toThrow('Fake speaks version 7 of ACP');
  const broken = testAcp({ offer: { refusal: { code: -32603, message: 'Internal error', data: 'no disk' } } });
  await expect(broken.backend.start(broken.session)).rejects.toThrow('Fake could not open the session: no disk');
  const short = testAcp({ setup: { command: [process.execPath, '-e', 'console.error("bad flag"); process.exit(2)'] } });
  await expect(short.backend.start(short.session)).rejects.toThrow(/exited with code 2: bad flag$/);
  const keyed = testAcp({ setup: { command: [process.execPath, '-e', 'process.exit(2)', '--', '--api-key', 'abc'] } });
  await expect(keyed.backend.start(keyed.session)).rejects.toThrow(/ -- --api-key ••••••\) exited with code 2$/);
  const none = () => testAcp({ setup: { name: 'mine', command: undefined } });
  expect(none).toThrow('the agent "mine" has no command');
});
