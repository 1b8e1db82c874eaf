import { newId, newTerminalRunnerId } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked, openHubDoor } from '../hub-door.fixture.ts';
import { helloOf, said, ScriptedRunner } from '../scripted-runner.fixture.ts';

/** A terminal with a hub of its own on the store of another one, as a second process has it. */
async function openTerminal(engine: (typeof STORE_ENGINES)[number]) {
  const door = await openHubDoor({ engine });
  const home = await door.runner();
  const process = await door.another();
  const runner = new ScriptedRunner(process.link(door.owner.caller, home.hello.id), { id: newTerminalRunnerId() });
  await runner.connect();
  const desk = process.terminal(door.owner.caller);
  const take = (id: string) =>
    desk.take({
      agentSessionId: id,
      agent: 'scribe',
      folder: '/one',
      words: 'do it',
      capabilities: { approvals: true },
      model: 'a/m',
      mode: 'build',
      runnerId: runner.hello.id,
      homeRunnerId: home.hello.id,
    });
  return { door, home, runner, desk, take, client: door.owner.client };
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: a session of a terminal is seen and answered in another process while it works, under one id`, async () => {
    const { home, runner, desk, take, client } = await openTerminal(engine);
    const id = await take(newId('ses'));
    await desk.prompt(id, { id: 'p-1', text: 'do it' });
    const prompt = await runner.command('prompt');
    await runner.say(id, [{ type: 'turn-started', turnId: 't', promptId: 'p-1' }, approvalAsked('a-1')], prompt);

    const shown = await client.getSession({ sessionId: id });
    expect(shown).toMatchObject({ id, title: 'do it', status: 'waiting', isOnline: true, runnerId: home.hello.id });
    expect((await client.listRunners()).runners.map((one) => one.id)).toEqual([home.hello.id]);
    await client.decideApproval({ sessionId: id, approvalId: 'a-1', optionId: 'yes' });
    expect((await runner.command('answer')).command).toMatchObject({ approvalId: 'a-1', reply: { optionId: 'yes' } });
    await expect(desk.answer(id, 'a-1', { reject: true })).rejects.toMatchObject({ code: 'conflict' });

    await runner.say(id, [{ type: 'turn-finished', turnId: 't', reason: 'done' }]);
    await desk.idle(id);
    await desk.giveBack(id, home.hello.id);
    await client.sendPrompt({ sessionId: id, id: 'p-2', text: 'more' });
    expect((await home.command('prompt')).command).toMatchObject({ prompt: { id: 'p-2' } });
  });

  test(`${engine}: what a terminal leaves goes to the machine of the server: its turn is over, and what waits goes on`, async () => {
    const { home, runner, desk, take, client } = await openTerminal(engine);
    const id = await take(newId('ses'));
    await desk.prompt(id, { id: 'p-1', text: 'do it' });
    const prompt = await runner.command('prompt');
    await runner.say(id, [{ type: 'turn-started', turnId: 't', promptId: 'p-1' }, said('half')], prompt);
    await client.sendPrompt({ sessionId: id, id: 'p-2', text: 'more' });

    await runner.leave();

    expect((await home.command('prompt')).command).toMatchObject({ prompt: { id: 'p-2' } });
    const { events } = await client.readLog({ sessionId: id });
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'turn-finished',
      turnId: 't',
      reason: 'interrupted',
    });
  });

  test(`${engine}: a terminal takes a session only where nothing goes on, and its agent is closed there`, async () => {
    const { home, runner, desk, client } = await openTerminal(engine);
    const { id } = await client.createSession({ agent: 'scribe', folder: '/one', prompt: { id: 'p-1', text: 'go' } });
    const prompt = await home.command('prompt');
    await home.say(
      id,
      [
        { type: 'turn-started', turnId: 't', promptId: 'p-1' },
        { type: 'agent-updated', agentSessionId: 'its-own' },
      ],
      prompt,
    );
    const to = { runnerId: runner.hello.id, home: { id: home.hello.id, isThere: true } };
    await expect(desk.claim('its-own', to)).rejects.toMatchObject({
      code: 'conflict',
      message: `Session ${id} is running elsewhere. Wait for it, or stop it in the console.`,
    });

    await home.say(id, [{ type: 'turn-finished', turnId: 't', reason: 'done' }]);
    expect(await desk.find(id)).toEqual({ agentSessionId: 'its-own' });
    await desk.claim('its-own', to);
    expect((await home.command('close')).session.sessionId).toBe(id);
    await desk.prompt(id, { id: 'p-2', text: 'here' });
    expect((await runner.command('prompt')).session).toMatchObject({ sessionId: id, agentSessionId: 'its-own' });
  });
}

test('what a terminal leaves waits for the server of its own machine, also where another server shares the database', async () => {
  const { door, home, runner, take, desk, client } = await openTerminal('postgres');
  const server = await door.another();
  const elsewhere = new ScriptedRunner(server.link(door.owner.caller), { id: 'run_elsewhere', name: 'elsewhere' });
  await elsewhere.connect();
  const id = await take(newId('ses'));
  await desk.prompt(id, { id: 'p-1', text: 'do it' });
  await runner.command('prompt');
  await home.leave();
  await runner.leave();
  await client.sendPrompt({ sessionId: id, id: 'p-2', text: 'more' });

  // It gives a sign of life, and looks for what is left, as soon as it connects.
  await elsewhere.leave();
  await elsewhere.connect();
  expect(await elsewhere.caughtUp(client)).toMatchObject({ commands: [] });
  expect(await client.getSession({ sessionId: id })).toMatchObject({ runnerId: home.hello.id });

  await home.connect();
  expect((await home.command('prompt')).session.sessionId).toBe(id);
});

test('every server shows a session of a terminal on the machine of that terminal', async () => {
  const { door, home, take, client } = await openTerminal('postgres');
  const id = await take(newId('ses'));
  const server = await door.another();
  await new ScriptedRunner(server.link(door.owner.caller), { id: 'run_elsewhere', name: 'elsewhere' }).connect();

  door.sendTo(server);

  expect(await client.getSession({ sessionId: id })).toMatchObject({ runnerId: home.hello.id, isOnline: true });
});

test('a terminal takes no session away from a turn that runs on another machine', async () => {
  const { door, home, runner, desk, client } = await openTerminal('postgres');
  const server = await door.another();
  const elsewhere = new ScriptedRunner(server.link(door.owner.caller), { id: 'run_elsewhere', name: 'elsewhere' });
  await elsewhere.connect();
  const session = { agent: 'scribe', folder: '/one', runnerId: 'run_elsewhere', prompt: { id: 'p-1', text: 'go' } };
  const { id } = await client.createSession(session);
  const prompt = await elsewhere.command('prompt');
  await elsewhere.say(id, [{ type: 'turn-started', turnId: 't', promptId: 'p-1' }], prompt);

  const to = { runnerId: runner.hello.id, home: { id: home.hello.id, isThere: false } };
  await expect(desk.claim(id, to)).rejects.toMatchObject({ code: 'conflict' });
});

test('no runner elsewhere may call itself a terminal of this machine', async () => {
  const door = await openHubDoor();
  const { token } = await door.person('eve');
  const answer = await fetch(`${door.url}/api/runner/hello`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(helloOf({ id: newTerminalRunnerId() })),
  });
  expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'forbidden' } }]);
});
