import type { HubSettings } from '../hub-parts.ts';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked, openHubDoor } from '../hub-door.fixture.ts';

/** A session in the middle of a turn. */
async function openTurn(options: Parameters<typeof openHubDoor>[0] = {}) {
  const door = await openHubDoor(options);
  const runner = await door.runner();
  const { client } = door.owner;
  const session = await client.createSession({
    agent: 'scribe',
    folder: '/code/app',
    prompt: { id: 'p-1', text: 'test it' },
  });
  const prompt = await runner.command('prompt');
  await runner.say(session.id, [{ type: 'turn-started', turnId: 't1', promptId: 'p-1' }], prompt);
  const sessionId = session.id;
  const decisions = async () =>
    (await client.readLog({ sessionId })).events.flatMap(({ event }) =>
      event.type === 'approval-decided' ? [event] : [],
    );
  return { door, runner, client, sessionId, decisions };
}

const bash = (...commands: string[]) => ({
  question: { tool: 'bash', subjects: commands.map((value) => ({ kind: 'command', value })) },
});

for (const engine of STORE_ENGINES) {
  test(`${engine}: an approval waits for a person, and the answer reaches the agent`, async () => {
    const { door, runner, client, sessionId, decisions } = await openTurn({ engine });
    await runner.say(sessionId, [approvalAsked('a-1', bash('npm test'))]);
    expect(await client.getSession({ sessionId })).toMatchObject({ status: 'waiting', waitingApprovals: 1 });
    const { approvals } = await client.listApprovals();
    expect(approvals).toMatchObject([{ id: 'a-1', sessionId, title: 'Run npm test', sessionTitle: 'test it' }]);
    expect(approvals[0]!.expiresAt - approvals[0]!.askedAt).toBeGreaterThan(59 * 60_000);

    const answer = await client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes', channel: 'web' });

    expect(answer).toEqual({ decidedBy: 'owner', decision: 'Allow once, by owner (web)' });
    const reply = { type: 'selected', optionId: 'yes' };
    expect((await runner.command('answer')).command).toEqual({ type: 'answer', approvalId: 'a-1', reply });
    const { userId } = door.owner.caller;
    expect(await decisions()).toEqual([
      {
        type: 'approval-decided',
        approvalId: 'a-1',
        reply,
        by: { type: 'user', userId, name: 'owner', channel: 'web' },
      },
    ]);
    expect(await client.listApprovals()).toEqual({ approvals: [] });
    expect(await client.getSession({ sessionId })).toMatchObject({ status: 'running', waitingApprovals: 0 });
  });

  test(`${engine}: the same answer of the same person once more is the first one`, async () => {
    const door = await openHubDoor({ engine });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code' });
    await runner.say(sessionId, [{ type: 'turn-started', turnId: 't1' }, approvalAsked('a1')]);

    const first = await client.decideApproval({ sessionId, approvalId: 'a1', optionId: 'yes' });
    expect(await client.decideApproval({ sessionId, approvalId: 'a1', optionId: 'yes' })).toEqual(first);
    await expect(client.decideApproval({ sessionId, approvalId: 'a1', optionId: 'no' })).rejects.toMatchObject({
      code: 'conflict',
    });
    const { events } = await client.readLog({ sessionId });
    expect(events.filter(({ event }) => event.type === 'approval-decided')).toHaveLength(1);
  });

  test(`${engine}: of answers at the same moment the first counts, and the others are told who was first`, async () => {
    const { door, runner, sessionId, decisions } = await openTurn({ engine });
    const ada = await door.person('ada', 'admin');
    await runner.say(sessionId, [approvalAsked('a-1')]);

    const answers = await Promise.allSettled([
      ada.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' }),
      door.owner.client.decideApproval({ sessionId, approvalId: 'a-1', reject: true }),
      ada.client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'forever' }),
    ]);

    const won = answers.filter((answer) => answer.status === 'fulfilled');
    const lost = answers.filter((answer) => answer.status === 'rejected');
    expect([won.length, lost.length]).toEqual([1, 2]);
    const said = won[0]!.value.decision;
    for (const { reason } of lost)
      expect(reason).toMatchObject({ code: 'conflict', message: `Already answered: ${said}.` });
    expect(await decisions()).toHaveLength(1);
    await runner.command('answer');
    expect((await runner.caughtUp(door.owner.client)).commands).toEqual([]);
  });

  test(`${engine}: an approval that ran out of time while the hub was away is answered with no when it is back`, async () => {
    const { door, runner, sessionId, decisions } = await openTurn({ engine });
    await runner.say(sessionId, [approvalAsked('a-1'), approvalAsked('a-2')]);
    await door.owner.client.decideApproval({ sessionId, approvalId: 'a-2', optionId: 'yes' });

    await door.reopen(() => Date.now() + 61 * 60_000);

    expect((await decisions()).at(-1)).toEqual({
      type: 'approval-decided',
      approvalId: 'a-1',
      reply: { type: 'rejected', isLate: true },
      by: { type: 'time-limit' },
    });
    runner.link = door.hub.link(door.owner.caller);
    runner.commands.length = 0;
    await runner.connect();
    expect((await runner.caughtUp(door.owner.client)).commands.map(({ command }) => command)).toEqual([
      { type: 'answer', approvalId: 'a-2', reply: { type: 'selected', optionId: 'yes' } },
      { type: 'answer', approvalId: 'a-1', reply: { type: 'rejected', isLate: true } },
    ]);
  });
}

