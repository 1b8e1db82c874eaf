import { join } from 'node:path';
import type { Client } from '../client.ts';

export const pi: Client = {
  id: 'pi',
  title: 'pi',
  programs: ['pi'],
  folder: ({ home, env }) => env['PI_CODING_AGENT_DIR'] || join(home, '.pi', 'agent'),
  tokenRole: 'models',
  dialect: 'chat',
  plan: ({ url, token, model }, around) => [
    {
      path: join(pi.folder(around), 'models.json'),
      edits: [
        {
          format: 'json',
          path: ['providers', 'dragoman'],
          value: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: token, models: [{ id: model }] },
        },
      ],
    },
    {
      path: join(pi.folder(around), 'settings.json'),
      edits: [
        { format: 'json', path: ['defaultProvider'], value: 'dragoman' },
        { format: 'json', path: ['defaultModel'], value: model },
      ],
    },
  ],
};
