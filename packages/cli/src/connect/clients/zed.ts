import { join } from 'node:path';
import type { Client } from '../client.ts';

/** Keys are kept in the system's keychain, where no program but Zed puts them; Ollama's provider needs none beside its address. */
export const zed: Client = {
  id: 'zed',
  title: 'Zed',
  programs: ['zed', 'zeditor'],
  folder: ({ home, env, platform }) =>
    platform === 'win32'
      ? join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Zed')
      : join((platform !== 'darwin' && env['XDG_CONFIG_HOME']) || join(home, '.config'), 'zed'),
  tokenRole: 'models',
  dialect: 'ollama',
  plan: ({ url, token, model }, around) => [
    {
      path: join(zed.folder(around), 'settings.json'),
      edits: [
        { format: 'json', path: ['language_models', 'ollama', 'api_url'], value: `${url}/token/${token}` },
        { format: 'json', path: ['agent', 'default_model'], value: { provider: 'ollama', model } },
      ],
    },
  ],
};
