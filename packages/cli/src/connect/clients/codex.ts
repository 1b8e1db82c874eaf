import { join } from 'node:path';
import type { Client } from '../client.ts';

export const codex: Client = {
  id: 'codex',
  title: 'Codex',
  programs: ['codex'],
  folder: ({ home, env }) => env['CODEX_HOME'] || join(home, '.codex'),
  tokenRole: 'models',
  dialect: 'responses',
  plan: ({ url, token, model }, around) => [
    {
      path: join(codex.folder(around), 'config.toml'),
      edits: [
        { format: 'toml', key: 'model', value: model },
        { format: 'toml', key: 'model_provider', value: 'dragoman' },
        {
          format: 'toml',
          table: 'model_providers.dragoman',
          values: { name: 'Dragoman', base_url: `${url}/v1`, wire_api: 'responses', experimental_bearer_token: token },
        },
      ],
    },
  ],
};
