import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked } from '../../hub-door.fixture.ts';
import { said } from '../../scripted-runner.fixture.ts';
import { type Chatter, openChatDoor } from '../people/chat-door.fixture.ts';
import { COMMAND_NAMES, SHOWN_COMMANDS } from './command-names.ts';

async function open(options: Parameters<typeof openChatDoor>[0] = {}, language: 'en' | 'zh' = 'en') {
  const door = await openChatDoor(options);
  const runner = await door.runner();
  const chatter = await door.bound(door.owner, 'boss', language);
  const create = async (title: string, agent = 'able') =>
    (await door.owner.client.createSession({ agent, folder: `/code/${title}`, title })).id;
  return { door, runner, chatter, create };
}

const labels = async (chatter: Chatter, text: string) => {
  const [note] = await chatter.say(text);
  return note?.buttons?.map((row) => row.map(({ label }) => label));
};

for (const engine of STORE_ENGINES) {
  test(`${engine}: sessions are listed with numbers, and switched to by number, by a part of the title, by id and by button`, async () => {
    const { chatter, create } = await open({ engine });
    const ids = [];
    for (const title of ['alpha', 'beta', 'Gamma_ray']) ids.push(await create(title));
    const shown = async () => (await chatter.chat())!.session_id;

    expect(await chatter.ask('/sessions')).toEqual([
      [
        '**Sessions**\n',
        '1. **Gamma\\_ray** · starting · able · Gamma\\_ray',
        '2. **beta** · starting · able · beta',
        '3. **alpha** · starting · able · alpha',
      ].join('\n'),
    ]);
    await create('delta');
    await chatter.say('/switch 2');
    expect(await shown()).toBe(ids[1]);
    expect(await chatter.ask('/切换 9')).toEqual(['The last list has no number 9. Send `/sessions` for a new list.']);
    await chatter.say('/切换 gamma');
    expect(await shown()).toBe(ids[2]);
    await chatter.say(`/switch ${ids[0]}`);
    expect(await shown()).toBe(ids[0]);
    expect(await chatter.ask('／会话 a')).toEqual([expect.stringContaining('· **shown here**')]);
    expect(await chatter.press('1')).toMatchObject({ isRefused: false });
    expect(await chatter.ask('/switch nothing like it')).toEqual(['No session has “nothing like it” in its title.']);
    expect(await chatter.ask('/switch ta')).toEqual([expect.stringContaining('Which one?')]);
    expect(await labels(chatter, '/switch')).toEqual([['1', '2', '3', '4'], ['New session']]);
  });

  test(`${engine}: pages of sessions go on counting`, async () => {
    const { chatter, create } = await open({ engine });
    const ids = [];
    for (let number = 1; number <= 10; number++) ids.push(await create(`s${number}`));

    expect(await labels(chatter, '/sessions')).toEqual([
      ['1', '2', '3', '4'],
      ['5', '6', '7', '8'],
      ['More…', 'New session'],
    ]);
    await chatter.press('More…');
    const texts = (await chatter.notes()).map(({ text }) => text);
    expect(texts.at(-1)).toBe('**Sessions**\n\n9. **s2** · starting · able · s2\n10. **s1** · starting · able · s1');
    await chatter.say('/switch 10');
    expect((await chatter.chat())!.session_id).toBe(ids[0]);
    expect(await chatter.ask('/sessions 0')).toEqual([
      'That doesn’t look right. Use `/sessions [PAGE, or part of the title]`, for example `/sessions 2`.',
    ]);
  });

  test(`${engine}: a new session is started with what is named, and with what is known where nothing is`, async () => {
    const { door, runner, chatter } = await open({ engine });
    const newest = async () => (await door.owner.client.listSessions({})).sessions[0]!;

    expect(await chatter.ask('/new able /code/app')).toEqual([
      'Started a new **able** session in **\\/code\\/app** on **desk**. Describe a task.',
    ]);
    expect((await chatter.chat())!.session_id).toBe((await newest()).id);
    expect(await chatter.ask('/新建 scribe @desk\n写测试')).toHaveLength(1);
    expect(await newest()).toMatchObject({ agent: 'scribe', folder: '/code/app', title: '写测试' });
    expect((await runner.command('prompt')).command.prompt.content).toEqual([{ type: 'text', text: '写测试' }]);
    await chatter.say('/new fix the tests');
    expect(await newest()).toMatchObject({ agent: 'scribe', folder: '/code/app', title: 'fix the tests' });
    expect(await chatter.ask('/new absent')).toEqual([
      'There’s no agent **absent** you can use. Available agents: scribe, able.',
    ]);
    expect(await chatter.ask('/new able @nowhere')).toEqual([
      'There’s no machine **nowhere** you can use. Available machines: desk.',
    ]);
    expect(await labels(chatter, '/new')).toEqual([['scribe · app'], ['able · app']]);
    for (const args of ['able relative/path', 'able ./app', '../app', '..'])
      expect(await chatter.ask(`/new ${args}`)).toEqual([expect.stringContaining('is not a full path.')]);
    await chatter.say('/new able https://example.com/issue/7');
    expect(await newest()).toMatchObject({ agent: 'able', title: 'https://example.com/issue/7' });
  });

  test(`${engine}: a folder that is not there is refused and not offered again, nor is one where no session started`, async () => {
    const { door, runner, chatter, create } = await open({ engine });
    await create('app');
    const failed = await create('broken');

    expect(await chatter.ask('/new able /code/missing')).toEqual([
      'That didn’t work: there is no folder \\/code\\/missing',
    ]);
    expect((await door.owner.client.listSessions({})).sessions).toHaveLength(2);
    expect(await labels(chatter, '/new')).toContainEqual(['able · broken']);
    await runner.say(failed, [{ type: 'agent-state', state: 'failed', error: { code: 'x', message: 'no folder' } }]);
    expect(await labels(chatter, '/new')).toEqual([['able · app'], ['scribe · app']]);
    await runner.leave();
    expect(await chatter.ask('/new able /code/missing')).toHaveLength(1);
    expect((await door.owner.client.listSessions({})).sessions).toHaveLength(3);
  });

  test(`${engine}: a turn is stopped, prompts that wait are shown and taken back, and a running turn is steered`, async () => {
    const { runner, chatter, create } = await open({ engine });
    const sessionId = await create('alpha');
    await runner.command('open');
    await chatter.say('/switch alpha');
    expect(await chatter.ask('/stop')).toEqual(['Nothing is running.']);
    expect(await chatter.ask('/队列')).toEqual(['No queued prompts.']);
    await chatter.say('one');
    const first = await runner.command('prompt');
    await runner.say(
      sessionId,
      [
        { type: 'agent-state', state: 'ready' },
        { type: 'turn-started', turnId: 't', promptId: first.command.prompt.id },
      ],
      first,
    );
    for (const text of ['two', 'three', 'four']) await chatter.say(text);

    expect(await chatter.ask('/queue')).toEqual(['**Queued prompts**\n\n1. two\n2. three\n3. four']);
    expect(await chatter.ask('/queue drop 2')).toEqual(['Removed.']);
    expect(await chatter.ask('/queue drop 2')).toEqual(['Already removed.']);
    expect(await chatter.ask('/queue drop 9')).toEqual(['Not in the queue: 9. Send `/queue` to list queued prompts.']);
    expect(await chatter.ask('/queue what')).toEqual([expect.stringContaining('`/queue drop 1`')]);
    expect(await chatter.ask('/队列 撤回 全部')).toEqual(['2 prompts removed.']);
    expect(await chatter.ask('/插话 use tabs')).toEqual(['Sent to the agent.']);
    expect((await runner.command('steer')).command.prompt.content).toEqual([{ type: 'text', text: 'use tabs' }]);
    expect(await chatter.ask('/停止')).toEqual(['Stopping.']);
    expect((await runner.command('cancel')).command).toEqual({ type: 'cancel', turnId: 't' });
  });

  test(`${engine}: approvals are answered by command: one by its number in the list; the only one is shown first`, async () => {
    const { door, runner, chatter, create } = await open({ engine });
    const sessionId = await create('alpha', 'scribe');
    await chatter.say('/switch alpha');
    await runner.say(sessionId, [{ type: 'turn-started', turnId: 't' }]);
    expect(await chatter.ask('/approve')).toEqual(['Nothing needs your input.']);
    await runner.say(sessionId, [approvalAsked('a-1')]);
    expect(await chatter.ask('/批准')).toEqual(['**alpha** asks: Run npm test']);
    expect(await chatter.press('Allow once')).toEqual({ text: 'Allow once, by owner (slate)', isRefused: false });
    expect((await runner.command('answer')).command.reply).toEqual({ type: 'selected', optionId: 'yes' });

    await runner.say(sessionId, [approvalAsked('a-2'), approvalAsked('a-3', { title: 'Push' }), approvalAsked('a-4')]);
    expect(await chatter.ask('/deny')).toEqual([
      '**Needs your input**\n\n1. **Run npm test** (alpha)\n2. **Push** (alpha)\n3. **Run npm test** (alpha)',
    ]);
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-2', optionId: 'yes', channel: 'web' });
    expect(await chatter.ask('/deny 2 not today')).toEqual(['Reject \\(“not today”\\)\\, by owner \\(slate\\)']);
    expect(await chatter.ask('/approve 1')).toEqual(['Already answered: Allow once\\, by owner \\(web\\)']);
    expect(await chatter.press('✓ 3')).toEqual({ text: 'Allow once, by owner (slate)', isRefused: false });

    const { events } = await door.owner.client.readLog({ sessionId });
    expect(
      events.flatMap(({ event }) => (event.type === 'approval-decided' ? [[event.approvalId, event.reply]] : [])),
    ).toEqual([
      ['a-1', { type: 'selected', optionId: 'yes' }],
      ['a-2', { type: 'selected', optionId: 'yes' }],
      ['a-3', { type: 'selected', optionId: 'no', text: 'not today' }],
      ['a-4', { type: 'selected', optionId: 'yes' }],
    ]);
  });

  test(`${engine}: a session is moved to another machine that is connected and offers its agent`, async () => {
    const { door, runner, chatter, create } = await open({ engine });
    const id = await create('app');
    await chatter.say(`/switch ${id}`);
    expect(await chatter.ask('/move')).toEqual(['No other connected machine that you can use has the agent **able**.']);
    const laptop = await door.runner({ id: 'run_laptop', name: 'My laptop', outboxId: 'outbox-2' });
    const tower = await door.runner({ id: 'run_tower', name: 'tower', outboxId: 'outbox-3' });
    await door.runner({ id: 'run_other', name: 'other', outboxId: 'outbox-4', agents: [] });
    await tower.leave();

    expect(await chatter.ask('/move')).toEqual(['Which machine should **able** continue on?']);
    expect(await labels(chatter, '/move')).toEqual([['My laptop']]);
    expect(await chatter.ask('/move tower')).toEqual([
      'There’s no other connected machine **tower** with the agent **able**. Available machines: My laptop.',
    ]);
    expect(await chatter.ask('/move @tower my laptop')).toEqual([
      'That doesn’t look right. Use `/move [MACHINE] [FOLDER]`, for example `/move laptop ~/app`.',
    ]);
    await runner.say(id, [
      { type: 'agent-state', state: 'ready' },
      { type: 'turn-started', turnId: 't' },
    ]);
    expect(await chatter.ask('/move my laptop')).toEqual([
      'The agent is running. Send `/stop` before moving the session.',
    ]);
    await runner.leave();
    expect(await chatter.ask('/移动 @"my laptop" /code/there')).toEqual([
      'The session continues on **My laptop** in **\\/code\\/there**.',
    ]);
    expect(await door.owner.client.getSession({ sessionId: id })).toMatchObject({
      runnerId: laptop.hello.id,
      folder: '/code/there',
    });
  });

  test(`${engine}: who may not act in a session does not move it from a chat either`, async () => {
    const { door, create } = await open({ engine });
    const id = await create('app');
    const reader = await door.bound(await door.person('reader', 'viewer'), 'reader');
    await reader.say(`/switch ${id}`);

    expect(await reader.ask('/move @run_laptop')).toEqual([
      'This requires the member role. An admin can change your role in the console.',
    ]);
  });

  test(`${engine}: models and modes are shown with buttons, and changed by name or a part of it`, async () => {
    const { runner, chatter, create } = await open({ engine });
    const sessionId = await create('alpha');
    await chatter.say('/switch alpha');
    const models = [{ id: 'm/sonnet-5', name: 'Sonnet' }, { id: 'm/opus-5', name: 'Opus' }, { id: 'm/haiku' }];
    await runner.say(sessionId, [
      { type: 'agent-updated', models, model: 'm/opus-5', modes: [{ id: 'build' }, { id: 'plan' }] },
      { type: 'agent-updated', capabilities: { models: true, modes: true } },
    ]);

    expect(await chatter.ask('/model')).toEqual(['The model is **Opus**.']);
    expect(await labels(chatter, '/模型')).toEqual([['Sonnet'], ['✓ Opus'], ['m/haiku']]);
    expect(await chatter.ask('/model sonn')).toEqual(['Model changed to **Sonnet**.']);
    expect((await runner.command('configure')).command).toEqual({ type: 'configure', model: 'm/sonnet-5' });
    expect(await chatter.ask('/model m/')).toEqual([
      'This agent has no model **m\\/**. Did you mean **Sonnet**, **Opus**, **m\\/haiku**?',
    ]);
    expect(await chatter.ask('/model sonet')).toEqual(['This agent has no model **sonet**. Did you mean **Sonnet**?']);
    expect(await chatter.ask('/mode yolo')).toEqual(['This agent has no mode **yolo**. Choose one:']);
    expect(await labels(chatter, '/mode yolo')).toEqual([['build'], ['plan']]);
    await chatter.say('/model');
    expect(await chatter.press('m/haiku')).toEqual({ text: 'm/haiku', isRefused: false });
    expect((await runner.command('configure')).command).toEqual({ type: 'configure', model: 'm/haiku' });
    expect(await chatter.ask('/模式 plan')).toEqual(['Mode changed to **plan**.']);
    expect((await runner.command('configure')).command).toEqual({ type: 'configure', mode: 'plan' });

    await create('beta', 'scribe');
    await chatter.say('/switch beta');
    expect(await chatter.ask('/model x')).toEqual(['This agent has no models to choose from.']);
  });
}

