import { join } from 'node:path';
import type { Client } from '../client.ts';

/** It uploads code and asks the index, so that its token is a member's. */
export const augment: Client = {
  id: 'augment',
  title: 'Augment',
  programs: ['auggie'],
  folder: ({ home }) => join(home, '.augment'),
  tokenRole: 'member',
  dialect: 'augment',
  plan: ({ url, token }, around) => [
    {
      path: join(augment.folder(around), 'session.json'),
      edits: [
        { format: 'json', path: ['accessToken'], value: token },
        { format: 'json', path: ['tenantURL'], value: `${url}/` },
        { format: 'json', path: ['scopes'], value: [] },
      ],
    },
  ],
  note: 'The VS Code extension is connected through the Dragoman extension.',
};
