import type { HubLink, RunnerHello } from '@dragoman/protocol';

/** A link that tells when the runner behind it is connected, each time, with what it introduced itself by. */
export function watchedLink(link: HubLink, connected: (hello: RunnerHello) => void): HubLink {
  let last: RunnerHello | undefined;
  return {
    hello(hello, signal) {
      last = hello;
      return link.hello(hello, signal);
    },
    send: (runnerId, batch, signal) => link.send(runnerId, batch, signal),
    listen: (runnerId, receive, signal) =>
      link.listen(
        runnerId,
        (message) => {
          receive(message);
          // The first message of a connection.
          if (message.type === 'sync' && last !== undefined) connected(last);
        },
        signal,
      ),
    reply: (runnerId, askId, answer) => link.reply(runnerId, askId, answer),
  };
}
