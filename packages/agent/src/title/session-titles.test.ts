import { DragomanError, type ModelCall } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { agentConfig, testAgent } from '../open-agent.fixture.ts';
import { calls, fails, says, type ScriptedStep, scriptedModel } from '../scripted-model.fixture.ts';

const WORDS = 'why does the login page send me back to the start when the cookie is old';

/** How the call for a title begins; the fake provider of the test kit knows it by these words. */
const isForTitle = ({ prompt }: ModelCall) =>
  JSON.stringify(prompt[0]?.content).startsWith('"You write the title of a conversation with a coding agent');

/** An agent whose model answers calls for titles in one way, and all others in another. */
async function titled(title: ScriptedStep, others: ScriptedStep = says('done'), options: { titles?: object } = {}) {
  const model = scriptedModel([
    (call, signal) => {
      const step = isForTitle(call) ? title : others;
      return typeof step === 'function' ? step(call, signal) : step;
    },
  ]);
  const opened: (string | undefined)[] = [];
  const config = agentConfig({ agent: { titles: options.titles ?? {} } });
  const tested = await testAgent(model, {
    config: () => config,
    openModel: (name) => {
      opened.push(name);
      return model;
    },
  });
  return { ...tested, opened, titleCalls: () => model.calls.filter(isForTitle) };
}

const titleNow = (runner: { state: { info: { title: string } } }) => () => runner.state.info.title;

test('the model names a session, by the first words and once', async () => {
  const { agent, root, titleCalls, store, folder } = await titled(says('"Login sends back to start."\n'));
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: WORDS });
  await expect.poll(titleNow(runner)).toBe('Login sends back to start');
  await runner.prompt({ text: 'and now something else' });
  await runner.idle();
  await runner.close();

  const [call] = titleCalls();
  expect(titleCalls()).toHaveLength(1);
  expect(call!.tools).toEqual([]);
  expect(JSON.stringify(call!.prompt.at(-1))).toContain(WORDS);
  expect((await agent.list()).map(({ title }) => title)).toEqual(['Login sends back to start']);

  const again = await testAgent(scriptedModel([says('more')]), {
    store,
    folder,
    root,
    config: () => agentConfig({ agent: { titles: { auto: true } } }),
  });
  const opened = await again.agent.open(runner.id);
  await opened.prompt({ text: 'go on' });
  await opened.idle();
  expect(titleNow(opened)()).toBe('Login sends back to start');
});

test.each<[string, ScriptedStep]>([
  ['fails', fails(new DragomanError('unavailable', 'away', { isRetryable: true }))],
  ['is refused by a budget', fails(new DragomanError('rate-limited', 'The budget is spent.'))],
  ['throws', () => Promise.reject(new Error('broken'))],
  ['says nothing', says(' \n')],
  ['calls a tool', calls(['bash', { command: 'rm -rf .' }])],
])('where the call for a title %s, the session keeps its first words and its turn', async (_, title) => {
  const { agent, root, titleCalls } = await titled(title);
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: WORDS });
  const result = await runner.idle();
  await runner.close();

  expect([result?.text, result?.error]).toEqual(['done', undefined]);
  expect(titleCalls()).toHaveLength(1);
  expect(runner.state.info.title).toBe(WORDS);
  expect(runner.state.messages.flatMap(({ parts }) => parts).some(({ type }) => type === 'tool')).toBe(false);
});

test('a turn does not wait for the title, and it is asked for only when the model has begun to answer', async () => {
  const named = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const slow: ScriptedStep = async () => {
    await named.promise;
    return says('A slow title');
  };
  const { agent, root, titleCalls } = await titled(slow, async () => {
    await answered.promise;
    return says('done');
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: WORDS });
  expect(titleCalls()).toEqual([]);
  answered.resolve();
  expect((await runner.idle())?.text).toBe('done');
  expect(runner.state.info.title).toBe(WORDS);
  named.resolve();
  await expect.poll(titleNow(runner)).toBe('A slow title');
});

test('a session that is closed waits a moment for its title, and gives a call up that does not end', async () => {
  const given = Promise.withResolvers<unknown>();
  const { agent, root } = await titled(
    (_call, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          given.resolve(signal.reason);
          resolve(says('Too late'));
        });
      }),
  );
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: WORDS });
  await runner.idle();
  await runner.close();
  await given.promise;
  expect(runner.state.info.title).toBe(WORDS);
});

test('a turn that fails before the model answers asks for no title', async () => {
  const { agent, root, titleCalls } = await titled(says('A title'), fails(new DragomanError('forbidden', 'wrong key')));
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: WORDS });
  await runner.idle();
  await runner.close();
  expect(titleCalls()).toEqual([]);
});

test('another model can be named for titles, and none makes them where they are turned off or the model is the offline one', async () => {
  const cheap = await titled(says('A title'), says('done'), { titles: { model: 'cheap' } });
  const runner = await cheap.agent.create({ cwd: cheap.root });
  await runner.prompt({ text: WORDS });
  await expect.poll(titleNow(runner)).toBe('A title');
  expect(cheap.opened).toContain('cheap');

  const off = await titled(says('A title'), says('done'), { titles: { auto: false } });
  const plain = await off.agent.create({ cwd: off.root });
  await plain.prompt({ text: WORDS });
  await plain.idle();
  await plain.close();
  expect([off.titleCalls(), plain.state.info.title]).toEqual([[], WORDS]);

  const offline = scriptedModel([says('Places')], { providerID: 'offline', modelID: 'offline' });
  const without = await testAgent(offline, { config: () => agentConfig({ agent: { titles: { auto: true } } }) });
  const alone = await without.agent.create({ cwd: without.root });
  await alone.prompt({ text: WORDS });
  await alone.idle();
  await alone.close();
  expect([offline.calls.length, alone.state.info.title]).toEqual([1, WORDS]);
});

test('a title that the session got meanwhile stays', async () => {
  const named = Promise.withResolvers<void>();
  const { agent, root } = await titled(async () => {
    await named.promise;
    return says('Of the model');
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: WORDS });
  await runner.idle();
  runner.session.append({ type: 'session-updated', title: 'Of a person' });
  named.resolve();
  await runner.close();
  expect(runner.state.info.title).toBe('Of a person');
});
