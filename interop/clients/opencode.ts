import { openCodeEnv } from '@dragoman/testkit';
import type { Client } from './run-client.ts';

const PACKAGES = {
  chat: '@ai-sdk/openai-compatible',
  messages: '@ai-sdk/anthropic',
  responses: '@ai-sdk/openai',
} as const;

/** OpenCode, with the package of the AI SDK for a dialect. It is one of our own development dependencies. */
export function opencode(dialect: keyof typeof PACKAGES): Client {
  return {
    packages: {},
    command: ({ url, token, home, prompt }) => ({
      program: 'opencode',
      args: ['run', '-m', 'dragoman/default', prompt],
      env: openCodeEnv(home),
      files: {
        'opencode.json': JSON.stringify({
          autoupdate: false,
          provider: {
            dragoman: {
              npm: PACKAGES[dialect],
              options: { baseURL: `${url}/v1`, apiKey: token },
              models: { default: { name: 'default', tool_call: true, limit: { context: 200_000, output: 8000 } } },
            },
          },
        }),
      },
    }),
  };
}
