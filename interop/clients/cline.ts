import { join } from 'node:path';
import type { Client } from './run-client.ts';

/** Cline's command. */
export const cline: Client = {
  packages: { cline: '3.0.65' },
  command: ({ url, token, home, prompt }) => ({
    program: 'cline',
    args: [
      '--config',
      join(home, '.cline'),
      '--data-dir',
      join(home, '.cline/data'),
      '-P',
      'openai-compatible',
      '-k',
      token,
      '-m',
      'default',
      prompt,
    ],
    files: {
      '.cline/data/settings/providers.json': JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: {
          'openai-compatible': {
            settings: { provider: 'openai-compatible', apiKey: token, model: 'default', baseUrl: `${url}/v1` },
            updatedAt: '2026-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      }),
    },
  }),
};
