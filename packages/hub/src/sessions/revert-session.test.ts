import { type BackendCapabilities, foldHubEvents, type HubEventOf, type RunnerEvent } from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test, vi } from 'vitest';
import { openHubDoor, type Person } from '../hub-door.fixture.ts';
import type { HubTables } from '../hub-tables.ts';
import { testLog, testSession } from '../log/session-log.fixture.ts';
import { RunnerPresence } from '../runners/runner-presence.ts';
import { said, type ScriptedRunner } from '../scripted-runner.fixture.ts';
import { revertSession } from './revert-session.ts';

const usage = (id: string): RunnerEvent => ({
  type: 'block-stop',
  messageId: `u${id}`,
  role: 'agent',
  blockId: `u${id}`,
  block: { type: 'usage', input_tokens: 100, output_tokens: 10 },
});

/** A session on a machine, in which prompts were answered. */
async function scene({
  engine = 'sqlite',
  capabilities = { fork: true, revert: true },
}: { engine?: 'sqlite' | 'postgres'; capabilities?: BackendCapabilities } = {}) {
  const door = await openHubDoor({ engine });
  const { owner } = door;
  const runner = await door.runner();
  const { id: sessionId } = await owner.client.createSession({ agent: 'able', folder: '/code', title: 'A session' });
  const { number } = await runner.command('open');
  await runner.say(sessionId, [{ type: 'agent-updated', agentSessionId: 'own', capabilities }]);
  await runner.send([{ handled: number }]);
  return { door, owner, runner, sessionId };
}

/** A prompt and the turn that answers it. */
async function ask({ client }: Person, runner: ScriptedRunner, sessionId: string, id: string): Promise<void> {
  await client.sendPrompt({ sessionId, id, text: `question ${id}` });
  const command = await runner.command('prompt');
  await runner.say(
    sessionId,
    [
      { type: 'turn-started', turnId: `t-${id}`, promptId: id },
      said(`answer ${id}`),
      usage(id),
      { type: 'turn-finished', turnId: `t-${id}`, reason: 'done' },
    ],
    command,
  );
}

async function viewOf({ client }: Person, sessionId: string) {
  const { events } = await client.readLog({ sessionId });
  return foldHubEvents(events as Parameters<typeof foldHubEvents>[0])!;
}

const textsIn = (view: Awaited<ReturnType<typeof viewOf>>) =>
  view.messages.flatMap(({ blocks }) => blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : [])));

