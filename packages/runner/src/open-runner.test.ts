import { join } from 'node:path';
import {
  type AgentBackend,
  DragomanError,
  exportSessionMarkdown,
  foldHubEvents,
  type HubEvent,
  rowsOf,
} from '@dragoman/protocol';
import { Secret } from '@dragoman/server/base';
import { fillDisk, mountSmallDisk, tempFolder } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { AgentRegistry } from './backend/agent-registry.ts';
import type { ScriptedOptions } from './backend/scripted-backend.fixture.ts';
import { inShort, NO_CAPABILITIES, prompt, type TestRunner, testRunner } from './open-runner.fixture.ts';

test('a prompt becomes a turn of blocks, and counts as carried out together with its beginning (UAP-01)', async () => {
  const { hub, spec, seen, folder } = testRunner({ script: ({ writer }) => writer.text('Hi.') });
  const number = hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'turn-finished');

  expect(inShort(hub.events('ses_1'))).toEqual([
    'turn started p1',
    'agent starting',
    'updated agentSessionId',
    'agent ready',
    'updated capabilities',
    'start text',
    'stop text Hi.',
    'turn done',
  ]);
  expect(hub.records.slice(0, 3)).toMatchObject([
    { event: { type: 'turn-started' } },
    { event: { type: 'agent-state' } },
    { handled: number },
  ]);
  expect(await seen('ses_1', 'agent-state', ({ state }) => state === 'ready')).toMatchObject({ cwd: folder });
});

test('a backend of one line is a kind of agent: sessions of it can be started, and it is offered (UAP-25)', async () => {
  class OllamaBackend implements AgentBackend {
    readonly capabilities = {};
    #emit: Parameters<AgentBackend['start']>[0]['emit'] = () => {};
    async start(session: Parameters<AgentBackend['start']>[0]) {
      this.#emit = session.emit;
    }
    async prompt() {
      this.#emit({
        type: 'block-stop',
        messageId: 'm',
        role: 'assistant',
        blockId: 'b',
        block: { type: 'text', text: 'I am a llama.' },
      });
      return { reason: 'done' as const };
    }
    async cancel() {}
    async dispose() {}
  }
  const registry = new AgentRegistry();
  registry.registerBackend('ollama', () => new OllamaBackend());
  const { hub, spec, seen } = testRunner({}, { registry });
  hub.command(spec('ses_1', { agent: 'ollama' }), prompt('p1'));
  await seen('ses_1', 'turn-finished');

  expect(inShort(hub.events('ses_1'))).toContain('stop text I am a llama.');
});

test('a kind that comes first is offered first, under every name, with what can be chosen of it', async () => {
  const registry = new AgentRegistry();
  const never = () => Promise.reject(new Error('never'));
  registry.registerBackend('plain', never, { needsNoSetup: true });
  const choices = { models: 'gateway' as const, modes: ['build'] };
  registry.registerBackend('own', never, { needsNoSetup: true, comesFirst: true, choices });
  const agents = () => ({ aside: { backend: 'plain' }, mine: { backend: 'own' } });
  const { hub } = testRunner({}, { registry, agents });

  await expect.poll(() => hub.hellos.length).toBeGreaterThan(0);
  const offered = hub.hellos[0]!.agents.map((agent) => [agent.name, agent.choices]);
  expect(offered).toEqual([
    ['mine', choices],
    ['own', choices],
    ['aside', undefined],
    ['plain', undefined],
  ]);
});

test('a hub hears of a machine at once, and of an agent that does not start as soon as that is known', async () => {
  const registry = new AgentRegistry();
  registry.registerBackend('broken', () => Promise.reject(new Error('never')), {
    needsNoSetup: true,
    probe: async ({ patienceMs }) => (patienceMs === 0 ? undefined : { code: 'unavailable', message: 'It is broken.' }),
  });
  const { hub } = testRunner({}, { registry });

  await expect.poll(() => hub.hellos.length).toBe(2);
  expect(hub.hellos.map(({ agents }) => agents[0]!.problem?.message)).toEqual([undefined, 'It is broken.']);
});

test('what was found out about the agents of before is not told once there are others', async () => {
  const slow = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let probes = 0;
  const registry = new AgentRegistry();
  registry.registerBackend('broken', () => Promise.reject(new Error('never')), {
    needsNoSetup: true,
    probe: async ({ patienceMs }) => {
      if (patienceMs === 0) return undefined;
      probes += 1;
      if (probes === 1) await slow.promise;
      queueMicrotask(answered.resolve);
      return { code: 'unavailable', message: 'It is broken.' };
    },
  });
  const { hub, runner } = testRunner({}, { registry });
  await expect.poll(() => probes).toBe(1);

  registry.registerBackend('later', () => Promise.reject(new Error('never')), { needsNoSetup: true });
  runner.refresh();
  await expect.poll(() => hub.hellos.length).toBe(3);
  slow.resolve();
  await answered.promise;
  runner.refresh();
  await expect.poll(() => hub.hellos.length).toBeGreaterThan(3);

  const offered = hub.hellos.map(({ agents }) => agents.map(({ name }) => name).join(' '));
  expect(offered.slice(0, 4)).toEqual(['broken', 'broken later', 'broken later', 'broken later']);
});