test('of very long approvals the first are listed whole, and the others in short', async () => {
  const { runner, client, sessionId } = await openTurn();
  const call = { name: 'bash', input: { command: 'x'.repeat(200_000) } };
  await runner.say(
    sessionId,
    Array.from({ length: 25 }, (_, at) => approvalAsked(`a-${at + 10}`, at === 24 ? {} : { call })),
  );

  const { approvals } = await client.listApprovals();
  expect(approvals.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, at) => `a-${at + 10}`));
  expect(approvals.map((approval) => approval.call?.input)).toEqual([
    ...Array.from({ length: 9 }, () => call.input),
    ...Array.from({ length: 16 }, () => undefined),
  ]);
  expect(approvals.at(-2)).toMatchObject({ title: 'Run npm test', toolUseId: 'a-33' });
  expect(approvals.at(-1)!.toolUseId).toBeUndefined();
});

test('an approval that nobody answers is answered with no when its time is over', async () => {
  const { runner, client, sessionId } = await openTurn({
    hub: { approvalMinutes: 0.001, maxQueued: 10, goneAfterHours: 24 },
  });
  await runner.say(sessionId, [approvalAsked('a-1')]);

  expect((await runner.command('answer')).command).toMatchObject({ approvalId: 'a-1', reply: { type: 'rejected' } });
  await expect(client.decideApproval({ sessionId, approvalId: 'a-1', optionId: 'yes' })).rejects.toThrow(
    'Already answered: Denied: no answer in time.',
  );
});

test('the turn that ends takes its approvals with it', async () => {
  const { runner, client, sessionId, decisions } = await openTurn();
  await runner.say(sessionId, [approvalAsked('a-1'), approvalAsked('a-2'), approvalAsked('a-3')]);
  await runner.say(sessionId, [{ type: 'approval-withdrawn', approvalId: 'a-3' }]);
  expect(await client.getSession({ sessionId })).toMatchObject({ waitingApprovals: 2 });

  await runner.say(sessionId, [{ type: 'turn-finished', turnId: 't1', reason: 'cancelled' }]);

  expect(await client.listApprovals()).toEqual({ approvals: [] });
  expect(await decisions()).toEqual(
    ['a-1', 'a-2'].map((approvalId) => ({
      type: 'approval-decided',
      approvalId,
      reply: { type: 'cancelled' },
      by: { type: 'agent' },
    })),
  );
  expect(await client.getSession({ sessionId })).toMatchObject({ status: 'starting', waitingApprovals: 0 });
  expect((await runner.caughtUp(client)).commands).toEqual([]);
});

test('the rules of the configuration answer before people are asked', async () => {
  const permissions: HubSettings['permissions'] = {
    bash: { 'npm *': 'allow', 'rm *': 'deny' },
    edit: { 'src/**': 'allow' },
  };
  const { runner, client, sessionId, decisions } = await openTurn({ permissions });
  const edit = (value: string) => ({ question: { tool: 'edit', subjects: [{ kind: 'path', value }] } });

  await runner.say(sessionId, [
    approvalAsked('allowed', bash('npm test')),
    approvalAsked('denied', bash('npm test', 'rm -rf x')),
    approvalAsked('asked', bash('curl example.com')),
    approvalAsked('inside', edit('/code/app/src/a.ts')),
    approvalAsked('outside', edit('/code/app/../other/src/a.ts')),
    approvalAsked('unasked', {}),
    approvalAsked('no-option', { ...bash('npm test'), options: [{ id: 'x', name: 'Always', kind: 'allow_always' }] }),
  ]);

  expect((await decisions()).map(({ approvalId, reply, by }) => [approvalId, reply, by])).toEqual([
    ['allowed', { type: 'selected', optionId: 'yes' }, { type: 'rule', rule: 'bash npm * (dragoman.json)' }],
    [
      'denied',
      { type: 'rejected', feedback: expect.stringContaining('rm *') },
      { type: 'rule', rule: 'bash rm * (dragoman.json)' },
    ],
    ['inside', { type: 'selected', optionId: 'yes' }, { type: 'rule', rule: 'edit src/** (dragoman.json)' }],
  ]);
  const { approvals } = await client.listApprovals();
  expect(approvals.map(({ id }) => id).sort()).toEqual(['asked', 'no-option', 'outside', 'unasked']);
});

