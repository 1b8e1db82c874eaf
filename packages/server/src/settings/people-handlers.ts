import type { UserInfo } from '@dragoman/protocol/console';
import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import type { AccessTables } from '../access/access-tables.ts';
import { LOGIN_CODE_MS } from '../access/token-store.ts';
import { type User, UserStore } from '../access/user-store.ts';
import { readCall } from '../door/read-call.ts';
import type { SettingsHandlers, SettingsParts } from './settings-plugin.ts';

type PeopleCall = 'listUsers' | 'createUser' | 'updateUser' | 'removeUser' | 'createLoginLink';

/** People, and how they get in for the first time. */
export function peopleHandlers({ store, tokens, publicUrl }: SettingsParts): Pick<SettingsHandlers, PeopleCall> {
  const users = new UserStore(store.tables<AccessTables>(), store.engine);
  return {
    async listUsers() {
      return { users: (await users.list()).map(toUserInfo) };
    },
    async createUser(request) {
      const { caller, body } = readCall(SETTINGS_CALLS, 'createUser', request);
      const user = await users.create(body.name, body.role);
      request.log.info({ user: caller.userName, person: user.name, role: user.role }, 'a person was added');
      return toUserInfo(user);
    },
    async updateUser(request) {
      const { caller, params, body } = readCall(SETTINGS_CALLS, 'updateUser', request);
      const user = await users.update(params.userId, body);
      await request.server.openStreams.look(); // What they may read no more ends now.
      request.log.info({ user: caller.userName, person: user.name, role: user.role }, 'a person was changed');
      return toUserInfo(user);
    },
    async removeUser(request) {
      const { caller, params } = readCall(SETTINGS_CALLS, 'removeUser', request);
      const user = await users.remove(params.userId);
      await request.server.openStreams.look();
      request.log.info({ user: caller.userName, person: user.name }, 'a person was removed');
      return {};
    },
    async createLoginLink(request) {
      const { caller, params } = readCall(SETTINGS_CALLS, 'createLoginLink', request);
      const user = await users.get(params.userId);
      const expiresAt = Date.now() + LOGIN_CODE_MS;
      const maker = await tokens.makerOf(caller);
      const code = await tokens.createLoginCode(user.id, LOGIN_CODE_MS, maker?.id);
      request.log.info({ user: caller.userName, person: user.name }, 'a login link was created');
      return { url: `${publicUrl()}/login#${code}`, expiresAt };
    },
  };
}

function toUserInfo({ lastSeenAt, ...user }: User): UserInfo {
  return { ...user, ...(lastSeenAt !== null && { lastSeenAt }) };
}
