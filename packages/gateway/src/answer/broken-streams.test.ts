import Anthropic from '@anthropic-ai/sdk';
import { type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { openTestGateway, provider, recordedAnswer, type TestGateway } from '../gateway.fixture.ts';

const QUESTION = [{ role: 'user' as const, content: 'Hi' }];
const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
type OwnDialect = (typeof DIALECTS)[number];
const UPSTREAMS = [...DIALECTS, 'gemini', 'ollama'] as const;
type Upstream = (typeof UPSTREAMS)[number];

/** Words by which agents that see no status decide to ask again; each has a list of its own. */
const RETRIED: Record<string, RegExp> = {
  pi: /overloaded|rate.?limit|service.?unavailable|server.?error|internal.?error|network.?error|connection.?error|connection.?refused|connection.?lost|other side closed|fetch failed|socket hang up|timed? out|timeout|terminated/i,
  continue: /premature close|premature end|connection reset|socket hang up|aborted|overloaded/i,
};

/** What real clients throw when they read a stream to its end. */
const CLIENTS: Record<OwnDialect, (gateway: TestGateway) => Promise<unknown>> = {
  'openai-chat': async ({ url, tokenOf }) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });
    await drain(await client.chat.completions.create({ model: 'default', messages: QUESTION, stream: true }));
  },
  'openai-responses': async ({ url, tokenOf }) => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: tokenOf.member, maxRetries: 0 });
    await drain(await client.responses.create({ model: 'default', input: 'Hi', stream: true }));
  },
  'anthropic-messages': async ({ url, tokenOf }) => {
    const client = new Anthropic({ baseURL: url, apiKey: tokenOf.member, maxRetries: 0 });
    await client.messages.stream({ model: 'default', max_tokens: 9, messages: QUESTION }).finalMessage();
  },
};
const PATHS: Record<OwnDialect, [string, object]> = {
  'openai-chat': ['/v1/chat/completions', { messages: QUESTION }],
  'openai-responses': ['/v1/responses', { input: 'Hi' }],
  'anthropic-messages': ['/v1/messages', { max_tokens: 10, messages: QUESTION }],
};

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

async function open(upstream: Upstream, answer: ScriptedAnswer): Promise<TestGateway> {
  const fake = await startFakeProvider();
  fake.answer(answer);
  return openTestGateway({ providers: { fake: provider(upstream, fake.url) }, routes: { default: ['fake/m'] } });
}

/** The beginning of an answer, whole events and a bit of the next one, and then nothing more. */
function cut(upstream: Upstream): ScriptedAnswer {
  const whole = recordedAnswer(upstream, 'text').join('');
  const middle = whole.lastIndexOf('\n', whole.length * 0.6) + 12;
  return { body: [whole.slice(0, middle)], isCut: true };
}

const thrown = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as Error & Record<string, unknown>,
  );

async function lastEvents(gateway: TestGateway, dialect: OwnDialect): Promise<Record<string, unknown>[]> {
  const [path, body] = PATHS[dialect];
  const { text } = await gateway.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', stream: true, ...body }),
  });
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!) as Record<string, unknown>);
  return events.slice(dialect === 'openai-responses' ? -2 : -1);
}

const CUT_MESSAGE = expect.stringMatching(/^Connection error: the .*provider/);
/** What comes last where an answer was cut: in the Responses protocol two events. */
const CUT: Record<OwnDialect, object[]> = {
  'openai-chat': [{ error: { message: CUT_MESSAGE, type: 'server_error', param: null, code: 'unavailable' } }],
  'openai-responses': [
    {
      type: 'error',
      code: 'server_error',
      message: CUT_MESSAGE,
      error: { type: 'server_error', code: 'server_error' },
    },
    {
      type: 'response.failed',
      response: {
        id: expect.stringMatching(/^resp_/),
        status: 'failed',
        error: { code: 'server_error', message: CUT_MESSAGE },
      },
    },
  ],
  'anthropic-messages': [{ type: 'error', error: { type: 'overloaded_error', message: CUT_MESSAGE } }],
};
/** The same where the conversation was too long. */
const OVERFLOW: Record<OwnDialect, object[]> = {
  'openai-chat': [{ error: { type: 'invalid_request_error', code: 'context_length_exceeded' } }],
  'openai-responses': [{ type: 'error' }, { response: { error: { code: 'context_length_exceeded' } } }],
  'anthropic-messages': [
    { error: { type: 'invalid_request_error', message: expect.stringContaining('prompt is too long') } },
  ],
};

describe.each(DIALECTS.flatMap((dialect) => UPSTREAMS.map((upstream) => [dialect, upstream] as const)))(
  'the answer to a client of %s by a provider of %s that is cut in the middle',
  (dialect, upstream) => {
    test('is an error of the SDK, in words after which agents ask again', async () => {
      const error = await thrown(CLIENTS[dialect](await open(upstream, cut(upstream))));

      expect(error).toBeInstanceOf(dialect === 'anthropic-messages' ? Anthropic.APIError : OpenAI.APIError);
      for (const words of Object.values(RETRIED)) expect(error!.message).toMatch(words);
      expect(error!['type']).toBe(dialect === 'anthropic-messages' ? 'overloaded_error' : 'server_error');
    });

    test('ends in the form of the protocol', async () => {
      expect(await lastEvents(await open(upstream, cut(upstream)), dialect)).toMatchObject(CUT[dialect]);
    });

    test('is told as cut also where the connection was closed in good order', async () => {
      const gateway = await open(upstream, { ...cut(upstream), isCut: false });
      expect(await lastEvents(gateway, dialect)).toMatchObject(CUT[dialect]);
    });
  },
);

describe.each(DIALECTS)('an error inside of a stream to a client of %s', (dialect) => {
  const start = recordedAnswer('anthropic-messages', 'text').slice(0, 3);
  const ending = (error: object): ScriptedAnswer => ({
    body: [...start, `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`],
  });
  /** An upstream that speaks another protocol, so that the error is told anew. */
  const openOther = (error: object) =>
    dialect === 'anthropic-messages'
      ? open('openai-chat', {
          body: [
            'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n',
            `data: ${JSON.stringify({ error })}\n\n`,
          ],
        })
      : open('anthropic-messages', ending(error));

  test.each([
    [{ type: 'overloaded_error', message: 'Wait a bit.' }],
    [{ type: 'api_error', message: 'Boom.' }],
    [{ type: 'rate_limit_error', message: 'Slowly.' }],
  ])('that may pass has words after which agents ask again: %j', async (said) => {
    const error = await thrown(CLIENTS[dialect](await openOther(said)));
    expect(error!.message).toMatch(RETRIED['pi']!);
    expect(error!.message).toContain(said.message);
  });

  test('that will not pass has none', async () => {
    const said = { type: 'invalid_request_error', message: 'No such tool.' };
    const error = await thrown(CLIENTS[dialect](await openOther(said)));
    expect(error!.message).not.toMatch(RETRIED['pi']!);
  });

  test('that the conversation is too long is told by its own code', async () => {
    const said = { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' };
    expect(await lastEvents(await openOther(said), dialect)).toMatchObject(OVERFLOW[dialect]);
  });
});