test('an agent that is not there fails with the list of those that are (UAP-26)', async () => {
  const { hub, spec, seen } = testRunner();
  hub.command(spec('ses_1', { agent: 'nobody' }), { type: 'open' });
  const { error } = await seen('ses_1', 'agent-state', ({ state }) => state === 'failed');

  expect(error).toEqual({
    code: 'not-found',
    message: 'there is no agent named "nobody" on this machine; there are: scripted',
  });

  hub.command(spec('ses_1', { agent: 'nobody' }), prompt('p1'));
  await seen('ses_1', 'turn-finished', ({ reason }) => reason === 'failed');
});

test('an answer goes to the agent that asked, and a cancelled turn ends as cancelled', async () => {
  const { hub, spec, seen, backends } = testRunner({
    script: async ({ ask, writer, signal }) => {
      const reply = await ask('apr_1', 'May I?');
      writer.text(reply.type);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'approval-asked');
  hub.command(spec('ses_1'), { type: 'answer', approvalId: 'apr_1', reply: { type: 'selected', optionId: 'yes' } });
  await seen('ses_1', 'block-delta', ({ delta }) => delta === 'selected');
  const { turnId } = await seen('ses_1', 'turn-started');
  hub.command(spec('ses_1'), { type: 'cancel', turnId: 'trn_other' });
  hub.command(spec('ses_1'), { type: 'cancel', turnId });
  expect(await seen('ses_1', 'turn-finished')).toEqual({ type: 'turn-finished', turnId, reason: 'cancelled' });

  expect(backends[0]!.calls).toEqual(['start', 'prompt p1', 'answer apr_1 selected', 'cancel']);
});

test('a turn is cancelled by the prompt that began it, before the hub knows of the turn', async () => {
  const { hub, spec, seen } = testRunner({
    script: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  });
  hub.command(spec('ses_1'), prompt('p1'));
  hub.command(spec('ses_1'), { type: 'cancel', promptId: 'p-other' });
  hub.command(spec('ses_1'), { type: 'cancel', promptId: 'p1' });

  expect(await seen('ses_1', 'turn-finished')).toMatchObject({ reason: 'cancelled' });
});

test('a turn that is cancelled while its agent starts ends that agent, and the next prompt starts another one', async () => {
  const { hub, spec, seen, backends } = testRunner((index) =>
    index === '0' ? { onStart: () => new Promise<void>(() => {}) } : {},
  );
  hub.command(spec('ses_1'), { type: 'open' });
  hub.command(spec('ses_1'), prompt('p1'));
  const { turnId } = await seen('ses_1', 'turn-started');
  await vi.waitUntil(() => backends.length === 1, { timeout: 60_000 });
  hub.command(spec('ses_1'), { type: 'cancel', turnId });
  await seen('ses_1', 'turn-finished');
  hub.command(spec('ses_1'), prompt('p2', 'again'));
  await seen('ses_1', 'turn-finished', ({ reason }) => reason === 'done');

  expect(inShort(hub.events('ses_1'))).toEqual([
    'agent starting',
    'turn started p1',
    'turn cancelled',
    'agent stopped',
    'turn started p2',
    'agent starting',
    'updated agentSessionId',
    'agent ready',
    'updated capabilities',
    'start text',
    'stop text again',
    'turn done',
  ]);
  expect(backends[0]!.calls).toEqual(['start', 'dispose']);
});

test('what an agent is given in its environment is in no error and no notice that is kept of it', async () => {
  const { hub, spec, seen } = testRunner(
    {
      script: ({ writer }) => {
        writer.notice('using sk-very-secret');
        writer.error({ code: 'agent-failed', message: 'sk-very-secret is not valid', fix: 'renew sk-very-secret' });
        throw new DragomanError('unavailable', 'sk-very-secret was refused');
      },
    },
    { agents: () => ({ mine: { backend: 'scripted', env: { MY_KEY: new Secret('sk-very-secret') } } }) },
  );
  hub.command(spec('ses_1', { agent: 'mine' }), prompt('p1'));
  await seen('ses_1', 'turn-finished');

  expect(inShort(hub.events('ses_1')).slice(5)).toEqual([
    'stop notice using [MY_KEY]',
    'stop error [MY_KEY] is not valid',
    'turn failed: [MY_KEY] was refused',
    'agent stopped: [MY_KEY] was refused',
  ]);
  expect(JSON.stringify(hub.records)).not.toContain('sk-very-secret');
});

test('what "always" would save is told with a question for the rules', async () => {
  const question = { tool: 'bash', subjects: [{ kind: 'command' as const, value: 'git status --short' }] };
  const { hub, spec, seen } = testRunner({
    script: ({ session }) => {
      session.emit({ type: 'approval-asked', approval: { id: 'apr_1', title: 'May I?', options: [], question } });
    },
  });
  hub.command(spec('ses_1'), prompt('p1'));

  const { approval } = await seen('ses_1', 'approval-asked');
  expect(approval.always).toEqual([{ tool: 'bash', kind: 'command', pattern: 'git status *' }]);
});

test('an agent that hangs when it is cancelled is ended, and the next prompt goes on with another one', async () => {
  const never = new Promise<void>(() => {});
  const { hub, spec, seen, backends } = testRunner((index) =>
    index === '0' ? { script: () => never, onCancel: () => never, onDispose: () => never } : {},
  );
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'agent-state', ({ state }) => state === 'ready');
  const { turnId } = await seen('ses_1', 'turn-started');
  hub.command(spec('ses_1'), { type: 'cancel', turnId });
  await seen('ses_1', 'turn-finished');
  hub.command(spec('ses_1'), prompt('p2', 'again'));
  await seen('ses_1', 'turn-finished', ({ reason }) => reason === 'done');

  expect(inShort(hub.events('ses_1')).slice(5)).toEqual([
    'turn cancelled',
    'agent stopped',
    'turn started p2',
    'agent starting',
    'updated agentSessionId',
    'agent ready',
    'updated capabilities',
    'start text',
    'stop text again',
    'turn done',
  ]);
  expect(backends[1]!.calls[0]).toBe('resume agent-ses_1');
});

test('a prompt is added to the running turn, and one that comes too late gets a turn of its own', async () => {
  const { hub, spec, seen } = testRunner({
    script: async ({ prompt: { id }, steered, writer }) => {
      if (id === 'p1') writer.text((await steered()).id);
    },
  });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'agent-state', ({ state }) => state === 'ready');
  hub.command(spec('ses_1'), { ...prompt('p2'), type: 'steer' });
  await seen('ses_1', 'turn-finished');
  hub.command(spec('ses_1'), { ...prompt('p3'), type: 'steer' });
  await seen('ses_1', 'turn-started', ({ promptId }) => promptId === 'p3');

  expect(inShort(hub.events('ses_1')).slice(5, 9)).toEqual(['taken p2', 'start text', 'stop text p2', 'turn done']);
});

