import { expect, test, vi } from 'vitest';
import type { Question, QuestionAnswer } from '../../question/question.ts';
import type { Tool } from '../../tools/tool.ts';
import { fixture, testServers, type TestedServers } from '../mcp.fixture.ts';

const WANTED = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] } },
  required: ['colour'],
};
const FORM = { message: 'Which colour?', requestedSchema: WANTED };
const NO = { id: 'decline', name: 'Decline' };

/** A server that asks what the test says. */
function asking(options: Parameters<typeof testServers>[1] = {}, ...args: string[]): TestedServers {
  return testServers({ srv: { command: fixture('asking-server', ...args) } }, { canAskPeople: true, ...options });
}

/** A person who answers one question after the other, and what they were asked. */
function person(...answers: (QuestionAnswer | ((question: Question) => QuestionAnswer))[]) {
  const asked: Question[] = [];
  const context: Partial<Tool.Context> = {
    askPerson: async (question) => {
      const answer = answers[asked.push(question) - 1] ?? { type: 'cancelled' };
      return typeof answer === 'function' ? answer(question) : answer;
    },
  };
  return { asked, context };
}

const chosen = (optionId: string): QuestionAnswer => ({ type: 'chosen', optionId });
const said = (text: string): QuestionAnswer => ({ type: 'text', text });

/** What the server got for what it asked. */
async function elicit(servers: TestedServers, params: object, context: Partial<Tool.Context>, tool = 'srv_ask') {
  await servers.ready(60_000);
  return JSON.parse((await servers.call(tool, { params }, context)).output) as unknown;
}

test('a server hears that it may ask only where people can be asked', async () => {
  const [yes, no] = [asking(), asking({ canAskPeople: false })];
  await Promise.all([yes.ready(60_000), no.ready(60_000)]);

  expect(JSON.parse((await yes.call('srv_capabilities')).output)).toEqual({ elicitation: { form: {}, url: {} } });
  expect(JSON.parse((await no.call('srv_capabilities')).output)).toEqual({});
  expect(await elicit(no, FORM, {})).toEqual({ error: expect.stringContaining('does not support') as string });
});

test('a choice becomes a question with its options, which says whose question it is', async () => {
  const { asked, context } = person(chosen('choice-1'));

  expect(await elicit(asking(), FORM, context)).toEqual({ action: 'accept', content: { colour: 'green' } });
  expect(asked).toEqual([
    {
      title: 'Which colour?',
      reason: 'colour\nAsked by the MCP server "srv".',
      options: [{ id: 'choice-0', name: 'red' }, { id: 'choice-1', name: 'green' }, NO],
      takesText: false,
    },
  ]);
});

test('a form of several fields is asked field by field, and shown whole before it is sent', async () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on the badge.', minLength: 2 },
      age: { type: 'integer', minimum: 18, maximum: 120 },
      news: { type: 'boolean', default: false },
      size: {
        type: 'string',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
      },
      days: { type: 'array', items: { type: 'string', enum: ['Mon', 'Tue', 'Wed'] }, minItems: 2 },
      note: { type: 'string', default: 'none' },
    },
    required: ['name', 'age'],
  };
  const { asked, context } = person(
    said('A'),
    said(' Ada '),
    said('12'),
    said('36'),
    chosen('choice-0'),
    chosen('skip'),
    chosen('choice-0'),
    said('mon, WED'),
    chosen('default'),
    chosen('send'),
  );

  expect(await elicit(asking(), { message: 'Who comes?', requestedSchema }, context)).toEqual({
    action: 'accept',
    content: { name: 'Ada', age: 36, news: true, days: ['Mon', 'Wed'], note: 'none' },
  });
  expect(asked.map(({ title }) => title)).toEqual([
    'Who comes? (1 of 6: Your name)',
    'Who comes? (1 of 6: Your name)',
    'Who comes? (2 of 6: age)',
    'Who comes? (2 of 6: age)',
    'Who comes? (3 of 6: news)',
    'Who comes? (4 of 6: size)',
    'Who comes? (5 of 6: days)',
    'Who comes? (5 of 6: days)',
    'Who comes? (6 of 6: note)',
    'Send these answers to the MCP server "srv"?',
  ]);
  expect(asked[0]!.reason).toBe('As on the badge.\nCharacters: at least 2.\nAsked by the MCP server "srv".');
  expect(asked[3]!.reason).toBe(
    'The last answer was not taken.\nA whole number of at least 18 and at most 120.\nAsked by the MCP server "srv".',
  );
  expect(asked[4]!.options).toEqual([
    { id: 'choice-0', name: 'Yes' },
    { id: 'choice-1', name: 'No (usual)' },
    { id: 'skip', name: 'Leave it out' },
    NO,
  ]);
  expect(asked[7]!.reason).toContain('Name at least 2.');
  expect(asked[9]).toEqual({
    title: 'Send these answers to the MCP server "srv"?',
    reason: 'Who comes?\nYour name: Ada\nage: 36\nnews: Yes\nsize: –\ndays: Mon, Wed\nnote: none',
    options: [{ id: 'send', name: 'Send' }, { id: 'again', name: 'Answer again' }, NO],
    takesText: false,
  });
});

