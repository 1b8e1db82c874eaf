import { createHubClient, type HubClient, newId, readServerEvents, type RunnerMessage } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { approvalAsked, type HubDoor, openHubDoor } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { openHub } from '../open-hub.ts';
import { helloOf, said, ScriptedRunner } from '../scripted-runner.fixture.ts';

for (const engine of STORE_ENGINES) {
  test(`${engine}: a runner is told how things stand, then what it has not done, then what comes, across restarts of the hub`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const one = await client.createSession({ agent: 'scribe', folder: '/one' });
    const two = await client.createSession({ agent: 'scribe', folder: '/two', prompt: { id: 'p-2', text: 'go' } });
    const [open, prompt] = [await runner.command('open'), await runner.command('prompt')];
    expect([open.number, prompt.number]).toEqual([1, 2]);
    await runner.say(one.id, [{ type: 'agent-state', state: 'ready' }], open);
    const ready = { type: 'agent-state', state: 'ready' } as const;
    await runner.say(two.id, [{ type: 'turn-started', turnId: 't', promptId: 'p-2' }, ready, approvalAsked('a-1')]);

    await door.reopen();
    await client.decideApproval({ sessionId: two.id, approvalId: 'a-1', optionId: 'yes' });
    runner.link = door.hub.link(door.owner.caller);
    const sync = await runner.connect();

    expect(sync).toEqual({
      handled: 1,
      commanded: 3,
      open: [{ sessionId: two.id, turnId: 't', approvalIds: [], lastAt: expect.any(Number) }],
    });
    const commands = (await runner.caughtUp(client)).commands;
    expect(commands.map(({ number, command }) => [number, command.type])).toEqual([
      [2, 'prompt'],
      [3, 'answer'],
    ]);
    await client.closeSession({ sessionId: one.id });
    expect((await runner.command('close')).number).toBe(4);
  });

  test(`${engine}: a runner that comes back is told what a turn was to begin with, until its agent was ready for it`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id } = await client.createSession({ agent: 'scribe', folder: '/one', prompt: { id: 'p-1', text: 'go' } });
    const state = (state: 'starting' | 'ready') => ({ type: 'agent-state', state }) as const;
    const started = { type: 'turn-started', turnId: 't', promptId: 'p-1' } as const;
    await runner.say(id, [started, state('starting')], await runner.command('prompt'));

    const told = async () => {
      await runner.leave();
      return (await runner.connect()).open;
    };
    const open = { sessionId: id, turnId: 't', approvalIds: [], lastAt: expect.any(Number) as number };
    expect(await told()).toEqual([
      {
        ...open,
        unbegun: {
          session: { sessionId: id, agent: 'scribe', folder: '/one' },
          prompt: { id: 'p-1', content: [{ type: 'text', text: 'go' }] },
        },
      },
    ]);
    await runner.say(id, [state('ready')]);
    expect(await told()).toEqual([open]);
  });

  test(`${engine}: with a new outbox numbers start again, and commands that were not carried out stay`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const session = await door.owner.client.createSession({ agent: 'scribe', folder: '/one' });
    await runner.say(session.id, [said('one'), said('two')]);
    expect(await runner.greet()).toEqual({ acked: 2 });
    await runner.leave();

    const anew = new ScriptedRunner(runner.link, { outboxId: 'outbox-2' });
    expect(await anew.greet()).toEqual({ acked: 0 });
    await expect(runner.say(session.id, [said('lost')])).rejects.toMatchObject({ code: 'conflict' });
    await anew.connect();
    expect((await anew.command('open')).session.sessionId).toBe(session.id);
  });

  test(`${engine}: a machine is asked about its folders, and its answer or its refusal is passed on`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;

    const listing = client.listFolder({ runnerId: 'run_desk', path: '/code' });
    const { askId, ask } = await runner.asked();
    expect(ask).toEqual({ method: 'list-folder', path: '/code' });
    const result = {
      path: '/code',
      isRepository: false,
      folders: [{ name: 'a', path: '/code/a', isRepository: true }],
    };
    await runner.link.reply('run_desk', askId, { result });
    expect(await listing).toEqual(result);
    await runner.link.reply('run_desk', askId, { result });

    const refused = client.listFolder({ runnerId: 'run_desk', path: '/root' });
    const second = await runner.asked();
    const error = { code: 'forbidden', message: '/root is outside of what may be seen.' };
    const replied = runner.link.reply('run_desk', second.askId, { error });
    await expect(refused).rejects.toMatchObject(error);
    await replied;
    await runner.leave();
    await expect(client.listFolder({ runnerId: 'run_desk' })).rejects.toMatchObject({ code: 'unavailable' });
  });
}