test('an agent that says it was too late is given the prompt after the turn, which was told to be taken', async () => {
  const go = Promise.withResolvers<void>();
  const { hub, spec, seen, backends } = testRunner({
    script: ({ prompt: { id } }) => (id === 'p1' ? go.promise : undefined),
  });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'agent-state', ({ state }) => state === 'ready');
  backends[0]!.steer = async () => false;
  hub.command(spec('ses_1'), { ...prompt('p2'), type: 'steer' });
  await seen('ses_1', 'prompt-taken');
  go.resolve();
  const { turnId } = await seen('ses_1', 'turn-started', ({ promptId }) => promptId === undefined);
  await seen('ses_1', 'turn-finished', (end) => end.turnId === turnId);

  expect(inShort(hub.events('ses_1')).slice(5)).toEqual(['taken p2', 'turn done', 'turn started', 'turn done']);
  expect(backends[0]!.calls).toContain('prompt p2');
});

test('a turn that breaks is told with what to do, and the next prompt starts the agent again', async () => {
  const { hub, spec, seen, backends } = testRunner((index) =>
    index === '0'
      ? {
          script: () => {
            throw new DragomanError('unavailable', 'the agent was ended by SIGKILL; it ran out of memory');
          },
        }
      : {},
  );
  hub.command(spec('ses_1'), prompt('p1'));
  expect((await seen('ses_1', 'turn-finished')).error).toEqual({
    code: 'unavailable',
    message: 'the agent was ended by SIGKILL; it ran out of memory',
  });
  hub.command(spec('ses_1'), prompt('p2'));
  await seen('ses_1', 'turn-finished', ({ reason }) => reason === 'done');

  expect(backends.map(({ calls }) => calls)).toEqual([
    ['start', 'prompt p1', 'dispose'],
    ['resume agent-ses_1', 'prompt p2'],
  ]);
});