test('a rule is saved only by who saw it: a number of the list brings the question with the rule and its button', async () => {
  const { runner, chatter, create } = await open();
  const sessionId = await create('alpha', 'scribe');
  await chatter.say('/switch alpha');
  const question = { tool: 'bash', subjects: [{ kind: 'command', value: 'npm test' }] };
  const always = [{ tool: 'bash', pattern: 'npm *' }];
  const call = { name: 'bash', input: { command: 'npm test' } };
  await runner.say(sessionId, [
    { type: 'turn-started', turnId: 't' },
    approvalAsked('a-1', { question, always, call }),
    approvalAsked('a-2'),
  ]);
  await chatter.say('/approve');

  for (const text of ['/approve 1 always', '/approve 1 始终'])
    expect(await chatter.ask(text)).toEqual([expect.stringContaining('“Always” saves the rule: bash npm \\*')]);
  expect(await chatter.press('Always allow in this project')).toMatchObject({ isRefused: false });
  expect((await runner.command('answer')).command.reply).toMatchObject({ type: 'selected', optionId: 'yes' });
});

test('the history shows the last prompts and answers, shortened, and nothing in them is markup', async () => {
  const { door, runner, chatter, create } = await open({ server: { publicUrl: 'https://hub.example.com' } });
  const sessionId = await create('alpha');
  await chatter.say('/switch alpha');
  expect(await chatter.ask('/history')).toEqual(['No messages yet.']);
  for (const [index, text] of ['one', '*two*', 'three'].entries()) {
    await door.owner.client.sendPrompt({ sessionId, id: `p-${index}`, text });
    await runner.say(sessionId, [
      { type: 'turn-started', turnId: `t-${index}`, promptId: `p-${index}` },
      ...(index < 2 ? [said(`thinking ${index}`), said(`[answer](http://x) ${index} ${'long '.repeat(200)}`)] : []),
      { type: 'turn-finished', turnId: `t-${index}`, reason: 'done' },
    ]);
  }

  const [text] = await chatter.ask('/历史 2');
  expect(text).toContain('**owner:** \\*two\\*\n\n> answer 1 long');
  expect(text).toContain('**owner:** three\n\n> \\(done\\, no text\\)');
  expect(text).not.toContain(' one');
  expect(text!.length).toBeLessThan(800);
  expect(text).toContain(`[Open in the console](https://hub.example.com/sessions/${sessionId})`);
  expect(await chatter.ask('/history 99')).toEqual([expect.stringContaining('`/history 5`')]);
});