test('answers can be given anew before they are sent', async () => {
  const requestedSchema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a', 'b'],
  };
  const { context } = person(said('x'), said('1'), chosen('again'), said('y'), said('2.5'), chosen('send'));

  expect(await elicit(asking(), { message: 'Two things', requestedSchema }, context)).toEqual({
    action: 'accept',
    content: { a: 'y', b: 2.5 },
  });
});

test.each([
  ['the person declines', chosen('decline'), 'decline'],
  ['the person says no', { type: 'declined' } as const, 'decline'],
  ['nobody answers', { type: 'cancelled' } as const, 'cancel'],
])('where %s the server is told %#', async (_who, answer, action) => {
  expect(await elicit(asking(), FORM, person(answer).context)).toEqual({ action });
});

test('an answer that is wrong again and again is cancelled', async () => {
  const requestedSchema = { type: 'object', properties: { at: { type: 'string', format: 'date' } }, required: ['at'] };
  const { asked, context } = person(...Array.from({ length: 9 }, () => said('soon')));

  expect(await elicit(asking(), { message: 'When?', requestedSchema }, context)).toEqual({ action: 'cancel' });
  expect(asked).toHaveLength(5);
});

test('a form without fields is a yes or a no', async () => {
  const form = { message: 'Delete it all?', requestedSchema: { type: 'object', properties: {} } };
  expect(await elicit(asking(), form, person(chosen('yes')).context)).toEqual({ action: 'accept', content: {} });
  expect(await elicit(asking(), form, person(chosen('decline')).context)).toEqual({ action: 'decline' });
});

test('an address is shown with where it leads and opened by nobody; only one of the web is shown at all', async () => {
  const openBrowser = vi.fn<(url: string) => void>();
  const servers = asking({ openBrowser });
  const page = { mode: 'url', message: 'Log in first.', elicitationId: 'e1', url: 'https://bücher.example/login?a=1' };
  const { asked, context } = person(chosen('opened'));

  expect(await elicit(servers, page, context)).toEqual({ action: 'accept' });
  expect(asked).toEqual([
    {
      title: 'Log in first.',
      reason:
        'It wants you to open this page of xn--bcher-kva.example yourself:\nhttps://xn--bcher-kva.example/login?a=1\nAsked by the MCP server "srv".',
      options: [{ id: 'opened', name: 'I have opened it' }, NO],
      takesText: false,
    },
  ]);
  const nobody = person();
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', `https://a.example/${'a'.repeat(5_000)}`])
    expect(await elicit(servers, { ...page, url }, nobody.context)).toEqual({ action: 'decline' });
  expect([nobody.asked, openBrowser.mock.calls]).toEqual([[], []]);
});