test('a rule for everything allows a command that is not told, unless another rule denies some', async () => {
  const untold = async (permissions: HubSettings['permissions']) => {
    const { runner, sessionId, decisions } = await openTurn({ permissions });
    await runner.say(sessionId, [approvalAsked('untold', bash())]);
    return (await decisions()).map(({ reply }) => reply);
  };

  expect(await untold({ bash: 'allow' })).toEqual([{ type: 'selected', optionId: 'yes' }]);
  expect(await untold({ bash: { '*': 'allow', 'rm *': 'deny' } })).toEqual([]);
  expect(await untold({ bash: 'allow', read: { '.env': 'deny' } })).toEqual([]);
});

test('a question about more than the rules are held against is asked, and denied where anything is denied', async () => {
  const many = bash(...Array.from({ length: 201 }, (_, at) => `npm run task${at}`));
  const hidden = bash(`bash -c "${'npm test;'.repeat(25_000)}"`);
  const ask = async (permissions: HubSettings['permissions']) => {
    const { runner, client, sessionId, decisions } = await openTurn({ permissions });
    await runner.say(sessionId, [
      approvalAsked('few', bash('npm test')),
      approvalAsked('many', many),
      approvalAsked('hidden', hidden),
    ]);
    const waiting = (await client.listApprovals()).approvals.map(({ id }) => id).sort();
    return { waiting, decided: (await decisions()).map(({ approvalId, reply }) => [approvalId, reply.type]) };
  };

  expect(await ask({ bash: { 'npm *': 'allow', 'bash *': 'allow' } })).toEqual({
    waiting: ['hidden', 'many'],
    decided: [['few', 'selected']],
  });
  expect(await ask({ bash: { 'npm *': 'allow', 'rm *': 'deny' } })).toEqual({
    waiting: [],
    decided: [
      ['few', 'selected'],
      ['many', 'rejected'],
      ['hidden', 'rejected'],
    ],
  });
});

test('"always" saves the rules that were shown with the question, and no others', async () => {
  const { runner, client, sessionId, decisions } = await openTurn();
  const always = [{ tool: 'bash', pattern: 'git status --short' }];
  await runner.say(sessionId, [approvalAsked('a-1', { ...bash('git status --short'), always })]);
  expect((await client.listApprovals()).approvals).toMatchObject([{ id: 'a-1', always }]);

  await client.decideApproval({ sessionId, approvalId: 'a-1', always: true });

  expect(await decisions()).toMatchObject([{ saved: always }]);
  expect((await client.listRules()).rules).toMatchObject(always);
});

test('"always" saves a rule for that folder of that machine, which answers from then on until it is taken back', async () => {
  const { door, runner, client, sessionId, decisions } = await openTurn();
  const always = [{ tool: 'bash', pattern: 'git status *' }];
  await runner.say(sessionId, [approvalAsked('a-1', { ...bash('git status'), always })]);
  expect(await client.decideApproval({ sessionId, approvalId: 'a-1', always: true })).toEqual({
    decidedBy: 'owner',
    decision: 'Allow once, by owner (api); allowed from now on in this folder: bash git status *',
  });
  expect(await decisions()).toMatchObject([
    { reply: { type: 'selected', optionId: 'yes' }, saved: [{ tool: 'bash', pattern: 'git status *' }] },
  ]);
  const { rules } = await client.listRules();
  expect(rules).toMatchObject([
    { folder: '/code/app', runnerId: 'run_desk', tool: 'bash', pattern: 'git status *', by: 'owner' },
  ]);

  await runner.say(sessionId, [approvalAsked('a-2', bash('git status --short'))]);
  expect((await decisions()).at(-1)).toMatchObject({
    approvalId: 'a-2',
    by: { type: 'rule', rule: 'bash git status * ("always" of owner)' },
  });

  const other = await client.createSession({ agent: 'scribe', folder: '/code/other' });
  await runner.say(other.id, [approvalAsked('b-1', bash('git status'))]);
  const elsewhere = await door.runner({ id: 'run_lap', name: 'lap' });
  const away = await client.createSession({ agent: 'scribe', folder: '/code/app', runnerId: 'run_lap' });
  await elsewhere.say(away.id, [approvalAsked('c-1', bash('git status'))]);
  expect((await client.listApprovals()).approvals.map(({ id }) => id).sort()).toEqual(['b-1', 'c-1']);

  const eve = await door.person('eve');
  await expect(eve.client.removeRule({ ruleId: rules[0]!.id })).rejects.toThrow(
    'This rule was saved by owner; they or an admin can remove it.',
  );
  await client.removeRule({ ruleId: rules[0]!.id });
  await expect(client.removeRule({ ruleId: rules[0]!.id })).rejects.toMatchObject({ code: 'not-found' });
  await runner.say(sessionId, [approvalAsked('a-3', bash('git status'))]);
  expect((await client.listApprovals()).approvals.map(({ id }) => id).sort()).toEqual(['a-3', 'b-1', 'c-1']);
});

