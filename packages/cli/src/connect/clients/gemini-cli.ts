import { join } from 'node:path';
import type { Client } from '../client.ts';

/** It takes the address from a variable alone, and logs in at Google unless its settings choose a key. */
export const geminiCli: Client = {
  id: 'gemini',
  title: 'Gemini CLI',
  programs: ['gemini'],
  folder: ({ home, env }) => join(env['GEMINI_CLI_HOME'] || home, '.gemini'),
  tokenRole: 'models',
  dialect: 'gemini',
  plan: ({ url, token, model }, around) => [
    {
      path: join(geminiCli.folder(around), '.env'),
      edits: [
        { format: 'env', name: 'GOOGLE_GEMINI_BASE_URL', value: url },
        { format: 'env', name: 'GEMINI_API_KEY', value: token },
        { format: 'env', name: 'GEMINI_MODEL', value: JSON.stringify(model) },
      ],
    },
    {
      path: join(geminiCli.folder(around), 'settings.json'),
      edits: [{ format: 'json', path: ['security', 'auth', 'selectedType'], value: 'gemini-api-key' }],
    },
  ],
  note: 'A .env file in a project overrides this one.',
};
