import { join } from 'node:path';
import type { Client } from '../client.ts';

/** Its variables may stand in its settings; they count there as in a shell. */
export const claudeCode: Client = {
  id: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
  folder: ({ home, env }) => env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'),
  tokenRole: 'models',
  dialect: 'anthropic',
  plan({ url, token, model }, around) {
    const variables = {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: token,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model, // What it asks small questions of in the background.
    };
    return [
      {
        path: join(claudeCode.folder(around), 'settings.json'),
        edits: Object.entries(variables).map(([name, value]) => ({ format: 'json', path: ['env', name], value })),
      },
    ];
  },
};