test('the history says how a turn ended that was not simply done', async () => {
  const { door, runner, chatter, create } = await open();
  const sessionId = await create('alpha');
  await chatter.say('/switch alpha');
  const ends = ['cancelled', 'interrupted', 'failed'] as const;
  for (const reason of [...ends, undefined]) {
    await door.owner.client.sendPrompt({ sessionId, id: `p-${reason}`, text: `be ${reason}` });
    await runner.say(sessionId, [
      { type: 'turn-started', turnId: `t-${reason}`, promptId: `p-${reason}` },
      ...(reason === 'failed' ? [said('half an answer')] : []),
      ...(reason === undefined ? [] : [{ type: 'turn-finished' as const, turnId: `t-${reason}`, reason }]),
    ]);
  }

  const [text] = await chatter.ask('/history 4');
  expect(text!.split('\n\n').slice(1)).toEqual([
    '**owner:** be cancelled',
    '> \\(stopped\\)',
    '**owner:** be interrupted',
    '> \\(interrupted\\)',
    '**owner:** be failed',
    '> half an answer \\(failed\\)',
    '**owner:** be undefined',
    '> \\(no answer yet\\)',
  ]);
});

test('a prompt that the agent has cannot be taken back, and the turn can be stopped instead', async () => {
  const { door, runner, chatter, create } = await open();
  const sessionId = await create('alpha');
  await runner.say(sessionId, [
    { type: 'agent-state', state: 'ready' },
    { type: 'turn-started', turnId: 't' },
  ]);
  await chatter.say('/switch alpha');
  await chatter.say('two');
  await door.shown(chatter.chatId, ({ text }) => text.startsWith('Queued'));
  await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't', reason: 'done' }]);
  const taken = await runner.command('prompt');
  const promptId = taken.command.prompt.id;
  await runner.say(sessionId, [{ type: 'turn-started', turnId: 't-2', promptId }], taken);

  expect(await chatter.press('Remove from queue')).toEqual({
    text: 'The agent is already working on it.',
    isRefused: false,
  });
  expect((await chatter.notes()).at(-1)).toEqual({
    text: 'The agent is already working on it.',
    buttons: [[{ label: 'Stop', action: { type: 'command', text: '/stop' } }]],
  });
  expect(await chatter.press('Stop')).toMatchObject({ isRefused: false });
  expect((await runner.command('cancel')).command).toEqual({ type: 'cancel', turnId: 't-2' });
  await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't-2', reason: 'cancelled' }]);
  expect(await chatter.press('Remove from queue')).toMatchObject({ text: 'The agent already has it.' });
});

