import { setTimeout as delay } from 'node:timers/promises';
import type { HubLink } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { takeReply } from './ask-runner.ts';
import { greetRunner } from './greet-runner.ts';
import { checkOwnsRunner, findRunner } from './runner-access.ts';
import { streamCommands } from './stream-commands.ts';
import { takeBatch } from './take-batch.ts';

/** Where a batch took longer than that, something else is slow, and nobody gains by waiting. */
const MOST_REST_MS = 16;

/**
 * The way to the hub for a runner inside the same process: the server's own, or that of a terminal, whose home is the server's own
 * on the same machine.
 *
 * A batch is acknowledged after twice the time that it took, so that half of the time is left to runners elsewhere: their
 * requests need several turns of the event loop for what is one call here. Readers have the batch by then; only the next one waits.
 */
export function linkInProcess(parts: HubParts, owner: Caller, homeRunnerId?: string): HubLink {
  const checkOwner = async (runnerId: string) => checkOwnsRunner(owner, await findRunner(parts.db, runnerId));
  return {
    async hello(hello, signal) {
      signal.throwIfAborted();
      const welcome = await greetRunner(parts, owner, hello, { isServer: homeRunnerId === undefined, homeRunnerId });
      parts.presence.localRunnerId = hello.id;
      return welcome;
    },
    async send(runnerId, batch, signal) {
      signal.throwIfAborted();
      await checkOwner(runnerId);
      const startedAt = performance.now();
      const ack = await takeBatch(parts, runnerId, batch);
      await delay(Math.min(MOST_REST_MS, performance.now() - startedAt));
      return ack;
    },
    async listen(runnerId, receive, signal) {
      await checkOwner(runnerId);
      return streamCommands(parts, runnerId, receive, signal);
    },
    reply: (runnerId, askId, answer) => takeReply(parts, owner, { runnerId, askId, reply: answer }),
  };
}
