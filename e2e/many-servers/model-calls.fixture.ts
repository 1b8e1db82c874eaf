import { type ProviderRequest, type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import type { ManyServers } from './many-servers.fixture.ts';
import { post, untilAcknowledged } from './until-acknowledged.fixture.ts';

const OUTPUT_TOKENS = 3;

/** A provider whose usage names the call: its input tokens are the number that the call was made with. */
export async function startNumberedProvider(): Promise<object> {
  const fake = await startFakeProvider();
  fake.answer(answerByNumber);
  return {
    providers: {
      fake: {
        type: 'openai-chat',
        baseUrl: `${fake.url}/v1`,
        apiKey: 'sk-fake',
        models: ['m'],
        prices: { m: { input: 1, output: 1 } },
      },
    },
    // More than is ever spent: what counts is that it is counted.
    budgets: [{ per: 'month', tokens: 1_000_000_000_000 }],
  };
}

function answerByNumber({ body }: ProviderRequest): ScriptedAnswer {
  const [{ content }] = body['messages'] as [{ content: string }];
  const number = Number(content);
  return {
    body: JSON.stringify({
      id: `chat-${number}`,
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: number, completion_tokens: OUTPUT_TOKENS, total_tokens: number + OUTPUT_TOKENS },
    }),
  };
}

/** Model calls through the gateway, each with a number of its own, also where one is made again. */
export class ModelCalls {
  /** Those whose answer came back whole. */
  readonly answered: number[] = [];
  /** The last number that was used: so many calls were made at most. */
  made = 0;
  readonly #servers: ManyServers;

  constructor(servers: ManyServers) {
    this.#servers = servers;
  }

  /** One call, made again until it is answered. */
  async call(): Promise<void> {
    const number = await untilAcknowledged(async () => {
      const content = String(++this.made);
      await post(this.#servers, '/v1/chat/completions', { model: 'fake/m', messages: [{ role: 'user', content }] });
      return Number(content);
    });
    this.answered.push(number);
  }
}