test('an agent that cannot be started says why, and so does its turn', async () => {
  const { hub, spec, seen } = testRunner({
    onStart: () => {
      throw new DragomanError('unauthenticated', 'log in on that machine with: gemini auth');
    },
  });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'turn-finished');

  expect(inShort(hub.events('ses_1'))).toEqual([
    'turn started p1',
    'agent starting',
    'agent failed: log in on that machine with: gemini auth',
    'turn failed: log in on that machine with: gemini auth',
  ]);
});

test('what an agent emits that is no event is left out, and disturbs no other session', async () => {
  const circle: Record<string, unknown> = { type: 'agent-updated' };
  circle['self'] = circle;
  const rubbish = [null, 7, 'x', {}, { type: 'nonsense' }, { type: 'block-delta' }, { type: 'block-stop' }, circle];
  const { hub, spec, seen } = testRunner({
    script: ({ session, writer, prompt: { id } }) => {
      if (id === 'p1') for (const one of rubbish) (session.emit as (event: unknown) => void)(one);
      writer.text('fine');
    },
  });
  hub.command(spec('ses_1'), prompt('p1'));
  hub.command(spec('ses_2'), prompt('p2'));
  await seen('ses_1', 'turn-finished');
  await seen('ses_2', 'turn-finished');

  const turn = ['start text', 'stop text fine', 'turn done'];
  expect(inShort(hub.events('ses_1')).slice(5)).toEqual(turn);
  expect(inShort(hub.events('ses_2')).slice(5)).toEqual(turn);
});

test('a session is forked, configured and closed as it is told', async () => {
  const { hub, spec, seen, backends } = testRunner();
  hub.command(spec('ses_2'), { type: 'fork', agentSessionId: 'agent-ses_1', beforeMessageId: 'm2' });
  await seen('ses_2', 'agent-state', ({ state }) => state === 'ready');
  hub.command(spec('ses_2'), { type: 'configure', model: 'big', mode: 'plan' });
  await seen('ses_2', 'block-stop', ({ block }) => block.type === 'error');
  hub.command(spec('ses_2'), { type: 'close', isRemoved: false });
  await seen('ses_2', 'agent-state', ({ state }) => state === 'stopped');

  expect(backends[0]!.calls).toEqual(['fork agent-ses_1 m2', 'model big', 'dispose']);
  expect(inShort(hub.events('ses_2'))).toEqual([
    'agent starting',
    'updated agentSessionId',
    'agent ready',
    'updated capabilities',
    'updated model',
    'updated model',
    'stop error the mode of this agent cannot be changed',
    'agent stopped',
  ]);
});

test('a session that is deleted is forgotten by its agent too, whether it runs or not', async () => {
  const { hub, spec, seen, backends } = testRunner();
  hub.command(spec('ses_1'), { type: 'open' });
  await seen('ses_1', 'agent-state', ({ state }) => state === 'ready');
  hub.command(spec('ses_1'), { type: 'close', isRemoved: true });
  hub.command({ ...spec('ses_2'), agentSessionId: 'agent-ses_2' }, { type: 'close', isRemoved: true });

  await expect
    .poll(() => backends.map(({ calls }) => calls.join(', ')).toSorted((one, other) => one.localeCompare(other)))
    .toEqual(['forget agent-ses_1, dispose', 'forget agent-ses_2, dispose', 'start, dispose']);
});

test('after a restart, what was going on is told as interrupted, and nothing runs twice', async () => {
  const first = testRunner({
    script: async ({ ask }) => {
      await ask('apr_1', 'May I?');
    },
  });
  const number = first.hub.command(first.spec('ses_1'), prompt('p1'));
  await first.seen('ses_1', 'approval-asked');
  const { turnId } = await first.seen('ses_1', 'turn-started');
  await first.hub.until(() => first.hub.handled === number);
  // Its end is not told, as after a kill: the hub is not there any more.
  const { hub, folder } = first;
  const isGone = { is: true };
  hub.onBatch = () => {
    if (isGone.is) throw new Error('gone');
  };
  hub.cut();
  await first.runner.close();
  isGone.is = false;
  hub.sync = () => [{ sessionId: 'ses_9', turnId: 'trn_9', approvalIds: ['apr_9'], lastAt: 1_000 }];

  const second = testRunner({}, { hub, folder });
  await second.seen('ses_9', 'turn-finished');
  hub.command(second.spec('ses_1', { agentSessionId: 'agent-ses_1', cwd: folder }), prompt('p2'));
  await second.seen('ses_1', 'turn-finished', ({ reason }) => reason === 'done');

  expect(hub.events('ses_9')).toEqual([
    { type: 'approval-withdrawn', approvalId: 'apr_9' },
    // The time in which nobody worked on it does not count.
    { type: 'turn-finished', turnId: 'trn_9', reason: 'interrupted', endedAt: 1_000 },
  ]);
  expect(await second.seen('ses_1', 'turn-finished')).toEqual({ type: 'turn-finished', turnId, reason: 'interrupted' });
  expect(second.backends[0]!.calls).toEqual(['resume agent-ses_1', 'prompt p2']);
});

