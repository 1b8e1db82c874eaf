import {
  DragomanError,
  isTerminalRunner,
  type OutboxBatch,
  OutboxGapError,
  type RunnerMessage,
} from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { clientSignal, HTTP_STATUS, openEventStream } from '@dragoman/server';
import { askMachine } from '../runners/ask-machine.ts';
import { takeReply } from '../runners/ask-runner.ts';
import { greetRunner } from '../runners/greet-runner.ts';
import { listRunners, removeRunner } from '../runners/list-runners.ts';
import { checkOwnsRunner, findRunner } from '../runners/runner-access.ts';
import { streamCommands } from '../runners/stream-commands.ts';
import { takeBatch } from '../runners/take-batch.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

type Names =
  | 'listRunners'
  | 'removeRunner'
  | 'listFolder'
  | 'findFolderFiles'
  | 'runnerHello'
  | 'runnerEvents'
  | 'runnerCommands'
  | 'runnerReply';

/** So many files are found where nothing else is said. */
const FOUND_FILES = 20;

/** Machines, and what their runners say and hear. */
export function runnerHandlers({ parts }: HubEngine): Pick<HubHandlers, Names> {
  return {
    async listRunners() {
      return { runners: await listRunners(parts) };
    },
    async removeRunner(request) {
      const { caller, params } = readCall('removeRunner', request);
      await removeRunner(parts, caller, params.runnerId);
      return {};
    },
    async listFolder(request, reply) {
      const { caller, params, query } = readCall('listFolder', request);
      const ask = { method: 'list-folder', ...query } as const;
      return askMachine(parts, {
        caller,
        ...params,
        ask,
        answer: HUB_CALLS.listFolder.answer,
        signal: clientSignal(reply),
      });
    },
    async findFolderFiles(request, reply) {
      const { caller, params, query } = readCall('findFolderFiles', request);
      const { folder, q, limit = FOUND_FILES } = query;
      // As for a session that works there, which is what somebody is about to start.
      const ask = { method: 'find-files', session: { sessionId: '', agent: '', folder }, q, limit } as const;
      return askMachine(parts, {
        caller,
        ...params,
        ask,
        answer: HUB_CALLS.findFolderFiles.answer,
        signal: clientSignal(reply),
      });
    },
    async runnerHello(request) {
      const { caller, body } = readCall('runnerHello', request);
      if (isTerminalRunner(body.id))
        throw new DragomanError('forbidden', 'id: terminals work on the machine of the server; choose another id.');
      return greetRunner(parts, caller, body, { isServer: body.id === parts.presence.localRunnerId });
    },
    async runnerEvents(request, reply) {
      const { caller, params, body } = readCall('runnerEvents', request);
      checkOwnsRunner(caller, await findRunner(parts.db, params.runnerId));
      try {
        return await takeBatch(parts, params.runnerId, body as OutboxBatch);
      } catch (error) {
        if (!(error instanceof OutboxGapError)) throw error;
        request.errorCode = error.code;
        const { code, message, acked } = error;
        return reply.code(HTTP_STATUS[code]).send({ error: { code, message, requestId: request.id }, acked });
      }
    },
    async runnerCommands(request, reply) {
      const { caller, params } = readCall('runnerCommands', request);
      checkOwnsRunner(caller, await findRunner(parts.db, params.runnerId));
      const stream = openEventStream(request, reply, { isEndless: true });
      const receive = async (message: RunnerMessage) => {
        // A machine whose token was taken back does nothing more, not even what waited for it.
        if (!(await request.server.openStreams.isGood(caller)))
          throw new DragomanError('unauthenticated', `The token "${caller.tokenName}" is good no more.`);
        await stream.send(JSON.stringify(message));
      };
      streamCommands(parts, params.runnerId, receive, stream.signal)
        .catch((err: unknown) => request.log.debug({ err }, 'a stream of commands ended'))
        .finally(() => stream.end());
      return reply;
    },
    async runnerReply(request) {
      const { caller, params, body } = readCall('runnerReply', request);
      await takeReply(parts, caller, { ...params, reply: body });
      return {};
    },
  };
}
