import type { Role } from '@dragoman/protocol';
import { SETTINGS_ROUTES } from '@dragoman/protocol/routes';
import { expect, test } from 'vitest';
import { openSettingsDoor } from './settings-door.fixture.ts';
import type { SettingsCallName } from './settings-plugin.ts';

const WHO = ['nobody', 'viewer', 'member', 'admin'] as const;

/** What each call answers to each of them, each to a person and a token of its own. */
const TABLE: Record<SettingsCallName, Record<(typeof WHO)[number], number>> = {
  readSettings: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  changeSettings: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  listSecrets: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  removeSecret: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  listUsers: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  createUser: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  updateUser: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  removeUser: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  createLoginLink: { nobody: 401, viewer: 403, member: 403, admin: 200 },
  listTokens: { nobody: 401, viewer: 200, member: 200, admin: 200 },
  createToken: { nobody: 401, viewer: 200, member: 200, admin: 200 },
  // The token is somebody else's.
  revokeToken: { nobody: 401, viewer: 404, member: 404, admin: 200 },
  about: { nobody: 401, viewer: 200, member: 200, admin: 200 },
  diagnose: { nobody: 401, viewer: 403, member: 403, admin: 200 },
};

const BODIES: Partial<Record<SettingsCallName, object>> = {
  changeSettings: { changes: [{ path: ['log', 'level'], value: 'warn' }], secrets: { spare: 'sk-1' } },
  createUser: { name: 'new', role: 'viewer' },
  updateUser: { role: 'viewer' },
  createToken: { name: 'own' },
};

test('every call answers each role as the table says', async () => {
  const door = await openSettingsDoor({ text: '{}' });
  await door.admin.changeSettings({ changes: [], secrets: { spare: 'sk-0' } });
  const people: Partial<Record<Role, string>> = {};
  for (const role of ['viewer', 'member', 'admin'] as const) people[role] = (await door.person(role, role)).token;

  const answers: [string, Record<string, number>][] = [];
  for (const name of Object.keys(TABLE) as SettingsCallName[]) {
    const { method, path } = SETTINGS_ROUTES[name];
    const statuses: Record<string, number> = {};
    for (const who of WHO) {
      const target = await door.person(`${name} ${who}`, 'member');
      const token = (await door.tokens.listLive(target.id as never))[0]!.id;
      const body = method === 'POST' || method === 'PATCH' ? JSON.stringify(BODIES[name] ?? {}) : undefined;
      const url = path.replace(':userId', target.id).replace(':tokenId', token).replace(':name', 'spare');
      const { status } = await door.call(url, {
        method,
        headers: {
          authorization: who === 'nobody' ? 'none' : `Bearer ${people[who]!}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
      });
      statuses[who] = status;
    }
    answers.push([name, statuses]);
  }

  expect(Object.fromEntries(answers)).toEqual(TABLE);
});
