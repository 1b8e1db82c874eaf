import { join } from 'node:path';
import type { Client } from './run-client.ts';

/** Continue's command, in one of the protocols that it speaks. */
export function continueCli(provider: 'openai' | 'anthropic'): Client {
  return {
    packages: { '@continuedev/cli': '1.5.47' },
    command: ({ url, token, home, prompt }) => ({
      program: 'cn',
      args: ['--config', join(home, 'config.yaml'), '--auto', '-p', prompt],
      env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_GLOBAL_DIR: join(home, '.continue') },
      files: {
        'config.yaml': [
          'name: Dragoman',
          'version: 1.0.0',
          'schema: v1',
          'models:',
          '  - name: default',
          `    provider: ${provider}`,
          '    model: default',
          `    apiBase: ${url}/v1`,
          `    apiKey: ${token}`,
          '    roles: [chat]',
          '    capabilities: [tool_use]',
          '',
        ].join('\n'),
      },
    }),
  };
}