test('the status says which session the chat shows, where it works and how it is', async () => {
  const { door, runner, chatter, create } = await open({ server: { publicUrl: 'https://hub.example.com' } });
  expect(await chatter.ask('/status')).toEqual([expect.stringContaining('No session selected.')]);
  const sessionId = await create('alpha');
  await chatter.say('/switch alpha');
  await runner.say(sessionId, [
    { type: 'agent-state', state: 'ready' },
    { type: 'agent-updated', model: 'm/opus-5', mode: 'plan' },
    { type: 'turn-started', turnId: 't' },
    {
      type: 'block-stop',
      messageId: 'm',
      role: 'assistant',
      blockId: 'b',
      block: { type: 'usage', input_tokens: 12_345, output_tokens: 67, cost_usd: 0.5 },
    },
  ]);
  await door.owner.client.sendPrompt({ sessionId, text: 'next' });

  expect(await chatter.ask('/状态')).toEqual([
    [
      '**alpha**',
      '**able** in **\\/code\\/alpha** on **desk**',
      '- running\n- Model: m\\/opus\\-5\n- Mode: plan\n- 1 prompt queued\n- Tokens: 12,345 in, 67 out\n- Cost: $0.50',
      `[Open in the console](https://hub.example.com/sessions/${sessionId})`,
    ].join('\n\n'),
  ]);
  expect(await chatter.ask('/status now')).toEqual([expect.stringContaining('Use `/status`')]);
});

