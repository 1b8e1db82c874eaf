import { join } from 'node:path';
import type { Client } from '../client.ts';

export const aider: Client = {
  id: 'aider',
  title: 'Aider',
  programs: ['aider'],
  folder: ({ home }) => join(home, '.aider'),
  tokenRole: 'models',
  dialect: 'chat',
  plan: ({ url, token, model }, { home }) => [
    {
      path: join(home, '.aider.conf.yml'),
      edits: [
        { format: 'yaml', key: 'openai-api-base', value: `${url}/v1` },
        { format: 'yaml', key: 'openai-api-key', value: token },
        { format: 'yaml', key: 'model', value: `openai/${model}` },
      ],
    },
  ],
};
