import { createHubClient } from '@dragoman/protocol';
import { createConsoleClient } from '@dragoman/protocol/console';
import { freshLocation, type RunningDragoman, runDragoman, runSql, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { roomMigrations } from './rooms.ts';

const soon = { timeout: 60_000, interval: 20 };

/** In each room, a table of the present that the next version puts a column into. */
const WIDENED: Readonly<Record<string, string>> = {
  access: 'tokens',
  settings: 'shared_settings',
  gateway: 'usage_log',
  context: 'context_workspaces',
  agent: 'agent_sessions',
  hub: 'hub_sessions',
  console: 'console_assets',
};

/** What a program of the next version does when it starts: a step for each room, which adds a table and a column. */
function nextVersion(): string {
  const steps = roomMigrations.map(({ room, migrations }) => {
    const number = migrations.at(-1)!.number + 1;
    return `
      create table next_${room} (id text primary key, at bigint not null);
      alter table ${WIDENED[room]!} add column next_note text;
      alter table ${WIDENED[room]!} add column next_count bigint not null default 0;
      insert into dragoman_migrations (room, number, title, applied_at) values ('${room}', ${number}, 'next', 1);
      insert into dragoman_added (room, number) values ('${room}', ${number});`;
  });
  return `begin; ${steps.join('\n')} commit;`;
}

async function openServers() {
  const { databaseUrl } = await freshLocation('postgres');
  const env = { DRAGOMAN_DATABASE_URL: databaseUrl! };
  return {
    databaseUrl: databaseUrl!,
    serve: (more: Record<string, string> = {}, home = tempFolder()) =>
      serveDragoman([], { home, env: { ...env, ...more } }),
    run: (args: readonly string[], home: string) => runDragoman(args, { home, env }),
  };
}

/** Calls a model, and changes settings and tokens, through one server. */
async function call({ url, token }: RunningDragoman, name: string): Promise<void> {
  const console = createConsoleClient({ url, token });
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'offline/offline', messages: [{ role: 'user', content: name }] }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"choices":') as string]);
  const { settings } = await console.changeSettings({ changes: [{ path: ['limits', 'requests'], value: 500 }] });
  expect(settings['limits']).toEqual({ requests: 500 });
  await console.createToken({ name, role: 'member' });
  expect((await console.listTokens({})).tokens.map((made) => made.name)).toContain(name);
  expect((await console.readUsage({})).total.calls).toBeGreaterThan(0);
}

/** Has an agent work in a session of that title, too. */
async function work(server: RunningDragoman, title: string): Promise<void> {
  await call(server, title);
  const hub = createHubClient({ url: server.url, token: server.token });
  const { id } = await hub.createSession({ agent: 'native', folder: tempFolder(), title, prompt: { text: title } });
  await expect
    .poll(async () => (await hub.readLog({ sessionId: id })).events.map(({ event }) => event.type), soon)
    .toContain('turn-finished');
}

test('a server goes on while the next version adds to every room of its database, and another of this version starts beside it', async () => {
  const { databaseUrl, serve } = await openServers();
  const first = await serve();
  await work(first, 'before');

  await runSql(databaseUrl, nextVersion());
  await work(first, 'after');
  const second = await serve();
  await work(second, 'beside');

  const hub = createHubClient(first);
  const titles = (await hub.listSessions({})).sessions.map(({ title }) => title);
  expect(titles.toSorted()).toEqual(['after', 'before', 'beside']);
});

test('where the next version took something away no server of this one starts, and those that run go on', async () => {
  const { databaseUrl, serve, run } = await openServers();
  const first = await serve();
  await runSql(
    databaseUrl,
    "insert into dragoman_migrations (room, number, title, applied_at) values ('hub', 999, 'no more drafts', 1)",
  );

  const late = await run(['serve', '--port', '0'], tempFolder());

  expect(late.exitCode).not.toBe(0);
  expect(late.stderr).toMatch(
    /^dragoman: The database was written by a newer Dragoman \(it has hub step 999, "no more drafts"; this one knows \d+\)\. Start the newer version, or use another data folder\.$/m,
  );
  await call(first, 'still');
});

