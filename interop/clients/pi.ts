import type { Client } from './run-client.ts';

/** Pi, in one of the protocols that it speaks. */
export function pi(api: 'openai-completions' | 'openai-responses' | 'anthropic-messages'): Client {
  return {
    packages: { '@mariozechner/pi-coding-agent': '0.73.1' },
    command: ({ url, token, prompt }) => ({
      program: 'pi',
      args: ['--provider', 'dragoman', '--model', 'default', '-p', prompt],
      env: { PI_OFFLINE: '1' },
      files: {
        '.pi/agent/models.json': JSON.stringify({
          providers: {
            dragoman: {
              baseUrl: api === 'anthropic-messages' ? url : `${url}/v1`,
              apiKey: token,
              api,
              models: [
                {
                  id: 'default',
                  name: 'default',
                  input: ['text'],
                  contextWindow: 200_000,
                  maxTokens: 8000,
                  reasoning: false,
                  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                },
              ],
            },
          },
        }),
      },
    }),
  };
}
