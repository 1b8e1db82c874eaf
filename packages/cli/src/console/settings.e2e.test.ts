import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConsoleClient } from '@dragoman/protocol/console';
import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import { loginHeaders, runDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

const CONFIG = `{
  // Ours; ask Ada before you change it.
  "log": { "level": "info" }, // not less
}
`;
const KEY = 'sk-live-0123456789';

/** A server on a configuration with comments, and its owner's client. */
async function startServer() {
  const home = tempFolder();
  writeFileSync(join(home, 'dragoman.json'), CONFIG);
  const server = await serveDragoman([], { home });
  return { home, server, client: createConsoleClient({ url: server.url, token: server.token }) };
}

test('a provider with its key is added and used at once; the key is in the file of secrets and nowhere else', async () => {
  const { home, server, client } = await startServer();
  const provider = await startFakeProvider();
  provider.answer({
    body: JSON.stringify({ id: '1', choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] }),
  });
  const models = async () => {
    const answer = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${server.token}` } });
    return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  const { version } = await client.readSettings();

  const settings = await client.changeSettings({
    version,
    changes: [
      {
        path: ['providers', 'cloud'],
        value: { type: 'openai-chat', baseUrl: `${provider.url}/v1`, apiKey: '{secret:cloud}', models: ['big-one'] },
      },
      { path: ['routes', 'default'], value: ['cloud/big-one'] },
    ],
    secrets: { cloud: KEY },
  });

  expect(await models()).toContain('cloud/big-one');
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'cloud/big-one', messages: [{ role: 'user', content: 'hello' }] }),
  });
  expect(answer.status).toBe(200);
  expect((await provider.request(1)).headers.authorization).toBe(`Bearer ${KEY}`);

  const text = readFileSync(join(home, 'dragoman.json'), 'utf8');
  expect(text).toContain('// Ours; ask Ada before you change it.\n');
  expect(text).toContain('"log": { "level": "info" }, // not less\n');
  expect(text).toContain('"apiKey": "{secret:cloud}"');
  expect(JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'))).toEqual({ cloud: KEY });
  expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
  expect(await client.listSecrets()).toEqual({ secrets: [{ name: 'cloud', usedBy: ['providers.cloud.apiKey'] }] });
  const diagnosis = await client.diagnose();
  const { stdout, stderr } = await server.stop();
  for (const told of [text, JSON.stringify([settings, diagnosis]), stdout, stderr]) expect(told).not.toContain(KEY);
});

test('a wrong change is refused with its place and changes nothing; a member may not even ask', async () => {
  const { home, server, client } = await startServer();
  const file = join(home, 'dragoman.json');
  const wrong = { path: ['providers', 'cloud'], value: { type: 'openai-chat', model: ['big-one'] } };

  await expect(client.changeSettings({ changes: [wrong], secrets: { cloud: KEY } })).rejects.toMatchObject({
    code: 'config-invalid',
    message: `The configuration has a mistake:\n  ${file}:7:7  providers.cloud.model: unknown key; did you mean "models"?`,
  });
  const missing = { path: ['routes', 'default'], value: ['ghost/x'] };
  await expect(client.changeSettings({ changes: [missing] })).rejects.toMatchObject({ code: 'config-invalid' });
  const port = { path: ['server', 'port'], value: 80 };
  await expect(client.changeSettings({ changes: [port] })).rejects.toMatchObject({
    code: 'conflict',
    message: 'server.port is set by --port, which overrides the file. Start the server without it first.',
  });
  const { stdout } = await runDragoman(['token', 'create', 'x', '--user', 'max', '--role', 'member'], { home });
  const member = createConsoleClient({ url: server.url, token: stdout.trim() });
  await expect(member.changeSettings({ changes: [] })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(member.readSettings()).rejects.toMatchObject({ code: 'forbidden' });

  expect(readFileSync(file, 'utf8')).toBe(CONFIG);
  expect(() => statSync(join(home, 'secrets.json'))).toThrow('ENOENT');
});

test('the running server tells what the doctor would, of itself', async () => {
  const { home, server, client } = await startServer();

  const [diagnosis, about] = [await client.diagnose(), await client.about()];

  expect(SETTINGS_CALLS.diagnose.answer.parse(diagnosis)).toEqual(diagnosis);
  const { stdout } = await runDragoman(['doctor', '--json'], { home });
  const doctor = JSON.parse(stdout) as typeof diagnosis;
  expect(diagnosis.findings).toEqual(doctor.findings);
  expect(diagnosis.isWell).toBe(true);
  expect(diagnosis.settings).toContainEqual({
    setting: 'log.level',
    value: '"info"',
    from: `${join(home, 'dragoman.json')}:3:21`,
  });
  expect(diagnosis.settings).toContainEqual({ setting: 'server.port', value: '0', from: '--port' });
  expect(about).toMatchObject({ store: 'sqlite', dataFolder: home, publicUrl: server.url });
});

test('a person who is added over HTTP logs in with the link and is known by name', async () => {
  const { server, client } = await startServer();
  const ann = await client.createUser({ name: 'ann', role: 'viewer' });

  const { url } = await client.createLoginLink({ userId: ann.id });

  expect(url).toMatch(new RegExp(`^${server.url}/login#`));
  const login = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: url.split('#')[1] }),
  });
  const headers = loginHeaders(login, await login.json());
  const me = () => fetch(`${server.url}/api/me`, { headers });
  expect(await (await me()).json()).toMatchObject({ name: 'ann', role: 'viewer' });
  await client.removeUser({ userId: ann.id });
  expect((await me()).status).toBe(401);
});
