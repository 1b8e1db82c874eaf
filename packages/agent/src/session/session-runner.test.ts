import { DragomanError, type QueuedPrompt } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { testAgent } from '../open-agent.fixture.ts';
import { calls, says, scriptedModel } from '../scripted-model.fixture.ts';
import { recordTurn } from '../turn/record-turn.ts';
import { type Prompt, toQueuedPrompt } from './admit-prompt.ts';
import { testSession } from './session.fixture.ts';
import { SessionRunner, type SessionWork } from './session-runner.ts';

/** A session whose turns do what the test says. */
async function testRunner(
  work: (prompt: QueuedPrompt, abort: AbortSignal) => Promise<void>,
  given: Partial<SessionWork> = {},
): Promise<SessionRunner> {
  return new SessionRunner(await testSession(), {
    read: (prompt: Prompt, { info }) =>
      toQueuedPrompt(prompt, {
        sessionID: info.id,
        agent: info.agent,
        model: info.model,
        mentions: { files: [], agents: [] },
        at: 1,
      }),
    news: () => [],
    runTurn: (session, prompt, { abort }) =>
      recordTurn(session, prompt.message.info.id, async () => {
        await work(prompt, abort);
        return abort.aborted ? { code: 'aborted', message: 'The turn was cancelled.' } : undefined;
      }),
    ...given,
  });
}

const textOf = ({ message }: QueuedPrompt) => (message.parts[0]!.type === 'text' ? message.parts[0]!.text : '');
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())));

test('a prompt that is sent while a turn is being called off is taken up after it', async () => {
  const done: string[] = [];
  const held = Promise.withResolvers<() => void>();
  const runner = await testRunner(async (prompt, abort) => {
    if (textOf(prompt) === 'first') {
      await untilAborted(abort);
      await new Promise<void>((resolve) => held.resolve(resolve));
    }
    done.push(textOf(prompt));
  });
  await runner.prompt({ text: 'first' });
  await runner.prompt({ text: 'waits' });
  const stopped = runner.abort();
  const letGo = await held.promise;
  await runner.prompt({ text: 'second' });
  letGo();
  await stopped;
  await runner.idle();

  expect(done).toEqual(['first', 'waits', 'second']);
  await runner.close();
});

test('a prompt that was sent and called off again stays until somebody resumes', async () => {
  const done: string[] = [];
  const held = Promise.withResolvers<() => void>();
  const runner = await testRunner(async (prompt, abort) => {
    if (textOf(prompt) === 'first') {
      await untilAborted(abort);
      await new Promise<void>((resolve) => held.resolve(resolve));
    }
    done.push(textOf(prompt));
  });
  await runner.prompt({ text: 'first' });
  const stopped = runner.abort();
  const letGo = await held.promise;
  await runner.prompt({ text: 'second' });
  const stoppedAgain = runner.abort();
  letGo();
  await Promise.all([stopped, stoppedAgain]);
  await runner.idle();

  expect([done, runner.state.queue.map(textOf)]).toEqual([['first'], ['second']]);
  await runner.close();
});

test('a listener that starts it again does not make two turns of one session', async () => {
  let [running, most] = [0, 0];
  const runner = await testRunner(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
  });
  runner.subscribe({ event: () => runner.resume() });
  await Promise.all([runner.prompt({ text: 'a' }), runner.prompt({ text: 'b' }), runner.prompt({ text: 'c' })]);
  await runner.idle();

  expect([most, runner.state.messages.length]).toEqual([1, 3]);
  await runner.close();
});

test('a listener that fails does no harm to the session', async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on('warning', note);
  const runner = await testRunner(async () => {});
  const fail = (message: string) => () => {
    throw new Error(message);
  };
  runner.subscribe({ event: fail('the screen is gone') });
  runner.subscribe({ stored: fail('the pipe is gone') });
  await runner.prompt({ text: 'a' });
  expect(await runner.idle()).toMatchObject({ error: undefined });
  await runner.close();
  await new Promise(setImmediate);
  process.off('warning', note);

  expect(warnings).toEqual([
    'A listener of a session failed: the screen is gone',
    'A listener of a session failed: the pipe is gone',
  ]);
});

test('a session that was closed takes nothing any more', async () => {
  let closed = 0;
  const session = await testSession();
  const runner = new SessionRunner(session, {} as SessionWork, () => void closed++);
  await runner.close();
  await runner.close();

  expect(closed).toBe(1);
  await expect(runner.prompt({ text: 'late' })).rejects.toThrow(`The session ${session.id} is closed.`);
  expect(() => session.append({ type: 'unreverted' })).toThrow(`The session ${session.id} is closed.`);
  expect(runner.withdraw('msg_1')).toBe(false);
});

test('a prompt of blanks is no prompt, and one that still waits can be taken back', async () => {
  const runner = await testRunner(async (_prompt, abort) => untilAborted(abort));
  await expect(runner.prompt({ text: ' \n' })).rejects.toThrow('A prompt needs text, a file or a task.');
  await runner.prompt({ text: 'first' });
  const second = await runner.prompt({ text: 'second' });

  expect([runner.withdraw(second), runner.withdraw(second)]).toEqual([true, false]);
  expect(runner.state.queue).toEqual([]);
  await runner.close();
});

test('a turn that cannot begin is told like one that failed, and what waits behind it is done', async () => {
  const model = scriptedModel([says('done')]);
  const { agent, root } = await testAgent(model, {
    openModel: (name) => {
      if (name === 'gone/model') throw new DragomanError('not-found', 'There is no model "gone/model".');
      return model;
    },
  });
  const runner = await agent.create({ cwd: root });
  const ends: unknown[] = [];
  runner.subscribe({
    event: ({ event }) => {
      if (event.type === 'turn-finished') ends.push(event.error?.message);
    },
  });
  await runner.prompt({ text: 'one', model: { providerID: 'gone', modelID: 'model' } });
  await runner.prompt({ text: 'two' });
  await runner.idle();

  expect(ends).toEqual(['The turn failed: There is no model "gone/model".', undefined]);
});

test('a task that a prompt asks for belongs to its turn, and is counted there [FR-06, FR-13]', async () => {
  const model = scriptedModel([
    (call) => (JSON.stringify(call.prompt).includes('look around') ? says('done') : says('seen')),
  ]);
  const { agent, root } = await testAgent(model);
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ parts: [{ type: 'subtask', prompt: 'look', description: 'look around', agent: 'explore' }] });

  expect(await runner.idle()).toMatchObject({ counters: { modelCalls: 1, toolCalls: 1 }, error: undefined });
  // Whatever a prompt consists of, the first word is the user's: providers insist on it.
  const { prompt } = model.calls.at(-1)!;
  expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
});

test('what lists show is right without the session ever being closed', async () => {
  const { agent, root } = await testAgent(scriptedModel([calls(['glob', { pattern: '*' }]), says('done')]));
  const older = await agent.create({ cwd: root });
  await agent.create({ cwd: root });
  await older.prompt({ text: 'the latest work' });
  await older.idle();

  expect((await agent.list({ root })).map(({ title }) => title)).toEqual(['the latest work', 'New session']);
});