/** What the machine is told, and what it answers. */
async function answerRevert(
  runner: ScriptedRunner,
  sessionId: string,
  outcome: Pick<HubEventOf<'reverted'>, 'type' | 'files'> | Pick<HubEventOf<'revert-failed'>, 'type' | 'error'>,
): Promise<string> {
  const command = await runner.command('revert');
  const { messageId, revertId } = command.command;
  await runner.say(sessionId, [{ ...outcome, messageId, revertId }], command);
  return messageId;
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a prompt goes with everything that followed: from the view, the list, the search, the export and forks; what it cost stays', async () => {
    const { owner, runner, sessionId } = await scene({ engine });
    const { client } = owner;
    for (const id of ['p1', 'p2', 'p3']) await ask(owner, runner, sessionId, id);
    expect((await client.search({ q: 'p2' })).hits).toHaveLength(2);

    const reverting = client.revertSession({ sessionId, messageId: 'p2' });
    expect(await answerRevert(runner, sessionId, { type: 'reverted', files: ['a.txt'] })).toBe('p2');
    expect(HUB_CALLS.revertSession.answer.strict().parse(await reverting)).toEqual({ files: ['a.txt'] });

    expect(textsIn(await viewOf(owner, sessionId))).toEqual(['question p1', 'answer p1']);
    expect((await viewOf(owner, sessionId)).usage).toEqual({ input_tokens: 300, output_tokens: 30 });
    expect(await client.getSession({ sessionId })).toMatchObject({
      status: 'starting',
      lastText: 'answer p1',
      inputTokens: 300,
    });
    expect((await client.search({ q: 'p2' })).hits).toEqual([]);
    expect((await client.search({ q: 'answer p1' })).hits).toHaveLength(1);
    for (const format of ['markdown', 'json'] as const) {
      const text = Buffer.from((await client.exportSession({ sessionId, format })).bytes).toString();
      const says = (words: string) => text.includes(words);
      expect(['answer p1', 'question p2', 'answer p2', 'answer p3'].map(says)).toEqual([true, false, false, false]);
    }

    // The session goes on from there, and what follows is found.
    await ask(owner, runner, sessionId, 'p4');
    expect(textsIn(await viewOf(owner, sessionId))).toEqual(['question p1', 'answer p1', 'question p4', 'answer p4']);
    expect((await client.search({ q: 'answer p4' })).hits).toHaveLength(1);

    // A fork has none of it, not even in its log, and knows no prompt that was taken out.
    await expect(client.forkSession({ sessionId, beforeMessageId: 'p3' })).rejects.toMatchObject({ code: 'not-found' });
    const { id: fork } = await client.forkSession({ sessionId, beforeMessageId: 'p4' });
    expect(textsIn(await viewOf(owner, fork))).toEqual(['question p1', 'answer p1']);
    expect(JSON.stringify(await client.readLog({ sessionId: fork }))).not.toMatch(/(question|answer) p[23]/);
    const { id: whole } = await client.forkSession({ sessionId });
    expect(textsIn(await viewOf(owner, whole))).toEqual(['question p1', 'answer p1', 'question p4', 'answer p4']);
    expect((await client.search({ q: 'p3' })).hits).toEqual([]);

    // Further back, beyond the revert of before.
    const again = client.revertSession({ sessionId, messageId: 'p1' });
    await answerRevert(runner, sessionId, { type: 'reverted', files: [] });
    expect(await again).toEqual({ files: [] });
    expect((await viewOf(owner, sessionId)).messages).toEqual([]);
    expect(await client.getSession({ sessionId })).toMatchObject({ lastText: '', inputTokens: 400 });
    expect((await client.search({ q: 'p4', sessionId })).hits).toEqual([]);
  });

  test('what is told late of something that was taken out stays out, for the search too', async () => {
    const { owner, runner, sessionId } = await scene({ engine });
    for (const id of ['p1', 'p2']) await ask(owner, runner, sessionId, id);
    const reverting = owner.client.revertSession({ sessionId, messageId: 'p2' });
    await answerRevert(runner, sessionId, { type: 'reverted', files: [] });
    await reverting;

    await runner.say(sessionId, [said('answer p2 again', 'blk_answer p2')]);

    expect(textsIn(await viewOf(owner, sessionId))).toEqual(['question p1', 'answer p1']);
    expect((await owner.client.search({ q: 'again' })).hits).toEqual([]);
  });
});

test('why the agent did not do it is what is answered, and nothing is gone', async () => {
  const { owner, runner, sessionId } = await scene();
  await ask(owner, runner, sessionId, 'p1');
  const reverting = owner.client.revertSession({ sessionId, messageId: 'p1' });
  const error = { code: 'unavailable', message: 'There are no snapshots.', fix: 'install git' };
  await Promise.all([
    expect(reverting).rejects.toMatchObject({
      code: 'unavailable',
      message: 'There are no snapshots; what helps: install git',
    }),
    answerRevert(runner, sessionId, { type: 'revert-failed', error }),
  ]);
  expect(textsIn(await viewOf(owner, sessionId))).toEqual(['question p1', 'answer p1']);
});

