import { join } from 'node:path';
import type { Client } from '../client.ts';

export const qwenCode: Client = {
  id: 'qwen',
  title: 'Qwen Code',
  programs: ['qwen'],
  folder: ({ home }) => join(home, '.qwen'),
  tokenRole: 'models',
  dialect: 'chat',
  plan: ({ url, token, model }, around) => [
    {
      path: join(qwenCode.folder(around), 'settings.json'),
      edits: [
        { format: 'json', path: ['env', 'OPENAI_BASE_URL'], value: `${url}/v1` },
        { format: 'json', path: ['env', 'OPENAI_API_KEY'], value: token },
        { format: 'json', path: ['env', 'OPENAI_MODEL'], value: model },
        { format: 'json', path: ['security', 'auth', 'selectedType'], value: 'openai' },
        { format: 'json', path: ['model', 'name'], value: model },
      ],
    },
  ],
  note: 'OPENAI_… variables in your shell override these.',
};
