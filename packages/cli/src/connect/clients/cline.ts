import { join } from 'node:path';
import type { Client } from '../client.ts';

/** Its command line keeps providers in a file; the extension keeps them in the editor. Ollama's provider needs no key beside the address. */
export const cline: Client = {
  id: 'cline',
  title: 'Cline',
  programs: ['cline'],
  folder: ({ home, env }) => env['CLINE_DIR'] || join(home, '.cline'),
  tokenRole: 'models',
  dialect: 'ollama',
  plan: ({ url, token, model }, around) => [
    {
      path: join(cline.folder(around), 'data', 'settings', 'providers.json'),
      edits: [
        { format: 'json', path: ['version'], value: 1 },
        { format: 'json', path: ['lastUsedProvider'], value: 'ollama' },
        {
          format: 'json',
          path: ['providers', 'ollama'],
          value: {
            settings: { provider: 'ollama', baseUrl: `${url}/token/${token}`, model },
            updatedAt: '1970-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      ],
    },
  ],
  note: 'In an editor, choose "Ollama" in its settings and enter the same address.',
};
