import { DragomanError, isRoleAtLeast } from '@dragoman/protocol';
import type { TokenSummary } from '@dragoman/protocol/console';
import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import type { Caller } from '../access/caller.ts';
import type { TokenInfo } from '../access/list-tokens.ts';
import { readCall } from '../door/read-call.ts';
import type { SettingsHandlers, SettingsParts } from './settings-plugin.ts';

/** More than a person has machines; a program that makes one for each run is told. */
const MAX_TOKENS = 200;
/** The last moment that has a date. */
const LAST_MOMENT = 8.64e15;

/** Tokens and browsers: everybody's own, and for admins all of them. */
export function tokenHandlers({
  tokens,
}: SettingsParts): Pick<SettingsHandlers, 'listTokens' | 'createToken' | 'revokeToken'> {
  const reachable = (caller: Caller) => tokens.listLive(caller.role === 'admin' ? undefined : caller.userId);
  return {
    async listTokens(request) {
      const { caller } = readCall(SETTINGS_CALLS, 'listTokens', request);
      return { tokens: (await reachable(caller)).map((token) => toSummary(token, caller)) };
    },
    async createToken(request) {
      const { caller, body } = readCall(SETTINGS_CALLS, 'createToken', request);
      const { name, role = caller.role, expiresAt, models } = body;
      if (!isRoleAtLeast(caller.role, role))
        throw new DragomanError(
          'forbidden',
          `Your role is ${caller.role}, so your tokens cannot have the role ${role}.`,
        );
      if (expiresAt !== undefined && !(expiresAt > Date.now() && expiresAt <= LAST_MOMENT))
        throw new DragomanError('bad-request', 'expiresAt: expected a time in the future, in milliseconds since 1970.');
      const own = await tokens.listLive(caller.userId);
      const maker = await tokens.makerOf(caller);
      const lastsUntil = maker?.expiresAt ?? Infinity;
      if (expiresAt !== undefined && expiresAt > lastsUntil)
        throw new DragomanError(
          'forbidden',
          `The token "${caller.tokenName}" expires on ${new Date(lastsUntil).toISOString()}; a token created with it cannot last longer.`,
        );
      if (own.length >= MAX_TOKENS)
        throw new DragomanError('conflict', `You have ${own.length} tokens, which is the limit. Revoke some first.`);
      const user = { id: caller.userId, name: caller.userName, role: caller.role };
      const until = expiresAt === undefined ? (maker?.expiresAt ?? null) : Math.floor(expiresAt);
      const { id, text } = await tokens.createToken({ user, name, role, expiresAt: until, madeBy: maker?.id, models });
      const made = (await tokens.listLive(caller.userId)).find((token) => token.id === id);
      if (made === undefined)
        throw new DragomanError('conflict', `The token "${name}" was revoked while it was being created.`);
      request.log.info({ user: caller.userName, token: name, role }, 'a token was created');
      return { token: toSummary(made, caller), text };
    },
    async revokeToken(request) {
      const { caller, params } = readCall(SETTINGS_CALLS, 'revokeToken', request);
      const token = (await reachable(caller)).find(({ id }) => id === params.tokenId);
      if (token === undefined)
        throw new DragomanError('not-found', `There is no active token with the ID ${JSON.stringify(params.tokenId)}.`);
      // A token that got into wrong hands must not lock its owner out.
      if (!isRoleAtLeast(caller.role, token.role))
        throw new DragomanError(
          'forbidden',
          `"${token.name}" has the role ${token.role}; a token with the role ${caller.role} cannot revoke it.`,
        );
      await tokens.revokeById(token.id);
      await request.server.openStreams.look();
      request.log.info({ user: caller.userName, token: token.name, of: token.user }, 'a token was revoked');
      return {};
    },
  };
}

function toSummary(token: TokenInfo, caller: Caller): TokenSummary {
  const { id, name, userId, user, role, createdAt, expiresAt, lastUsedAt, models } = token;
  return {
    id,
    name,
    kind: token.kind === 'client' ? 'token' : 'browser',
    userId,
    userName: user,
    role,
    createdAt,
    ...(expiresAt !== null && { expiresAt }),
    ...(lastUsedAt !== null && { lastUsedAt }),
    ...(models !== null && { models: [...models] }),
    isThis: id === caller.tokenId,
  };
}
