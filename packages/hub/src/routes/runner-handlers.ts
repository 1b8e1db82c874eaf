import { DragomanError, type OutboxBatch, OutboxGapError, type RunnerMessage } from '@dragoman/protocol';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { clientSignal, HTTP_STATUS, openEventStream } from '@dragoman/server';
import { askRunner, takeReply } from '../runners/ask-runner.ts';
import { greetRunner } from '../runners/greet-runner.ts';
import { listRunners, removeRunner } from '../runners/list-runners.ts';
import { checkMayUseRunner, checkOwnsRunner, findRunner } from '../runners/runner-access.ts';
import { streamCommands } from '../runners/stream-commands.ts';
import { takeBatch } from '../runners/take-batch.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

type Names =
  | 'listRunners'
  | 'removeRunner'
  | 'listFolder'
  | 'runnerHello'
  | 'runnerEvents'
  | 'runnerCommands'
  | 'runnerReply';

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
      const runner = await findRunner(parts.db, params.runnerId);
      checkMayUseRunner(caller, runner);
      const listing = await askRunner(parts, runner, { method: 'list-folder', ...query }, clientSignal(reply));
      const parsed = HUB_CALLS.listFolder.answer.safeParse(listing);
      if (parsed.success) return parsed.data;
      throw new DragomanError(
        'unavailable',
        `The answer of the machine ${runner.name} cannot be read; update its runner.`,
      );
    },
    async runnerHello(request) {
      const { caller, body } = readCall('runnerHello', request);
      return greetRunner(parts, caller, body);
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
