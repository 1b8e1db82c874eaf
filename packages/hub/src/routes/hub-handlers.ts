import { DragomanError } from '@dragoman/protocol';
import { openApiDocument } from '@dragoman/protocol/schemas';
import { callerOf } from '@dragoman/server';
import { approvalHandlers } from './approval-handlers.ts';
import { channelHandlers } from './channel-handlers.ts';
import { fileChangeHandlers } from './file-change-handlers.ts';
import { fileHandlers } from './file-handlers.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { promptHandlers } from './prompt-handlers.ts';
import { pushHandlers } from './push-handlers.ts';
import { runnerHandlers } from './runner-handlers.ts';
import { sessionHandlers } from './session-handlers.ts';
import { streamHandlers } from './stream-handlers.ts';

/** What answers, by the name of the call. A call of the table that nobody answers is a type error here. */
export function hubHandlers(engine: HubEngine): HubHandlers {
  let document: unknown;
  return {
    async me(request) {
      const { userId, userName, role } = callerOf(request);
      return { userId, name: userName, role };
    },
    async openApi() {
      document ??= openApiDocument(engine.version);
      return document;
    },
    async webhook(request, reply) {
      const { channel } = request.params as { channel: string };
      const { channels } = engine.parts;
      if (channels === undefined) throw new DragomanError('not-found', 'There are no channels here.');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const answer = await channels.receive(channel, { headers: request.headers, body });
      return reply.code(answer.status).send(answer.body);
    },
    ...sessionHandlers(engine),
    ...promptHandlers(engine),
    ...approvalHandlers(engine),
    ...runnerHandlers(engine),
    ...streamHandlers(engine),
    ...fileHandlers(engine),
    ...pushHandlers(engine),
    ...channelHandlers(engine),
    ...fileChangeHandlers(engine),
  };
}