test('it is refused where it cannot be: by what the agent can, while it works, and for what is no prompt of the session', async () => {
  const { owner, runner, sessionId } = await scene();
  await ask(owner, runner, sessionId, 'p1');
  const revert = (messageId = 'p1', of = sessionId) => owner.client.revertSession({ sessionId: of, messageId });

  for (const messageId of ['p9', 'msg_of_blk_answer p1'])
    await expect(revert(messageId)).rejects.toMatchObject({
      code: 'not-found',
      message: `There is no prompt "${messageId}" in this session.`,
    });

  // One at a time.
  const first = revert();
  const command = await runner.command('revert');
  await expect(revert()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('being taken') });
  await runner.say(sessionId, [{ ...command.command, type: 'reverted', files: [] }], command);
  await first;
  await expect(revert()).rejects.toMatchObject({ code: 'not-found' });

  // Not while it works, or is about to.
  const atWork = { code: 'conflict', message: expect.stringContaining('stop it first') as string };
  await owner.client.sendPrompt({ sessionId, id: 'p2', text: 'more' });
  await expect(revert('p2')).rejects.toMatchObject(atWork);
  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't', promptId: 'p2' }], await runner.command('prompt'));
  await expect(revert('p2')).rejects.toMatchObject(atWork);
  await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't', reason: 'done' }]);

  const { id: other } = await owner.client.createSession({ agent: 'able', folder: '/code' });
  await expect(revert('p1', other)).rejects.toMatchObject({
    code: 'bad-request',
    message: 'The agent able cannot take a prompt back in this session.',
  });

  // Nobody there: nothing is left for later.
  await runner.leave();
  await expect(revert('p2')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The machine desk is not connected; start its runner again.',
  });
  await runner.connect();
  await runner.caughtUp(owner.client);
  expect(runner.commands.map(({ command: { type } }) => type)).not.toContain('revert');
});

test('a machine that does not answer in time is not to do it any more, also when who asked has left', async () => {
  const { store, log, feed } = await testLog();
  const db = store.tables<HubTables>();
  const presence = new RunnerPresence('sqlite', Date.now, { id: 'here', isAlive: () => false, met: () => {} });
  presence.enter('run_test', new AbortController());
  await db
    .insertInto('hub_runners')
    .values({
      id: 'run_test',
      name: 'desk',
      host: '',
      version: '',
      owner_id: 'usr_ada',
      owner_name: 'ada',
      is_shared: 1,
      folders_json: '[]',
      agents_json: '[]',
      outbox_id: 'o',
      acked: 0,
      handled: 0,
      commanded: 0,
      last_seen_at: 0,
    })
    .execute();
  const sessionId = await testSession(log);
  await log.append(sessionId, [
    { at: 1, event: { type: 'agent-updated', capabilities: { revert: true } } },
    { at: 2, event: { type: 'turn-started', turnId: 't', promptId: 'p1' } },
    { at: 3, event: { type: 'turn-finished', turnId: 't', reason: 'done' } },
  ]);
  const ada = { userId: 'usr_ada', userName: 'ada', role: 'member', tokenName: 't' } as const;
  const options = { sessionId, messageId: 'p1', signal: new AbortController().signal, limitMs: 20 };
  const parts = { log, feed, presence, config: () => ({}) as never, now: Date.now };

  await expect(revertSession(parts, ada as never, options)).rejects.toMatchObject({
    code: 'timed-out',
    isRetryable: true,
    message: expect.stringMatching(/^The machine desk did not take the prompt back within 0\.02 seconds;/) as string,
  });

  const [left] = await db.selectFrom('hub_commands').select(['number', 'command_json']).execute();
  expect([left!.number, JSON.parse(left!.command_json)]).toMatchObject([1, { command: { type: 'cancel' } }]);

  const leaving = { ...options, signal: AbortSignal.abort(), limitMs: 200 };
  await expect(revertSession(parts, ada as never, leaving)).rejects.toMatchObject({
    code: 'cancelled',
  });
  const given = async () => {
    const rows = await db.selectFrom('hub_commands').select('command_json').orderBy('number').execute();
    return rows.map(({ command_json }) => (JSON.parse(command_json) as { command: { type: string } }).command.type);
  };
  expect(await given()).toEqual(['cancel', 'revert']);
  await vi.waitFor(async () => expect(await given()).toEqual(['cancel', 'cancel']), 60_000);
});