test.each([
  ['stopped', async ({ runner }: TestRunner) => runner.close()],
  [
    'killed',
    async ({ hub, runner }: TestRunner) => {
      hub.onBatch = () => {
        throw new Error('gone');
      };
      hub.cut();
      await runner.close();
      hub.onBatch = () => {};
    },
  ],
])('a turn whose agent was not ready when the runner was %s begins with the next start', async (_how, end) => {
  const first = testRunner({ onStart: () => new Promise<void>(() => {}) });
  const { hub, folder } = first;
  const session = first.spec('ses_1');
  const number = hub.command(session, prompt('p1'));
  const { turnId } = await first.seen('ses_1', 'turn-started');
  await hub.until(() => hub.handled === number);
  await vi.waitUntil(() => first.backends.length === 1, { timeout: 60_000 });
  await end(first);
  const unbegun = { session, prompt: prompt('p1', 'at last').prompt };
  hub.sync = () => [{ sessionId: 'ses_1', turnId, approvalIds: [], unbegun }];

  const second = testRunner({}, { hub, folder });
  const { turnId: ended } = await second.seen('ses_1', 'turn-finished');
  hub.cut();
  await hub.until(() => hub.isListening);

  expect(ended).toBe(turnId);
  expect(inShort(hub.events('ses_1'))).toEqual([
    'turn started p1',
    'agent starting',
    'agent starting',
    'updated agentSessionId',
    'agent ready',
    'updated capabilities',
    'start text',
    'stop text at last',
    'turn done',
  ]);
  expect(second.backends.map(({ calls }) => calls)).toEqual([['start', 'prompt p1']]);
});

test('UAP-12 an agent that counts its calls from 1 in each turn keeps every one with its result, also after a restart', async () => {
  const script: ScriptedOptions['script'] = ({ writer, session, prompt: { id } }) => {
    writer.toolUse({ id: 'call_1', name: 'edit', input: { path: `${id}.ts` } });
    if (id === 'p2') return;
    writer.toolResult({ tool_use_id: 'call_1', content: `done ${id}`, is_error: id === 'p3' });
    if (id !== 'p3') return;
    const block = {
      type: 'tool_result',
      tool_use_id: 'call_1',
      content: 'done p3, told again',
      is_error: true,
    } as const;
    session.emit({ type: 'block-stop', messageId: 'm', role: 'user', blockId: 'again', block });
  };
  const finished = (runner: TestRunner, count: number) =>
    runner.hub.until(() => runner.hub.events('ses_1').filter(({ type }) => type === 'turn-finished').length === count);
  const first = testRunner({ script });
  for (const [index, id] of ['p1', 'p2', 'p3'].entries()) {
    first.hub.command(first.spec('ses_1'), prompt(id));
    await finished(first, index + 1);
  }
  await first.runner.close();
  const { hub, folder } = first;
  const second = testRunner({ script }, { hub, folder });
  hub.command(second.spec('ses_1', { agentSessionId: 'agent-ses_1', cwd: folder }), prompt('p4'));
  await finished(second, 4);

  const by = { type: 'user', userId: 'usr_1', name: 'Ada', channel: 'web' } as const;
  const session = { id: 'ses_1', title: 'A test', agent: 'scripted', runnerId: 'rnr_1', folder, by };
  const events = [{ type: 'session-created' as const, session }, ...hub.events('ses_1')] as HubEvent[];
  const view = foldHubEvents(events.map((event, index) => ({ seq: index + 1, at: index + 1, event })))!;

  expect(
    rowsOf(view).flatMap((row) =>
      row.type === 'call' ? [[row.call.use.block.input, row.call.tool?.status, row.call.result?.block.content]] : [],
    ),
  ).toEqual([
    [{ path: 'p1.ts' }, 'Success', 'done p1'],
    [{ path: 'p2.ts' }, 'Interrupted', undefined],
    [{ path: 'p3.ts' }, 'Error', 'done p3, told again'],
    [{ path: 'p4.ts' }, 'Success', 'done p4'],
  ]);
  expect(exportSessionMarkdown(view).match(/<summary>.*<\/summary>|done p\d/g)).toEqual([
    '<summary>edit: Success</summary>',
    'done p1',
    '<summary>edit: Interrupted</summary>',
    '<summary>edit: Error</summary>',
    'done p3',
    '<summary>edit: Success</summary>',
    'done p4',
  ]);
});

