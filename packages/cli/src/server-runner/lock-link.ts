import { DragomanError, type HubLink } from '@dragoman/protocol';
import { type HttpLink, httpLink } from '@dragoman/runner';
import { type DataFolder, findProven } from '@dragoman/server/base';

/**
 * The way to whichever server has the data folder. Each introduction looks anew, so that the next server is found as soon as
 * it listens; a token of its lock counts there and nowhere else.
 */
export function lockLink(folder: Pick<DataFolder, 'lockFile'>): HttpLink {
  let found: { url: string; token: string; link: HttpLink } | undefined;
  const current = (): HubLink => {
    if (found === undefined) throw noServer();
    return found.link;
  };
  return {
    async hello(hello, signal) {
      const server = await findProven(folder);
      if (server === undefined) throw noServer();
      const { url, runnerToken: token } = server;
      if (found?.url !== url || found.token !== token) {
        await found?.link.close();
        found = { url, token, link: httpLink({ url, token }) };
      }
      return current().hello(hello, signal).catch(passing);
    },
    send: async (runnerId, batch, signal) => current().send(runnerId, batch, signal).catch(passing),
    listen: async (runnerId, receive, signal) => current().listen(runnerId, receive, signal).catch(passing),
    reply: async (runnerId, askId, answer) => current().reply(runnerId, askId, answer),
    close: async () => found?.link.close(),
  };
}

function noServer(): DragomanError {
  return new DragomanError('unavailable', 'no server runs on this data folder', { isRetryable: true });
}

/** A server that refuses the token of its lock has been replaced by another, which the next introduction finds. */
function passing(error: unknown): never {
  if (error instanceof DragomanError && error.code === 'unauthenticated')
    throw new DragomanError('unavailable', error.message, { cause: error, isRetryable: true });
  throw error;
}
