import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import {
  approvalOf,
  blocksOf,
  calls,
  clientOf,
  projectWith,
  says,
  scripted,
  serveHub,
  toldBy,
  turnsOver,
  viewUntil,
} from './hub.fixture.ts';

const ASKING_SERVER = fileURLToPath(new URL('../packages/agent/src/mcp/asking-server.fixture.ts', import.meta.url));
const CODE = {
  'src/calls/try-again.ts':
    '/** How often a call that failed is retried before it is given up. */\nexport const MAX_RETRIES = 3;\n',
  'src/colours.ts': "export const BUTTON_COLOUR = 'blue';\n",
};

test('a fresh server with no key answers a question about code in a session of the hub [UAP-01, UAP-02, UAP-04]', async () => {
  const { owner } = await serveHub({});
  const folder = projectWith(CODE);

  const { runners } = await owner.listRunners();
  expect(runners).toMatchObject([{ isConnected: true, isShared: false, owner: 'owner' }]);
  expect(runners[0]!.agents).toContainEqual(
    expect.objectContaining({ name: 'native', title: 'Dragoman', backend: 'native' }),
  );

  const session = await owner.createSession({
    agent: 'native',
    folder,
    prompt: { text: 'where are retries limited?' },
  });
  const view = await turnsOver(owner, session.id);

  expect(toldBy(view)).toEqual([
    'text where are retries limited?',
    'tool_use code-search Success',
    expect.stringContaining('tool_result The following code sections were retrieved:\nPath: src/calls/try-again.ts'),
    expect.stringMatching(/^text Relevant files: src\/calls\/try-again\.ts\./),
  ]);
  expect(view.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'agent']);
  expect(view.turn).toMatchObject({ reason: 'done' });
  expect(await owner.getSession({ sessionId: session.id })).toMatchObject({
    status: 'idle',
    title: 'where are retries limited?',
    model: 'offline/offline',
    isOnline: true,
  });
});

test('on the offline model a call that has to be asked about waits until it is allowed over the API [UAP-01, UAP-10, UAP-12]', async () => {
  const { owner } = await serveHub({ permissions: { 'code-search': 'ask' } });
  const { id: sessionId } = await owner.createSession({
    agent: 'native',
    folder: projectWith(CODE),
    prompt: { text: 'where are retries limited?' },
  });

  const asked = await approvalOf(owner, sessionId);
  const waiting = await viewUntil(owner, sessionId, ({ tools }) => tools.size === 1);
  expect(waiting.tools.get(asked.toolUseId!)?.status).toBe('Waiting');
  await owner.decideApproval({ sessionId, approvalId: asked.id, optionId: 'once' });

  const view = await turnsOver(owner, sessionId);
  expect(view.tools.get(asked.toolUseId!)?.status).toBe('Success');
  expect(toldBy(view).at(-1)).toMatch(/^text Relevant files: src\/calls\/try-again\.ts\./);
});

test('what an MCP server asks is asked of people over the API, field by field, and the server gets the answers', async () => {
  const provider = await startFakeProvider();
  const requestedSchema = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 2 }, size: { type: 'string', enum: ['small', 'large'] } },
    required: ['name', 'size'],
  };
  provider.answer(calls('srv_ask', { params: { message: 'Who comes?', requestedSchema } }), says('Noted.'));
  const { owner } = await serveHub({
    ...scripted(provider.url),
    mcp: { srv: { command: [process.execPath, ASKING_SERVER] } },
    permissions: { 'srv_*': 'allow' },
  });
  const { id: sessionId } = await owner.createSession({
    agent: 'native',
    folder: projectWith(CODE),
    prompt: { text: 'invite them' },
  });
  const answer = async (decision: { text: string } | { optionId: string }) => {
    const { id: approvalId, title } = await approvalOf(owner, sessionId);
    await owner.decideApproval({ sessionId, approvalId, ...decision });
    return title;
  };

  expect([
    await answer({ text: 'A' }),
    await answer({ text: 'Ada' }),
    await answer({ optionId: 'choice-1' }),
    await answer({ optionId: 'send' }),
  ]).toEqual([
    'Who comes? (1 of 2: name)',
    'Who comes? (1 of 2: name)',
    'Who comes? (2 of 2: size)',
    'Send these answers to the MCP server "srv"?',
  ]);
  const told = toldBy(await turnsOver(owner, sessionId));
  expect(told.filter((each) => each !== 'approval')).toEqual([
    'text invite them',
    'tool_use srv_ask Success',
    'tool_result {"action":"accept","content":{"name":"Ada","size":"large"}}',
    'text Noted.',
  ]);
});