test('an answer becomes what the agent understands', async () => {
  const { runner, client, sessionId } = await openTurn();
  const plain = [{ id: 'go', name: 'Go on', kind: 'allow_once' }];
  const answered = async (id: string, more: object, body: object) => {
    await runner.say(sessionId, [approvalAsked(id, more)]);
    await client.decideApproval({ sessionId, approvalId: id, ...body });
    return (await runner.command('answer')).command.reply;
  };

  expect(await answered('a', {}, { reject: true })).toEqual({ type: 'selected', optionId: 'no' });
  expect(await answered('b', { options: plain }, { reject: true, text: 'not now' })).toEqual({
    type: 'rejected',
    feedback: 'not now',
  });
  expect(await answered('c', {}, { always: true })).toEqual({ type: 'selected', optionId: 'forever' });
  expect(await answered('d', { allowsText: true, options: [] }, { text: 'use port 80' })).toEqual({
    type: 'selected',
    optionId: '',
    text: 'use port 80',
  });
  expect(await answered('e', {}, { optionId: 'yes', text: 'but gently' })).toEqual({
    type: 'selected',
    optionId: 'yes',
    text: 'but gently',
  });
  expect(await client.listRules()).toEqual({ rules: [] });
});

test('"always" is refused where nothing would keep it, and says when it is the agent that keeps it', async () => {
  const { runner, client, sessionId, decisions } = await openTurn();
  const once = { id: 'yes', name: 'Allow once', kind: 'allow_once' };
  await runner.say(sessionId, [
    approvalAsked('own', {}),
    approvalAsked('once', { options: [once] }),
    approvalAsked('vague', { ...bash('npm test'), always: [], options: [once] }),
    approvalAsked('unshown', { ...bash('npm test'), options: [once] }),
    approvalAsked('untold', { ...bash(), always: [{ tool: 'bash', pattern: '*' }], options: [once] }),
    approvalAsked('ruled', { ...bash('npm test'), always: [{ tool: 'bash', pattern: 'npm test' }] }),
  ]);
  const always = (approvalId: string, body: object = {}) =>
    client.decideApproval({ sessionId, approvalId, always: true, ...body });

  await expect(always('once')).rejects.toThrow(
    'always: the agent does not say what it asks in a form that rules know, so there is nothing to save; leave it out, and choose one of "yes".',
  );
  await expect(always('once', { optionId: 'yes' })).rejects.toMatchObject({ code: 'bad-request' });
  await expect(always('own', { optionId: 'yes' })).rejects.toMatchObject({ code: 'bad-request' });
  await expect(always('vague')).rejects.toThrow('always: no rule could say what this would allow');
  await expect(always('unshown')).rejects.toMatchObject({ code: 'bad-request' });
  await expect(always('untold')).rejects.toThrow('always: no rule could say what this would allow');
  await expect(always('ruled', { optionId: 'no' })).rejects.toThrow(
    'always: it goes with a yes; leave it out to answer this once.',
  );
  expect(await decisions()).toEqual([]);
  expect(await client.listRules()).toEqual({ rules: [] });

  expect((await always('own')).decision).toBe(
    'Allow always, by owner (api); nothing is saved here, "always" is up to the agent itself',
  );
  expect((await always('ruled', { optionId: 'yes' })).decision).toContain(
    '; allowed from now on in this folder: bash ',
  );
  expect(await client.listRules()).not.toEqual({ rules: [] });
});

test('an answer that fits nothing is refused, and the approval waits on', async () => {
  const { runner, client, sessionId } = await openTurn();
  await runner.say(sessionId, [approvalAsked('a-1')]);
  const decide = (body: object, approvalId = 'a-1') => client.decideApproval({ sessionId, approvalId, ...body });

  await expect(decide({ optionId: 'maybe' })).rejects.toThrow('optionId: expected one of "yes", "forever", "no".');
  await expect(decide({})).rejects.toMatchObject({ code: 'bad-request' });
  await expect(decide({ text: 'hm' })).rejects.toThrow('text: the agent takes no words alone here');
  await expect(decide({ reject: true, optionId: 'yes' })).rejects.toMatchObject({ code: 'bad-request' });
  await expect(decide({ optionId: 'yes' }, 'a-9')).rejects.toMatchObject({ code: 'not-found' });
  expect((await client.listApprovals()).approvals).toHaveLength(1);
});