test('a machine is connected while it listens, and a second connection takes the place of the first', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const isConnected = async () => (await door.owner.client.listRunners()).runners[0]!.isConnected;
  expect(await isConnected()).toBe(true);

  const first = runner.ended;
  await runner.connect();
  expect(await first).toMatchObject({ code: 'conflict' });
  expect(await isConnected()).toBe(true);
  await runner.leave();
  expect(await isConnected()).toBe(false);
});

test('a machine belongs to who connected it first; nobody else speaks for it but an admin', async () => {
  const door = await openHubDoor();
  const [ada, max] = [await door.person('ada'), await door.person('max')];
  const runner = await door.runner({}, ada);
  const foreign = door.hub.link(max.caller);
  const { signal } = new AbortController();

  await expect(foreign.hello(helloOf(), signal)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(foreign.listen('run_desk', () => {}, signal)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(foreign.reply('run_desk', 'ask_1', { result: 1 })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(foreign.send('run_desk', { outboxId: 'outbox-1', first: 1, records: [] }, signal)).rejects.toMatchObject(
    {
      code: 'forbidden',
    },
  );
  expect(await runner.greet()).toEqual({ acked: 0 });
  expect(await door.hub.link(door.owner.caller).hello(helloOf(), signal)).toEqual({ acked: 0 });
  expect((await door.owner.client.listRunners()).runners).toMatchObject([{ id: 'run_desk', owner: 'ada' }]);
});

test('what another machine says of a session changes nothing', async () => {
  const door = await openHubDoor();
  await door.runner();
  const other = await door.runner({ id: 'run_other', name: 'other' });
  const session = await door.owner.client.createSession({ agent: 'scribe', folder: '/one', runnerId: 'run_desk' });

  await other.say(session.id, [said('not mine to say')]);

  expect((await door.owner.client.readLog({ sessionId: session.id })).events).toHaveLength(1);
});

test('a machine whose token is revoked is given nothing more to do', async () => {
  const door = await openHubDoor();
  const ada = await door.person('ada');
  const runner = await door.runner({}, ada);
  await runner.leave();
  const response = await fetch(`${door.url}/api/runner/run_desk/commands`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  const heard: string[] = [];
  const isConnected = Promise.withResolvers<void>();
  const reading = readServerEvents(response.body!, ({ data }) => {
    heard.push((JSON.parse(data) as RunnerMessage).type);
    isConnected.resolve();
  });
  await isConnected.promise;

  await door.tokens.revoke(ada.caller.tokenId!);
  await door.owner.client.createSession({ agent: 'scribe', folder: '/one', runnerId: 'run_desk' });
  await reading;
  expect(heard).toEqual(['sync']);

  // What waits is done with the next token.
  const again = new ScriptedRunner(door.hub.link((await door.person('ada')).caller));
  await again.connect();
  expect((await again.command('open')).session.folder).toBe('/one');
});

test('a runner introduces itself with an id of the form that runners make, and with words of a length to show', async () => {
  const door = await openHubDoor();
  const hello = (given: object) =>
    door.call('/api/runner/hello', {
      method: 'POST',
      headers: { authorization: `Bearer ${door.owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...helloOf(), ...given }),
    });

  for (const id of ['', 'desk', 'run_', 'run_a b', 'run_../x', `run_${'x'.repeat(100)}`])
    expect(await hello({ id })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^id: /) } },
    });
  for (const name of ['', '  ', 'a\nb', 'x'.repeat(100_000), 'desk\u202Exe', '\u2066desk', 'a\u2028b', '\u200B'])
    expect(await hello({ name })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^name: /) } },
    });
  for (const outboxId of ['', 'x'.repeat(101)]) expect(await hello({ outboxId })).toMatchObject({ status: 400 });
  for (const more of [
    { host: 'x'.repeat(1000) },
    { host: 'a\u202Eb' },
    { folders: ['/a\u202Eb'] },
    { version: '1\n2' },
    { version: 'x'.repeat(1000) },
    { folders: ['x'.repeat(10_000)] },
  ])
    expect(await hello(more)).toMatchObject({ status: 400 });
  const [agent] = helloOf().agents;
  for (const wrong of [{ name: '' }, { title: 'x'.repeat(1000) }, { name: 'a\u202Eb' }, { title: 'a\u2066b' }])
    expect(await hello({ agents: [{ ...agent!, ...wrong }] })).toMatchObject({ status: 400 });
  expect(await hello({ folders: Array.from({ length: 20 }, () => 'x'.repeat(4000)) })).toMatchObject({
    status: 413,
    body: { error: { message: expect.stringContaining('a server keeps 65536. Offer fewer of them.') } },
  });
  expect((await door.owner.client.listRunners()).runners).toEqual([]);

  const problem = { code: 'missing', message: 'x'.repeat(100_000) };
  expect(await hello({ agents: [{ ...agent!, problem }] })).toMatchObject({ status: 200 });
  const [known] = (await door.owner.client.listRunners()).runners;
  expect(known!.agents[0]!.problem!.message.length).toBeLessThanOrEqual(4000);
  await door.owner.client.removeRunner({ runnerId: known!.id });

  expect(await hello({ id: newId('run'), name: ' my desk ' })).toMatchObject({ status: 200, body: { acked: 0 } });
  expect((await door.owner.client.listRunners()).runners).toMatchObject([{ name: 'my desk' }]);
});

test('a member has up to 50 machines, and removes their own; an admin has as many as needed', async () => {
  const door = await openHubDoor();
  const [ann, eve, admin] = [await door.person('ann'), await door.person('eve'), door.owner];
  const hello = (token: string, id: string) =>
    door.call('/api/runner/hello', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(helloOf({ id })),
    });
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  for (const number of numbers) expect((await hello(ann.token, `run_${number}`)).status).toBe(200);

  expect(await hello(ann.token, 'run_more')).toMatchObject({
    status: 409,
    body: {
      error: { message: 'ann has 50 machines, which is the limit; remove some under Settings, Agents.' },
    },
  });
  expect((await hello(ann.token, 'run_7')).status).toBe(200);
  await expect(eve.client.removeRunner({ runnerId: 'run_7' })).rejects.toThrow(
    'The machine desk belongs to ann; its owner or an admin can remove it.',
  );
  await ann.client.removeRunner({ runnerId: 'run_7' });
  await admin.client.removeRunner({ runnerId: 'run_8' });
  expect((await hello(ann.token, 'run_more')).status).toBe(200);
  for (const number of numbers) expect((await hello(admin.token, `run_a${number}`)).status).toBe(200);
  expect((await hello(admin.token, 'run_a50')).status).toBe(200);
});

test('a machine that is called like the server itself is shown with its owner', async () => {
  const door = await openHubDoor();
  const eve = await door.person('eve');
  await door.runner({ id: 'run_server', name: 'Server' });
  const hello = (id: string, name: string) =>
    door.call('/api/runner/hello', {
      method: 'POST',
      headers: { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(helloOf({ id, name })),
    });

  for (const [id, name] of Object.entries({
    run_1: 'server',
    run_2: 'Ser\u200Bver',
    run_3: 'ｓｅｒｖｅｒ',
    run_4: 'server 2',
    run_5: 'ѕеrvеr',
    run_6: 'saver1',
    run_7: 'ser\u3164ver',
  }))
    await hello(id, name);

  const { runners } = await eve.client.listRunners();
  expect(Object.fromEntries(runners.map(({ id, name }) => [id, name]))).toEqual({
    run_server: 'Server',
    run_1: 'server (eve)',
    run_2: 'Ser\u200Bver (eve)',
    run_3: 'ｓｅｒｖｅｒ (eve)',
    run_4: 'server 2',
    run_5: 'ѕеrvеr (eve)',
    run_6: 'saver1',
    run_7: 'ser\u3164ver (eve)',
  });
});

test('a machine that is away and has no sessions is forgotten for good; one that is connected is not', async () => {
  const door = await openHubDoor();
  const runner = await door.runner();
  const { client } = door.owner;
  const session = await client.createSession({ agent: 'scribe', folder: '/one' });
  const forget = () => client.removeRunner({ runnerId: 'run_desk' });

  await expect(forget()).rejects.toThrow('The machine desk is connected');
  await runner.leave();
  await client.removeSession({ sessionId: session.id });
  await forget();

  expect(await client.listRunners()).toEqual({ runners: [] });
  expect(await runner.connect()).toEqual({ handled: 0, commanded: 0, open: [] });
});

test('postgres: a question is answered although the hub lost its connection to the other processes meanwhile', async () => {
  const door = await openHubDoor({ engine: 'postgres' });
  const runner = await door.runner();
  const listing = door.owner.client.listFolder({ runnerId: 'run_desk' });
  const { askId } = await runner.asked();
  const missed = Promise.withResolvers<void>();
  const channel = await door.store.openChannel('test', (payload) => payload === undefined && missed.resolve());

  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'dragoman channels'`.execute(door.store.tables());
  await missed.promise;
  const result = { path: '/', isRepository: false, folders: [] };
  await runner.link.reply('run_desk', askId, { result });

  expect(await listing).toEqual(result);
  await channel.close();
});

/** Whether a server knows of the only machine, and of the other server that has it: it hears of both a moment later. */
async function isKnown({ store }: HubDoor, client: HubClient): Promise<boolean> {
  const row = await store
    .tables<HubTables>()
    .selectFrom('hub_runners')
    .select('connected_to')
    .executeTakeFirstOrThrow();
  return row.connected_to !== null && (await client.listRunners()).runners[0]!.isConnected;
}

test('machines are asked through servers whose clocks are apart', async () => {
  const door = await openHubDoor({ engine: 'postgres' });
  const ahead = await door.another(() => Date.now() + 3_600_000);
  const runner = new ScriptedRunner(ahead.link(door.owner.caller), { id: 'run_desk' });
  await runner.connect();
  const { client } = door.owner;
  await expect.poll(() => isKnown(door, client)).toBe(true);
  const result = { path: '/', isRepository: false, folders: [] };

  const listing = client.listFolder({ runnerId: 'run_desk' });
  const { askId } = await runner.asked();
  // Somebody asks through the other server meanwhile, which clears away what is over.
  door.sendTo(ahead);
  const another = client.listFolder({ runnerId: 'run_desk' });
  const { askId: anotherId } = await runner.asked();
  await runner.link.reply('run_desk', anotherId, { result });
  await runner.link.reply('run_desk', askId, { result });

  expect(await Promise.all([listing, another])).toEqual([result, result]);
});

test('two processes of the hub on one PostgreSQL share machines: a prompt at one reaches the runner at the other', async () => {
  const door = await openHubDoor({ engine: 'postgres' });
  const log = { debug: () => {}, info: () => {}, warn: () => {} };
  const other = await openHub({ store: door.store, config: () => door.settings, log });
  const runner = new ScriptedRunner(other.link(door.owner.caller));
  await runner.connect();
  const client = createHubClient({ url: door.url, token: door.owner.token });
  await expect.poll(() => isKnown(door, client)).toBe(true);

  const session = await client.createSession({ agent: 'scribe', folder: '/one', runnerId: 'run_desk' });
  await runner.command('open');
  expect(session.isOnline).toBe(true);
  await client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'go' });
  expect((await runner.command('prompt')).command.prompt.id).toBe('p-1');
  await runner.caughtUp(client);
  await runner.leave();
  await expect.poll(async () => (await client.getSession({ sessionId: session.id })).isOnline).toBe(false);
  await other.close();
});
