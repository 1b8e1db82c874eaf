import { DragomanError } from '@dragoman/protocol';
import { clientSignal } from '@dragoman/server';
import { eventsToJson } from '../log/read-events.ts';
import { closeSession, removeSession } from '../sessions/close-session.ts';
import { createSession } from '../sessions/create-session.ts';
import { findSession, getSession } from '../sessions/find-session.ts';
import { forkSession } from '../sessions/fork-session.ts';
import { listSessions } from '../sessions/list-sessions.ts';
import { markRead } from '../sessions/mark-read.ts';
import { moveSession } from '../sessions/move-session.ts';
import { revertSession } from '../sessions/revert-session.ts';
import { updateSession } from '../sessions/update-session.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

const LOG_PAGE = 1_000;

type Names =
  | 'createSession'
  | 'listSessions'
  | 'getSession'
  | 'updateSession'
  | 'removeSession'
  | 'forkSession'
  | 'revertSession'
  | 'closeSession'
  | 'moveSession'
  | 'markRead'
  | 'readLog'
  | 'search';

/** Sessions: to start, find, change and end them. */
export function sessionHandlers({ parts, search }: HubEngine): Pick<HubHandlers, Names> {
  return {
    async createSession(request, reply) {
      const { caller, body } = readCall('createSession', request);
      return createSession(parts, caller, body, clientSignal(reply));
    },
    async listSessions(request) {
      const { caller, query } = readCall('listSessions', request);
      return listSessions(parts, caller, query);
    },
    async getSession(request) {
      const { caller, params } = readCall('getSession', request);
      return getSession(parts, caller, params.sessionId);
    },
    async updateSession(request) {
      const { caller, params, body } = readCall('updateSession', request);
      return updateSession(parts, caller, params.sessionId, body);
    },
    async removeSession(request) {
      const { caller, params } = readCall('removeSession', request);
      await removeSession(parts, caller, params.sessionId);
      return {};
    },
    async forkSession(request) {
      const { caller, params, body } = readCall('forkSession', request);
      return forkSession(parts, caller, params.sessionId, body);
    },
    async revertSession(request, reply) {
      const { caller, params, body } = readCall('revertSession', request);
      return revertSession(parts, caller, { ...params, ...body, signal: clientSignal(reply) });
    },
    async closeSession(request) {
      const { caller, params } = readCall('closeSession', request);
      return closeSession(parts, caller, params.sessionId);
    },
    async moveSession(request, reply) {
      const { caller, params, body } = readCall('moveSession', request);
      return moveSession(parts, caller, { ...params, ...body, signal: clientSignal(reply) });
    },
    async markRead(request) {
      const { caller, params, body } = readCall('markRead', request);
      await markRead(parts, caller, params.sessionId, body.seq);
      return {};
    },
    async readLog(request, reply) {
      const { params, query } = readCall('readLog', request);
      const { seq } = await findSession(parts, params.sessionId);
      const { after, limit, last } = query;
      if (last !== undefined && (after !== undefined || limit !== undefined))
        throw new DragomanError('bad-request', 'last: it stands alone; leave "after" and "limit" out.');
      const events =
        last === undefined
          ? (await parts.log.readPage(params.sessionId, after ?? 0, limit ?? LOG_PAGE)).events
          : await parts.log.readLast(params.sessionId, last);
      return reply.type('application/json; charset=utf-8').send(`{"events":${eventsToJson(events)},"seq":${seq}}`);
    },
    async search(request) {
      const { query } = readCall('search', request);
      return { hits: await search.find(query) };
    },
  };
}
