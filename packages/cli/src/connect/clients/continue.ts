import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import type { Client } from '../client.ts';

/** Not `continue`, which is a word of the language. */
export const continueDev: Client = {
  id: 'continue',
  title: 'Continue',
  programs: ['cn'],
  folder: ({ home, env }) => env['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'),
  tokenRole: 'models',
  dialect: 'chat',
  plan({ url, token, model }, around) {
    const folder = continueDev.folder(around);
    const path = join(folder, 'config.yaml');
    // A new config.yaml would take the place of it.
    if (!around.exists(path) && around.exists(join(folder, 'config.json')))
      throw new DragomanError(
        'conflict',
        `Continue is set up here in its old file ${join(folder, 'config.json')}, which is ignored once there is a config.yaml. Let Continue convert it first.`,
      );
    return [
      {
        path,
        edits: [
          {
            format: 'yaml',
            list: 'models',
            head: { name: 'Local', version: '0.0.1', schema: 'v1' },
            item: {
              name: 'Dragoman',
              provider: 'openai',
              model,
              apiBase: `${url}/v1`,
              apiKey: token,
              roles: ['chat', 'edit', 'apply'],
            },
          },
        ],
      },
    ];
  },
  note: 'Choose the model "Dragoman" in Continue.',
};
