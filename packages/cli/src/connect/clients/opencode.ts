import { join } from 'node:path';
import type { Client, Surroundings } from '../client.ts';

export const opencode: Client = {
  id: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folder: ({ home, env }) => join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode'),
  tokenRole: 'models',
  dialect: 'chat',
  plan: ({ url, token, model }, around) => [
    {
      path: settingsOf(around),
      edits: [
        {
          format: 'json',
          path: ['provider', 'dragoman'],
          value: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Dragoman',
            options: { baseURL: `${url}/v1`, apiKey: token },
            models: { [model]: { name: model } },
          },
        },
        { format: 'json', path: ['model'], value: `dragoman/${model}` },
      ],
    },
  ],
};

/** It reads either of the two; the one that is there is changed. */
function settingsOf(around: Surroundings): string {
  const folder = opencode.folder(around);
  const withComments = join(folder, 'opencode.jsonc');
  return around.exists(withComments) ? withComments : join(folder, 'opencode.json');
}