test('an agent that cannot go on is started anew, and the session says that it remembers nothing', async () => {
  const { hub, spec, seen, folder } = testRunner({ capabilities: NO_CAPABILITIES });
  hub.command(spec('ses_1', { cwd: folder, agentSessionId: 'old' }), prompt('p1'));
  const notice = await seen('ses_1', 'block-stop', ({ block }) => block.type === 'notice');

  expect(notice).toMatchObject({
    role: 'agent',
    block: { level: 'warning', text: 'The agent was restarted and does not remember the conversation so far.' },
  });
});

test('an agent of a session that moved here goes on from its own log, or is told what was said before, once', async () => {
  const heard: string[] = [];
  let isLogHere = true;
  const { hub, spec, seen } = testRunner({
    onStart: (_, how) => {
      if (how.startsWith('resume') && !isLogHere) throw new Error('some words of the agent');
    },
    script: ({ prompt: { content } }) =>
      void heard.push(content.map((block) => 'text' in block && block.text).join('|')),
  });
  const moved = (id: string) => ({
    type: 'prompt' as const,
    prompt: { id, content: [{ type: 'text' as const, text: id }], history: 'What was said.' },
  });
  const finished = (sessionId: string, count: number) =>
    hub.until(() => hub.events(sessionId).filter(({ type }) => type === 'turn-finished').length === count);

  hub.command(spec('ses_1', { agentSessionId: 'old' }), moved('p1'));
  await finished('ses_1', 1);
  isLogHere = false;
  hub.command(spec('ses_2', { agentSessionId: 'old' }), moved('p2'));
  await finished('ses_2', 1);
  hub.command(spec('ses_2', { agentSessionId: 'old' }), moved('p3'));
  await finished('ses_2', 2);

  expect(heard).toEqual(['p1', 'What was said.|p2', 'p3']);
  expect(await seen('ses_2', 'block-stop', ({ block }) => block.type === 'notice')).toMatchObject({
    block: { text: 'The agent has no log of this conversation here, so it was given the text of it.' },
  });
});

test('a session that comes back from another machine, or to another agent, goes on with what happened there', async () => {
  const heard: string[] = [];
  const { hub, spec, backends } = testRunner({
    onStart: (_, how) => {
      if (how === 'resume made-elsewhere') throw new DragomanError('not-found', 'There is no such conversation here.');
    },
    script: ({ prompt: { content } }) =>
      void heard.push(content.map((block) => 'text' in block && block.text).join('|')),
  });
  const finished = (count: number) =>
    hub.until(() => hub.events('ses_1').filter(({ type }) => type === 'turn-finished').length === count);
  const moved = (id: string, history: string) => {
    const content = [{ type: 'text' as const, text: id }];
    return { type: 'prompt' as const, prompt: { id, content, history } };
  };

  hub.command(spec('ses_1'), prompt('p1', 'p1'));
  await finished(1);
  hub.command(spec('ses_1'), { type: 'close', isRemoved: false });
  hub.command(spec('ses_1', { agentSessionId: 'made-elsewhere' }), moved('p2', 'What was said there.'));
  await finished(2);
  hub.command(spec('ses_1'), { type: 'close', isRemoved: false });
  hub.command(spec('ses_1'), moved('p3', 'What was said to the other agent.'));
  await finished(3);

  expect(heard).toEqual(['p1', 'What was said there.|p2', 'What was said to the other agent.|p3']);
  expect(backends.map(({ calls }) => calls)).toEqual([
    ['start', 'prompt p1', 'dispose'],
    ['resume made-elsewhere', 'dispose'],
    ['start', 'prompt p2', 'dispose'],
    ['start', 'prompt p3'],
  ]);
});

test('an agent that begins anew in a session names its log after no other: the machine of before has one of that name', async () => {
  const started: string[] = [];
  const { hub, spec, seen } = testRunner({
    onStart: ({ sessionId }, how) => {
      if (how.startsWith('resume')) throw new DragomanError('not-found', 'There is no such conversation here.');
      started.push(sessionId);
    },
  });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'turn-finished');
  hub.command(spec('ses_2', { agentSessionId: 'ses_2', cwd: '/' }), prompt('p2'));
  await seen('ses_2', 'turn-finished');

  expect(started[0]).toBe('ses_1');
  expect(started[1]).toMatch(/^ses_\w{10,}$/);
  expect(await seen('ses_2', 'agent-updated')).toMatchObject({ agentSessionId: `agent-${started[1]}` });
});