test('what was said is found in any session, and a number leads there', async () => {
  const { runner, chatter, create } = await open();
  const [one, other] = [await create('alpha'), await create('beta')];
  await runner.say(one, [said('the flaky test is mended')]);
  await runner.say(other, [said('nothing here')]);

  expect(await chatter.ask('/搜索flaky')).toEqual([
    '**Results for “flaky”**\n\n1. **alpha**: the flaky test is mended',
  ]);
  await chatter.say('/switch 1');
  expect((await chatter.chat())!.session_id).toBe(one);
  expect(await chatter.ask('/search unheard-of')).toEqual(['No results for “unheard\\-of”.']);
  expect(await chatter.ask('/search')).toEqual([expect.stringContaining('`/search WORDS`')]);
});

test('a chat is muted and speaks again, in both languages', async () => {
  const { chatter } = await open({}, 'zh');
  const isMuted = async () => (await chatter.chat())!.is_muted;

  expect(await chatter.ask('/mute')).toEqual(['已静音。我在这里只回应命令。发送 `/静音 关` 恢复。']);
  expect(await isMuted()).toBe(1);
  for (const off of ['/静音 关', '/mute off', '/取消静音', '/unmute']) {
    await chatter.say('/静音');
    expect(await chatter.ask(off)).toEqual(['已取消静音。']);
    expect(await isMuted()).toBe(0);
  }
  expect(await chatter.ask('/mute maybe')).toEqual(['写法不对。应为：`/静音 [关]`，例如 `/静音 关`。']);
});

