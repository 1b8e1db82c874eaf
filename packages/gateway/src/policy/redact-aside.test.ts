import type { ModelCall } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { redactBodyAside, redactCallAside } from './redact-aside.ts';
import { redactBody } from './redact-body.ts';
import { redactCall } from './redact-call.ts';

const KEY = `sk-${'a1'.repeat(12)}`;

/** Whether it is long decides who does the work, and nothing else. */
const LENGTHS = { short: 10, long: 600_000 };

for (const [name, length] of Object.entries(LENGTHS)) {
  const call: ModelCall = {
    prompt: [
      { role: 'system', content: `${'Be short. '.repeat(length / 10)}${KEY}` },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 't', toolName: 'f', input: '{"password":"x"}' }],
      },
    ],
    tools: [{ name: 'f', description: KEY, inputSchema: {} }],
    temperature: 0.5,
  };
  const body = { messages: [{ role: 'user', content: `${'x '.repeat(length / 2)}${KEY}` }], tools: [{ name: KEY }] };

  test(`COMPAT-26 secrets are taken out of a ${name} call and a ${name} body, and what has none stays itself`, async () => {
    const redacted = await redactCallAside(call);

    expect(redacted).toEqual(redactCall(call));
    expect(redacted.count).toBe(2);
    expect(redacted.call.tools).toBe(call.tools);
    expect(await redactBodyAside(body, ['messages'])).toEqual(redactBody(body, ['messages']));
    const plain: ModelCall = { prompt: [{ role: 'system', content: 'x'.repeat(length) }], tools: [] };
    expect((await redactCallAside(plain)).call).toBe(plain);
  });
}

test('many long calls at once are all answered', async () => {
  const prompts = Array.from({ length: 8 }, (_, number) => `${number}${'x'.repeat(300_000)} ${KEY}`);

  const answers = await Promise.all(
    prompts.map((content) => redactCallAside({ prompt: [{ role: 'system', content }], tools: [] })),
  );

  expect(answers.map(({ call, count }) => [call.prompt[0]!.content[0], count])).toEqual(
    prompts.map((_, number) => [String(number), 1]),
  );
});