test('a hub that was set back to an earlier copy is told in the session that a part of it is missing', async () => {
  const { hub, spec, seen } = testRunner();
  hub.command(spec('ses_1'), prompt('p1', 'x'.repeat(2_000_000)));
  await seen('ses_1', 'turn-finished');
  hub.command(spec('ses_2'), prompt('p2', 'y'.repeat(2_000_000)));
  await seen('ses_2', 'turn-finished');

  const [before] = hub.hellos;
  hub.taken.set(before!.outboxId, []);
  hub.cut();
  const { block } = await seen('ses_1', 'block-stop', (event) => event.block.type === 'notice');
  expect(block).toEqual({
    type: 'notice',
    level: 'warning',
    text: 'The server was restored from an earlier backup. What happened here between that backup and now is missing.',
  });
  expect((await seen('ses_2', 'block-stop', (event) => event.block.type === 'notice')).block).toEqual(block);
});

test('that a part is missing is told, too, where the runner was started anew before the hub was there again', async () => {
  const first = testRunner();
  const { hub, folder } = first;
  hub.command(first.spec('ses_1'), prompt('p1', 'x'.repeat(2_000_000)));
  await first.seen('ses_1', 'turn-finished');
  await first.runner.close();
  hub.taken.set(hub.hellos[0]!.outboxId, []);

  const second = testRunner({}, { hub, folder });

  const { block } = await second.seen('ses_1', 'block-stop', (event) => event.block.type === 'notice');
  expect(block).toMatchObject({
    text: 'The server was restored from an earlier backup. What happened here between that backup and now is missing.',
  });
});

test('a command that comes again after a cut is not carried out again', async () => {
  const { hub, spec, seen, backends } = testRunner();
  let isLost = false;
  hub.onBatch = () => {
    if (isLost) throw new Error('lost');
  };
  await hub.until(() => hub.isListening);
  isLost = true;
  hub.command(spec('ses_1'), prompt('p1'));
  await vi.waitFor(() => expect(backends[0]?.calls).toContain('prompt p1'), { timeout: 60_000 });
  isLost = false;
  await seen('ses_1', 'turn-finished');
  hub.handled = 0; // As if it had not heard of it.
  hub.cut();
  await hub.until(() => hub.isListening);
  hub.command(spec('ses_2'), prompt('p2'));
  await seen('ses_2', 'turn-finished');

  expect(backends[0]!.calls).toEqual(['start', 'prompt p1']);
  expect(hub.events('ses_1').filter(({ type }) => type === 'turn-started')).toHaveLength(1);
});

test('the commands of a hub that was set back, or knows this machine anew, are carried out although their numbers came before', async () => {
  const { hub, spec, seen } = testRunner();
  for (const sessionId of ['ses_1', 'ses_2', 'ses_3']) {
    hub.command(spec(sessionId), prompt('p'));
    await seen(sessionId, 'turn-finished');
  }

  hub.setBack();
  await hub.until(() => hub.isListening);
  expect(hub.command(spec('ses_4'), prompt('p'))).toBe(1);

  await seen('ses_4', 'turn-finished');
});

test('when more agents are wanted than may run, the one that was not used for longest makes room', async () => {
  const { hub, spec, seen, runner } = testRunner({}, { maxSessions: () => 2 });
  for (const sessionId of ['ses_1', 'ses_2', 'ses_3']) {
    hub.command(spec(sessionId), prompt('p'));
    await seen(sessionId, 'turn-finished');
  }

  expect(inShort(hub.events('ses_1')).at(-1)).toBe('agent stopped');
  expect(runner.liveSessions).toBe(2);
});

test('closing the runner ends every agent and tells what was interrupted', async () => {
  const { hub, spec, seen, runner, backends } = testRunner({ script: () => new Promise<void>(() => {}) });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'agent-state', ({ state }) => state === 'ready');
  await runner.close();

  expect(inShort(hub.events('ses_1')).slice(-2)).toEqual(['turn interrupted', 'agent stopped']);
  expect(backends[0]!.calls.at(-1)).toBe('dispose');
});

test('a machine tells its folders and agents, and what is wrong with an agent', async () => {
  const folder = tempFolder();
  const registry = new AgentRegistry();
  registry.registerBackend('acp', () => {
    throw new Error('not used');
  });
  const { hub } = testRunner(
    {},
    {
      registry,
      roots: () => [folder],
      presets: [
        {
          name: 'gemini',
          title: 'Gemini CLI',
          backend: 'acp',
          command: ['no-such-gemini', '--acp'],
          install: 'npm install -g @google/gemini-cli',
          login: '',
        },
      ],
      agents: () => ({ mine: { backend: 'acp', command: [process.execPath] }, odd: { backend: 'odd' } }),
    },
  );
  await hub.until(() => hub.isListening);

  expect(hub.hellos[0]!.agents).toEqual([
    { name: 'mine', backend: 'acp', capabilities: {} },
    {
      name: 'odd',
      backend: 'odd',
      capabilities: {},
      problem: { code: 'not-found', message: 'there is no backend named "odd"; registered are: acp' },
    },
    {
      name: 'gemini',
      backend: 'acp',
      title: 'Gemini CLI',
      isPreset: true,
      capabilities: {},
      problem: {
        code: 'unavailable',
        message: '"no-such-gemini" is not on the PATH of this machine',
        fix: 'npm install -g @google/gemini-cli',
      },
    },
  ]);
  expect(await hub.ask({ method: 'list-folder' })).toEqual({
    result: { path: folder, isRepository: false, folders: [] },
  });
  expect((await hub.ask({ method: 'list-folder', path: '/etc' })).error?.code).toBe('forbidden');
});

