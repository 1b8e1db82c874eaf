import type { HubLink } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { takeReply } from './ask-runner.ts';
import { greetRunner } from './greet-runner.ts';
import { checkOwnsRunner, findRunner } from './runner-access.ts';
import { streamCommands } from './stream-commands.ts';
import { takeBatch } from './take-batch.ts';

/**
 * The way to the hub for a runner inside the same process. The first one that introduces itself here is the machine
 * that sessions start on where nobody names another.
 */
export function linkInProcess(parts: HubParts, owner: Caller): HubLink {
  const checkOwner = async (runnerId: string) => checkOwnsRunner(owner, await findRunner(parts.db, runnerId));
  return {
    async hello(hello, signal) {
      signal.throwIfAborted();
      const welcome = await greetRunner(parts, owner, hello);
      parts.presence.localRunnerId = hello.id;
      return welcome;
    },
    async send(runnerId, batch, signal) {
      signal.throwIfAborted();
      await checkOwner(runnerId);
      return takeBatch(parts, runnerId, batch);
    },
    async listen(runnerId, receive, signal) {
      await checkOwner(runnerId);
      return streamCommands(parts, runnerId, receive, signal);
    },
    reply: (runnerId, askId, answer) => takeReply(parts, owner, { runnerId, askId, reply: answer }),
  };
}