test.each([
  [
    'a secret',
    { apiKey: { type: 'string' } },
    ['apiKey'],
    'it asked for a secret ("apiKey"), which is not answered here',
  ],
  [
    'very many fields',
    Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`f${index}`, { type: 'string' }])),
    [],
    'it wants a form of 21 fields, and 20 are taken',
  ],
  [
    'very much to choose from',
    { one: { type: 'string', enum: Array.from({ length: 51 }, (_, index) => `c${index}`) } },
    [],
    'its field "one" has more to choose from than fits a question',
  ],
])('%s is declined, nobody is asked, and it is told', async (_what, properties, required, message) => {
  const servers = asking();
  const { asked, context } = person();
  const form = { message: 'Please', requestedSchema: { type: 'object', properties, required } };

  expect(await elicit(servers, form, context)).toEqual({ action: 'decline' });
  expect([asked, servers.problems]).toEqual([[], [{ server: 'srv', message }]]);
});

test('a secret that may be left out is, and very long texts are cut', async () => {
  const properties = { user: { type: 'string', description: 'd'.repeat(5_000) }, password: { type: 'string' } };
  const { asked, context } = person(said('ada'));
  const form = { message: 'm'.repeat(5_000), requestedSchema: { type: 'object', properties, required: ['user'] } };

  expect(await elicit(asking(), form, context)).toEqual({ action: 'accept', content: { user: 'ada' } });
  expect(asked).toHaveLength(1);
  expect(asked[0]!.title).toBe(`${'m'.repeat(300)}…`);
  expect(asked[0]!.reason).toBe(`${'m'.repeat(4_000)}…\nuser\n${'d'.repeat(1_000)}…\nAsked by the MCP server "srv".`);
});

test('what the call is called off with cancels the question', async () => {
  const servers = asking();
  const stop = new AbortController();
  const begun = Promise.withResolvers<AbortSignal>();
  const context: Partial<Tool.Context> = {
    abort: stop.signal,
    askPerson: (_question, signal) => {
      begun.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('withdrawn'))));
    },
  };
  const call = elicit(servers, FORM, context);
  const signal = await begun.promise;
  stop.abort();

  await expect(call).rejects.toThrow('was cancelled');
  expect(signal.aborted).toBe(true);
});

test('a server that waits no longer withdraws its question', async () => {
  const servers = asking();
  const withdrawn = Promise.withResolvers<void>();
  const askPerson: Tool.Context['askPerson'] = (_question, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        withdrawn.resolve();
        reject(new Error('withdrawn'));
      }),
    );
  await servers.ready(60_000);
  const { output } = await servers.call('srv_ask', { params: FORM, timeout: 50 }, { askPerson });

  expect(JSON.parse(output)).toEqual({ error: expect.stringContaining('timed out') as string });
  await withdrawn.promise;
});

test('whoever is not known to be meant is not asked: of two sessions neither, and nobody where no call is known', async () => {
  const servers = asking();
  await servers.ready(60_000);
  const both = Promise.withResolvers<void>();
  const first: Question[] = [];
  const one = servers.call(
    'srv_ask',
    { params: FORM },
    {
      sessionID: 'ses_1',
      askPerson: async (question) => {
        first.push(question);
        await both.promise;
        return chosen('choice-0');
      },
    },
  );
  await vi.waitFor(() => expect(first).toHaveLength(1), { timeout: 60_000 });
  const { asked, context } = person();

  expect(await elicit(servers, FORM, { sessionID: 'ses_2', ...context })).toEqual({ action: 'cancel' });
  both.resolve();
  expect(JSON.parse((await one).output)).toEqual({ action: 'accept', content: { colour: 'red' } });
  // A call of somebody who cannot be asked is nobody's to answer for.
  expect(await elicit(servers, FORM, {})).toEqual({ action: 'cancel' });
  expect(asked).toEqual([]);
  expect(servers.problems.map(({ message }) => message)).toEqual([
    'it asked something while it worked for several sessions, so it is not known whom to ask',
    'it asked something while it worked on nothing, so it is not known whom to ask',
  ]);
});

test('a server of the newer protocol asks within the call, and is answered', async () => {
  const { asked, context } = person(chosen('choice-0'));

  expect(await elicit(asking({}, 'newer'), FORM, context, 'srv_ask-newer')).toEqual({
    action: 'accept',
    content: { colour: 'red' },
  });
  expect(asked.map(({ title }) => title)).toEqual(['Which colour?']);
});