test('on a full disk the runner says so and carries nothing out; with room again it goes on (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 1)) skip('small disks cannot be made here');
  const folder = tempFolder();
  const { hub, spec, seen, backends } = testRunner({}, { folder: join(disk, 'runner') });
  // The block of the disk that this begins has room for a turn's beginning.
  hub.command(spec('ses_1', { folder }), { type: 'configure', model: 'small' });
  await seen('ses_1', 'agent-updated');
  const makeRoom = fillDisk(disk, 0);
  hub.command(spec('ses_1', { folder }), prompt('p1', 'x'.repeat(200_000)));
  await hub.until(() => hub.hellos.length > 1 && hub.isListening);
  const { turnId } = await seen('ses_1', 'turn-started');
  hub.command(spec('ses_2', { folder }), prompt('p2'));
  hub.sync = () => [{ sessionId: 'ses_1', turnId, approvalIds: [] }];
  makeRoom();
  await seen('ses_2', 'turn-finished');

  const message = `nothing can be kept in ${join(disk, 'runner', 'outbox')}: the disk is full; make room`;
  const problem = { code: 'data-folder', message };
  expect(hub.hellos[1]!.agents[0]).toMatchObject({ name: 'scripted', problem });
  expect(hub.hellos.at(-1)!.agents[0]!.problem).toBeUndefined();
  expect(await seen('ses_1', 'turn-finished')).toMatchObject({ turnId, reason: 'interrupted', error: problem });
  expect(backends.map(({ calls }) => calls)).toEqual([
    ['start', 'prompt p1', 'dispose'],
    ['start', 'prompt p2'],
  ]);
});

test('on a full disk every turn is told to be interrupted, and every agent to be stopped, before there is room again (needs the right to mount)', async ({
  skip,
}) => {
  const disk = tempFolder();
  if (!mountSmallDisk(disk, 1)) skip('small disks cannot be made here');
  const folder = tempFolder();
  const { hub, spec, seen, backends } = testRunner(
    {
      script: ({ prompt: { id }, writer }) =>
        id === 'p-long' ? writer.text('x'.repeat(200_000)) : new Promise(() => {}),
    },
    { folder: join(disk, 'runner') },
  );
  for (const sessionId of ['ses_1', 'ses_2']) {
    hub.command(spec(sessionId, { folder }), sessionId === 'ses_1' ? prompt('p1') : { type: 'open' });
    await seen(sessionId, 'agent-state', ({ state }) => state === 'ready');
  }
  const makeRoom = fillDisk(disk, 0);
  hub.command(spec('ses_2', { folder }), prompt('p-long', 'x'.repeat(200_000)));

  const message = `nothing can be kept in ${join(disk, 'runner', 'outbox')}: the disk is full; make room`;
  const problem = { code: 'data-folder', message };
  const { turnId } = await seen('ses_1', 'turn-started');
  expect(await seen('ses_1', 'turn-finished')).toEqual({
    type: 'turn-finished',
    turnId,
    reason: 'interrupted',
    error: problem,
  });
  for (const sessionId of ['ses_1', 'ses_2'])
    expect(await seen(sessionId, 'agent-state', ({ state }) => state === 'stopped')).toEqual({
      type: 'agent-state',
      state: 'stopped',
      error: problem,
    });
  await hub.until(() => hub.hellos.length > 1 && hub.isListening);
  expect(await hub.ask({ method: 'list-agents' })).toMatchObject({ result: [{ name: 'scripted', problem }] });
  const told = inShort(hub.events('ses_1')).length;
  makeRoom();
  hub.command(spec('ses_1', { folder }), { type: 'open' });
  await seen('ses_1', 'agent-state', ({ state }) => state === 'starting');
  await hub.until(() => inShort(hub.events('ses_1')).length > told);

  expect(inShort(hub.events('ses_1')).slice(told)[0]).toBe('agent starting');
  expect(backends[0]!.calls).toEqual(['start', 'prompt p1', 'dispose']);
});
