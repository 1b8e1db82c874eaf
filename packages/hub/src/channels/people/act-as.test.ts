import type { Role } from '@dragoman/protocol';
import type { AccessTables } from '@dragoman/server';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked } from '../../hub-door.fixture.ts';
import { type ChatDoor, openChatDoor } from './chat-door.fixture.ts';

const REFUSED = 'This requires the member role. An admin can change your role in the console.';

async function setRole(door: ChatDoor, name: string, role: Role): Promise<void> {
  await door.store.tables<AccessTables>().updateTable('users').set({ role }).where('name', '=', name).execute();
}

/** A session of the owner in the middle of a turn, on a machine that every member may use. */
async function openTurn(options: Parameters<typeof openChatDoor>[0]) {
  const door = await openChatDoor(options);
  const runner = await door.runner({ isShared: true });
  const { id: sessionId } = await door.owner.client.createSession({
    agent: 'able',
    folder: '/code',
    title: 'The login page',
    prompt: { id: 'p-1', text: 'mend the login page' },
  });
  const prompt = await runner.command('prompt');
  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't', promptId: 'p-1' }, approvalAsked('a-1')], prompt);
  return { door, runner, sessionId };
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: a viewer may read everything in a chat, and change nothing`, async () => {
    const { door, sessionId } = await openTurn({ engine });
    const vera = await door.bound(await door.person('vera', 'viewer'));

    expect(await vera.ask('/sessions')).toEqual([expect.stringContaining('1. **The login page** · needs input')]);
    expect(await vera.ask('/switch 1')).toEqual([expect.stringContaining('This chat now shows **The login page**.')]);
    expect(await vera.ask('/history')).toEqual([expect.stringContaining('mend the login page')]);
    expect(await vera.ask('/search login')).toEqual([expect.stringContaining('**The login page**')]);
    expect(await vera.ask('/queue')).toEqual(['No queued prompts.']);
    expect(await vera.ask('/model')).toEqual(['The model is **the default**.']);
    expect(await vera.ask('/mute')).toHaveLength(1);
    for (const text of [
      'hello',
      '/new',
      '/new able /code',
      '/stop',
      '/queue drop all',
      '/steer left',
      '/approve',
      '/deny',
      '/model x',
      '/mode x',
    ])
      expect([text, ...(await vera.ask(text))]).toEqual([text, REFUSED]);
    const before = await vera.notes();
    expect(await vera.press('Allow once')).toEqual({ text: REFUSED, isRefused: true });
    expect(await vera.press('Answer', 'yes')).toEqual({ text: REFUSED, isRefused: true });
    expect(await vera.notes()).toEqual(before);

    expect(await door.owner.client.getSession({ sessionId })).toMatchObject({ queued: 0, waitingApprovals: 1 });
    expect((await door.owner.client.listSessions({})).sessions).toHaveLength(1);
  });

  test(`${engine}: a role counts as it is at the moment of each message`, async () => {
    const { door, sessionId } = await openTurn({ engine });
    const ada = await door.bound(await door.person('ada'));
    await ada.say(`/switch ${sessionId}`);

    expect(await ada.ask('one')).toEqual(['Queued until the current turn ends.']);
    await setRole(door, 'ada', 'viewer');
    expect(await ada.ask('two')).toEqual([REFUSED]);
    expect(await ada.press('Allow once')).toEqual({ text: REFUSED, isRefused: true });
    await setRole(door, 'ada', 'member');
    expect(await ada.press('Allow once')).toEqual({ text: 'Allow once, by ada (slate)', isRefused: false });

    expect(await door.owner.client.getSession({ sessionId })).toMatchObject({ queued: 1, waitingApprovals: 0 });
  });

  test(`${engine}: who is removed is a stranger, also to the buttons they still have`, async () => {
    const { door, sessionId } = await openTurn({ engine });
    const ada = await door.bound(await door.person('ada'));
    await ada.say(`/switch ${sessionId}`);
    await door.shown(ada.chatId, ({ key }) => key === 'approval a-1');

    await door.store.tables<AccessTables>().deleteFrom('tokens').execute();
    await door.store.tables<AccessTables>().deleteFrom('users').where('name', '=', 'ada').execute();

    expect(await ada.press('Allow once')).toMatchObject({ isRefused: true });
    expect(await ada.ask('hello')).toEqual([expect.stringContaining('I don’t know you yet.')]);
    expect(await ada.ask('/sessions')).toEqual([]);
  });
}

test('who may not use the machine of a session may read it and no more, is told so, and gets no buttons that are refused', async () => {
  const door = await openChatDoor();
  const runner = await door.runner({ isShared: false });
  const { id: sessionId } = await door.owner.client.createSession({ agent: 'able', folder: '/code' });
  await runner.say(sessionId, [
    { type: 'agent-state', state: 'ready' },
    { type: 'agent-updated', models: [{ id: 'big' }, { id: 'small' }], model: 'big' },
    { type: 'turn-started', turnId: 't' },
    approvalAsked('a-1'),
  ]);
  await door.owner.client.sendPrompt({ sessionId, text: 'wait' });
  const ada = await door.bound(await door.person('ada'));
  const own =
    'The machine **desk** belongs to **owner**. To let every member use it, set `"runner": { "isShared": true }` in its `dragoman.json`.';
  const readOnly = `You have view-only access here. ${own}`;

  const [switched] = await ada.say(`/switch ${sessionId}`);
  expect(switched!.text).toContain(readOnly);
  expect(await ada.ask('hello')).toEqual([expect.stringContaining('The machine desk is owner')]);
  expect(await ada.ask('/new')).toEqual([
    `There’s no agent you can use. ${own} Connect your own machine: \`dragoman runner --hub URL --token TOKEN\`.`,
  ]);
  expect(await ada.say('/model')).toEqual([{ text: `The model is **big**. ${readOnly}` }]);
  expect(await ada.ask('/model small')).toEqual([readOnly]);
  expect(await ada.say('/queue')).toEqual([{ text: '**Queued prompts**\n\n1. wait' }]);
  expect(await ada.say('/approve')).toEqual([{ text: readOnly }]);
  const labels = (await ada.say('/sessions'))[0]!.buttons!.flat().map(({ label }) => label);
  expect(labels).toEqual(['1']);
  expect(await door.owner.client.getSession({ sessionId })).toMatchObject({ queued: 1 });
});