test('help lists every command in the language of the chat, and explains one', async () => {
  const { chatter } = await open();
  const [english] = await chatter.ask('/help');
  const chinese = (await (await open({}, 'zh')).chatter.ask('/start'))[0];

  for (const name of SHOWN_COMMANDS) {
    const [word] = COMMAND_NAMES[name].en;
    expect(english).toContain(`\`/${word}\``);
    expect(chinese).toContain(`(\`/${word}\`)`);
  }
  expect(chinese).toContain('- `/会话` (`/sessions`): 会话列表，最近的在前');
  expect(await chatter.ask('/help 新建')).toEqual([
    '`/new [AGENT] [FOLDER] [@MACHINE]`: start a session; add the first prompt on the next lines\n\n`/new claude ~/app @desk`',
  ]);
  expect(await chatter.ask('/bind')).toEqual([
    expect.stringContaining('This account is connected as **owner** (admin).'),
  ]);
});

test('a command that nobody knows is answered with the nearest ones', async () => {
  const { chatter } = await open();
  expect(await chatter.ask('/sesions')).toEqual([
    'Unknown command `/sesions`. Did you mean `/sessions`? Send `/help` to list all commands.',
  ]);
  expect(await chatter.ask('/xyzzyplugh')).toEqual([
    'Unknown command `/xyzzyplugh`. Send `/help` to list all commands.',
  ]);
});

test('a folder alone starts an agent that asks before it acts, whatever kind it is [UAP-05]', async () => {
  const door = await openChatDoor();
  const asking = { resume: true, approvals: true };
  await door.runner({
    agents: [
      { name: 'chat', backend: 'native', capabilities: { resume: true, models: true, approvals: false } },
      { name: 'own', backend: 'never-heard-of-it', capabilities: asking },
      { name: 'gemini', backend: 'native', capabilities: asking },
    ],
  });
  const chatter = await door.bound(door.owner, 'boss');

  expect(await chatter.ask('/new /code/app')).toEqual([expect.stringContaining('Started a new **own** session in')]);
  await chatter.say('/new gemini /code/app');
  expect(await chatter.ask('/new /code/other')).toEqual([
    expect.stringContaining('Started a new **gemini** session in'),
  ]);
});

test('of very many answers as many are offered as a message has room for', async () => {
  const { door, chatter } = await open();
  const runner = await door.runner();
  await chatter.say('/new scribe /code/app\ntest it');
  const prompt = await runner.command('prompt');
  const options = Array.from({ length: 150 }, (_, index) => ({
    id: `o-${index}`,
    name: `Answer ${index}`,
    kind: 'answer' as const,
  }));
  await runner.say(
    prompt.session.sessionId,
    [
      { type: 'turn-started', turnId: 't', promptId: prompt.command.prompt.id },
      approvalAsked('q-1', { title: 'Which one?', options }),
    ],
    prompt,
  );

  expect(await labels(chatter, '/approve')).toEqual([
    ...Array.from({ length: 20 }, (_, at) => [`Answer ${at}`]),
    ['Show this session'],
  ]);
});