test('what is set at one server is in force at another, and where it cannot be, everybody is told', async () => {
  const { serve, run } = await openServers();
  const home = tempFolder();
  const a = await serve({ ONLY_HERE: 'sk-only-here' }, home);
  const b = await serve();
  const [atA, atB] = [createConsoleClient(a), createConsoleClient(b)];
  const provider = (apiKey: string) => ({
    type: 'openai-chat',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey,
    models: ['m'],
  });
  const isKnown = async (name: string) => (await atB.readGateway()).models.includes(`${name}/m`);

  await atA.changeSettings({ changes: [{ path: ['providers', 'shared'], value: provider('k') }] });
  await expect.poll(() => isKnown('shared'), soon).toBe(true);

  const { servers } = await atA.changeSettings({
    changes: [{ path: ['providers', 'own'], value: provider('{env:ONLY_HERE}') }],
  });
  const behind = servers!.filter(({ isUpToDate }) => !isUpToDate);
  expect([servers!.length, behind.length]).toEqual([2, 1]);
  expect(behind[0]).toMatchObject({
    isThis: false,
    problem: expect.stringContaining('the environment variable ONLY_HERE is not set') as string,
  });
  expect(JSON.stringify(servers)).not.toContain('sk-only-here');
  expect([await isKnown('shared'), await isKnown('own')]).toEqual([true, false]);
  const doctor = await run(['doctor'], home);
  expect(doctor.stdout).toMatch(/does not use all settings: [^]*ONLY_HERE is not set/);
  await atB.changeSettings({ changes: [{ path: ['providers', 'own'] }] });
  expect((await atA.readSettings()).servers!.every(({ isUpToDate }) => isUpToDate)).toBe(true);
});

test('a server starts without the shared settings that cannot be in force on it, takes later ones, and says so', async () => {
  const { serve, run } = await openServers();
  const [a, home] = [await serve({ ONLY_HERE: 'sk-1' }), tempFolder()];
  const atA = createConsoleClient(a);
  const provider = { type: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '{env:ONLY_HERE}', models: ['m'] };
  await atA.changeSettings({ changes: [{ path: ['providers', 'nine'], value: provider }] });
  await atA.changeSettings({ changes: [{ path: ['limits', 'requests'], value: 7 }] });

  const b = await serve({}, home);
  const atB = createConsoleClient(b);

  const { problem, file, settings } = await atB.readSettings();
  expect(problem).toBe(
    'Not all settings that the servers share can be in force on this one. It keeps what it had in place of:\n  providers.nine.apiKey: the environment variable ONLY_HERE is not set; set it, or remove {env:ONLY_HERE}',
  );
  expect(problem).not.toContain(file);
  expect(settings).toMatchObject({ providers: { nine: provider }, limits: { requests: 7 } });
  const inForce = async () => (await atB.diagnose()).settings.find(({ setting }) => setting === 'limits.requests');
  const shared = { setting: 'limits.requests', from: 'the settings that all servers share' };
  expect(await inForce()).toEqual({ ...shared, value: '7' });
  expect((await atB.readGateway()).models).not.toContain('nine/m');

  await atB.changeSettings({ changes: [{ path: ['limits', 'requests'], value: 8 }] });
  expect(await inForce()).toEqual({ ...shared, value: '8' });
  await expect(
    atB.changeSettings({ changes: [{ path: ['limits', 'requests'], value: 'many' }] }),
  ).rejects.toMatchObject({ code: 'config-invalid', message: expect.not.stringContaining('ONLY_HERE') as string });
  expect((await run(['doctor'], home)).stdout).toMatch(
    /FAIL +configuration +Not all settings that the servers share [^]*ONLY_HERE is not set/,
  );
  await b.untilLogged('Not all settings that the servers share');
});