test('a member may not let agents work on the server until its runner is shared, and is told how that is done [UAP-04]', async () => {
  const server = await serveHub({});
  const member = await clientOf(server, 'mia', 'member');
  const start = () => member.createSession({ agent: 'native', folder: projectWith(CODE) });

  await expect(start()).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(
      /^The machine .* is owner's own; to share it with every member, set "runner": \{ "isShared": true \} in the dragoman\.json of that machine\.$/,
    ) as string,
  });

  writeFileSync(join(server.home, 'dragoman.json'), JSON.stringify({ runner: { isShared: true } }));
  await expect
    .poll(async () => (await server.owner.listRunners()).runners[0]!.isShared, { timeout: 60_000 })
    .toBe(true);
  expect(await start()).toMatchObject({ agent: 'native' });
});

test('a command is asked about over the API: allowed once, for good, or not at all; a member may, a viewer may not [UAP-04, UAP-10, UAP-12]', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub({ ...scripted(provider.url), runner: { isShared: true } });
  const { owner } = server;
  const folder = projectWith(CODE);
  const [member, viewer] = await Promise.all([clientOf(server, 'mia', 'member'), clientOf(server, 'vic', 'viewer')]);

  provider.answer(calls('bash', { command: 'touch once.txt' }), says('Made once.txt.'));
  const { id: sessionId } = await owner.createSession({ agent: 'native', folder, prompt: { text: 'make a file' } });

  // It is asked: in the session, in the list of what waits, and in the list of sessions.
  const first = await approvalOf(owner, sessionId);
  expect(first).toMatchObject({
    title: 'bash touch once.txt',
    options: [
      { id: 'once', kind: 'allow_once' },
      { id: 'always', kind: 'allow_always' },
      { id: 'reject', kind: 'reject_once' },
    ],
  });
  expect((await member.listApprovals()).approvals).toMatchObject([
    { id: first.id, sessionId, sessionTitle: 'make a file', title: 'bash touch once.txt' },
  ]);
  const waiting = await viewUntil(owner, sessionId, ({ tools }) => tools.size === 1);
  expect(waiting.tools.get(first.toolUseId!)?.status).toBe('Waiting');
  expect(await owner.getSession({ sessionId })).toMatchObject({ status: 'waiting', waitingApprovals: 1 });
  expect(existsSync(join(folder, 'once.txt'))).toBe(false);

  // Who may only look may not decide; a member may, and everybody sees who did. A second answer is told who was first.
  const decide = { sessionId, approvalId: first.id, optionId: 'once' };
  await expect(viewer.decideApproval(decide)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(viewer.sendPrompt({ sessionId, text: 'me too' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await member.decideApproval({ ...decide, channel: 'web' })).toMatchObject({ decidedBy: 'mia' });
  await expect(owner.decideApproval(decide)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('mia') as string,
  });
  const done = await turnsOver(viewer, sessionId);
  expect(done.approvals).toMatchObject([
    {
      decided: { reply: { type: 'selected', optionId: 'once' }, by: { type: 'user', name: 'mia', channel: 'web' } },
    },
  ]);
  expect(done.tools.get(first.toolUseId!)?.status).toBe('Success');
  expect(existsSync(join(folder, 'once.txt'))).toBe(true);
  expect((await member.listApprovals()).approvals).toEqual([]);

  // Always: the same kind of command is not asked about again.
  provider.answer(calls('bash', { command: 'touch always.txt' }), says('Made always.txt.'));
  await member.sendPrompt({ sessionId, text: 'another one' });
  const second = await approvalOf(owner, sessionId);
  await owner.decideApproval({ sessionId, approvalId: second.id, always: true });
  await turnsOver(owner, sessionId, 2);
  provider.answer(calls('bash', { command: 'touch always.txt' }), says('Touched it again.'));
  await owner.sendPrompt({ sessionId, text: 'and again' });
  expect((await turnsOver(owner, sessionId, 3)).approvals).toHaveLength(2);

  // No, with a word about it that the model reads.
  provider.answer(calls('bash', { command: 'rm -r src' }), says('Then I leave it.'));
  await owner.sendPrompt({ sessionId, text: 'clean up' });
  const third = await approvalOf(owner, sessionId);
  await member.decideApproval({ sessionId, approvalId: third.id, reject: true, text: 'Keep the sources.' });
  const refused = await turnsOver(owner, sessionId, 4);
  expect(refused.tools.get(third.toolUseId!)?.status).toBe('Error');
  expect(toldBy(refused).at(-1)).toBe('text Then I leave it.');
  expect(provider.requests.at(-1)!.text).toContain('Keep the sources.');
  expect(existsSync(join(folder, 'src/colours.ts'))).toBe(true);
});

test('a text is read as it is written, a prompt in between waits, a turn is called off, and an agent that was ended goes on [UAP-02, UAP-18]', async () => {
  const provider = await startFakeProvider();
  const { owner } = await serveHub(scripted(provider.url));
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  provider.answer(says('The first half,', goOn, ' and the second.'), says('Later.', new Promise(() => {})));

  const { id: sessionId } = await owner.createSession({
    agent: 'native',
    folder: projectWith(CODE),
    prompt: { text: 'tell me' },
  });
  const half = await viewUntil(owner, sessionId, (view) => toldBy(view).includes('text The first half,'));
  expect(half.messages.at(-1)!.blocks).toMatchObject([{ isOpen: true }]);
  const queued = await owner.sendPrompt({ sessionId, id: 'msg_mine', text: 'and then?' });
  expect(queued).toEqual({ promptId: 'msg_mine', isNew: true, delivery: 'queue' });
  expect(await owner.sendPrompt({ sessionId, id: 'msg_mine', text: 'and then?' })).toMatchObject({ isNew: false });

  resolve();
  const second = await viewUntil(owner, sessionId, (view) => toldBy(view).includes('text Later.'));
  expect(toldBy(second)).toEqual([
    'text tell me',
    'text The first half, and the second.',
    'text and then?',
    'text Later.',
  ]);
  await owner.cancelTurn({ sessionId });
  expect((await turnsOver(owner, sessionId, 2)).turn).toMatchObject({ reason: 'cancelled' });

  // Its agent is ended; with the next prompt it goes on where it was.
  await owner.closeSession({ sessionId });
  await viewUntil(owner, sessionId, ({ agentState }) => agentState === 'stopped');
  provider.answer(says('Here I am.'));
  await owner.sendPrompt({ sessionId, text: 'still there?' });
  expect(toldBy(await turnsOver(owner, sessionId, 3)).slice(-2)).toEqual(['text still there?', 'text Here I am.']);
  expect(provider.requests.at(-1)!.text).toContain('The first half, and the second.');
});

test('a session goes on after the server was stopped and started; its name and place are kept, what was said is found, exported and forked [UAP-03, UAP-04]', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const folder = projectWith(CODE);
  provider.answer(says('重试次数在这里限制：最多三次。 The limit is MAX_RETRIES.'));
  const { id: sessionId } = await server.owner.createSession({
    agent: 'native',
    folder,
    prompt: { text: '重试在哪里限制？' },
  });
  const before = await turnsOver(server.owner, sessionId);
  await server.owner.updateSession({ sessionId, title: 'About retries', pinned: true });
  const { id: other } = await server.owner.createSession({ agent: 'native', folder, title: 'Old' });
  await server.owner.updateSession({ sessionId: other, archived: true });
  expect(await server.stop()).toMatchObject({ exitCode: 0 });

  const { owner } = await serveHub(scripted(provider.url), { home: server.home });
  const after = await viewUntil(owner, sessionId, ({ isPinned }) => isPinned);
  expect(after.messages).toEqual(before.messages);
  expect((await owner.listSessions({ archived: false })).sessions).toMatchObject([
    { id: sessionId, title: 'About retries', isPinned: true, isArchived: false },
  ]);
  expect((await owner.listSessions({ archived: true })).sessions).toMatchObject([{ id: other, title: 'Old' }]);

  // It goes on: the model hears of what was said before.
  provider.answer(says('As I said: three times.'));
  await owner.sendPrompt({ sessionId, text: 'How often?' });
  const resumed = await turnsOver(owner, sessionId, 2);
  expect(toldBy(resumed).slice(-2)).toEqual(['text How often?', 'text As I said: three times.']);
  expect(provider.requests.at(-1)!.text).toContain('最多三次');

  // What was said is found, in either language.
  for (const [q, excerpt] of [
    ['重试次数', '重试次数在这里限制'],
    ['max_retries', 'The limit is MAX_RETRIES.'],
    ['three times', 'As I said: three times.'],
  ] as const) {
    const { hits } = await owner.search({ q });
    expect(hits[0]).toMatchObject({ sessionId, sessionTitle: 'About retries' });
    expect(hits[0]!.excerpt).toContain(excerpt);
  }

  // It leaves as Markdown and as JSON.
  const markdown = await owner.exportSession({ sessionId });
  expect(markdown).toMatchObject({ mediaType: expect.stringMatching(/^text\/markdown/) as string });
  expect(Buffer.from(markdown.bytes).toString()).toMatch(/^# About retries\n[\s\S]*重试在哪里限制？[\s\S]*As I said/);
  const json = JSON.parse(Buffer.from((await owner.exportSession({ sessionId, format: 'json' })).bytes).toString());
  expect(JSON.stringify(json)).toContain('重试次数在这里限制');

  // A fork from before the second prompt knows the first turn and nothing else.
  const secondPrompt = resumed.messages.find(({ blocks }) =>
    blocks.some(({ block }) => block.type === 'text' && block.text === 'How often?'),
  )!;
  const fork = await owner.forkSession({ sessionId, beforeMessageId: secondPrompt.id, title: 'Another way' });
  provider.answer(says('In try-again.ts.'));
  await owner.sendPrompt({ sessionId: fork.id, text: 'In which file?' });
  const forked = await viewUntil(owner, fork.id, (view) => toldBy(view).includes('text In try-again.ts.'));
  expect(toldBy(forked)).toEqual([...toldBy(before), 'text In which file?', 'text In try-again.ts.']);
  const { text } = provider.requests.at(-1)!;
  expect([text.includes('最多三次'), text.includes('How often?')]).toEqual([true, false]);
  expect(blocksOf(await turnsOver(owner, sessionId, 2))).toEqual(blocksOf(resumed));
  expect(readFileSync(join(folder, 'src/colours.ts'), 'utf8')).toBe(CODE['src/colours.ts']);
});

test('a prompt is taken back: the file that the agent wrote is as it was, the session ends before it and goes on from there [UAP-02, UAP-06]', async () => {
  const provider = await startFakeProvider();
  const { owner } = await serveHub({ ...scripted(provider.url), permissions: { '*': 'allow' } });
  const folder = projectWith(CODE);
  const colours = () => readFileSync(join(folder, 'src/colours.ts'), 'utf8');
  provider.answer(says('A file of colours.'));
  const { id: sessionId } = await owner.createSession({ agent: 'native', folder, prompt: { text: 'what is here?' } });
  const before = await turnsOver(owner, sessionId);
  const edit = { filePath: 'src/colours.ts', oldString: 'blue', newString: 'red' };
  provider.answer(calls('edit', edit), calls('bash', { command: 'echo new > made.txt' }), says('Painted it red.'));
  await owner.sendPrompt({ sessionId, id: 'msg_paint', text: 'paint it red' });
  const painted = await turnsOver(owner, sessionId, 2);
  expect(toldBy(painted).at(-1)).toBe('text Painted it red.');
  expect([colours(), existsSync(join(folder, 'made.txt'))]).toEqual(["export const BUTTON_COLOUR = 'red';\n", true]);
  expect(painted.capabilities.revert).toBe(true);

  const { files } = await owner.revertSession({ sessionId, messageId: 'msg_paint' });

  expect(files.toSorted()).toEqual(['made.txt', 'src/colours.ts']);
  expect([colours(), existsSync(join(folder, 'made.txt'))]).toEqual([CODE['src/colours.ts'], false]);
  const view = await viewUntil(owner, sessionId, ({ takenOut }) => takenOut.spans.length === 1);
  expect(view.messages).toEqual(before.messages);
  expect(view.turns).toEqual(before.turns);
  expect((await owner.search({ q: 'painted' })).hits).toEqual([]);
  await expect(owner.revertSession({ sessionId, messageId: 'msg_paint' })).rejects.toMatchObject({ code: 'not-found' });

  provider.answer(says('It stays blue.'));
  await owner.sendPrompt({ sessionId, text: 'and now?' });
  const after = await turnsOver(owner, sessionId, 2);
  expect(toldBy(after)).toEqual([...toldBy(before), 'text and now?', 'text It stays blue.']);
  expect(provider.requests.at(-1)!.text).not.toContain('paint it red');
});
