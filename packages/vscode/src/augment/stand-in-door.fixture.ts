import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The tokens of a server, as its door tells them. */
export interface StandInDoor {
  url: string;
  /** Live ones by their id, with their text. */
  tokens: Map<string, { name: string; role: string; text: string }>;
  /** How many were ever made. */
  made(): number;
  /** What every call that makes a token is answered with instead, when it is set. */
  refusal: number | undefined;
  /** So many calls that revoke a token find their connection closed. */
  resets: number;
  /** The same server at a second address, as after a move. */
  openAgain(): Promise<string>;
  close(): void;
}

/**
 * The calls for tokens of a server without the rest, where a test is about the editor. That the real server answers so is
 * tried in `augment-token.e2e.test.ts`.
 */
export async function standInDoor(): Promise<StandInDoor> {
  const tokens: StandInDoor['tokens'] = new Map();
  const servers: ReturnType<typeof createServer>[] = [];
  let made = 0;
  const answer = async (request: IncomingMessage): Promise<[status: number, body: unknown]> => {
    const id = /^\/api\/tokens\/(\w+)$/.exec(request.url ?? '')?.[1];
    if (request.method === 'DELETE' && id !== undefined) return tokens.delete(id) ? [200, {}] : [404, {}];
    if (request.method === 'GET') return [200, { tokens: Array.from(tokens, ([each, token]) => info(each, token)) }];
    if (door.refusal !== undefined) return [door.refusal, {}];
    const { name, role } = JSON.parse(await textOf(request)) as { name: string; role: string };
    const token = { name, role, text: `DGM_${String.fromCodePoint(65 + made).repeat(40)}` };
    tokens.set(`tok_${(made += 1)}`, token);
    return [200, { token: info(`tok_${made}`, token), text: token.text }];
  };
  const open = async () => {
    const server = createServer((request, response) => {
      if (request.method === 'DELETE' && door.resets > 0) {
        door.resets -= 1;
        request.socket.resetAndDestroy();
        return;
      }
      void answer(request).then(([status, body]) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const door: StandInDoor = {
    url: await open(),
    tokens,
    made: () => made,
    refusal: undefined,
    resets: 0,
    openAgain: open,
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
  return door;
}

function info(id: string, { name, role }: { name: string; role: string }) {
  return { id, name, role, kind: 'token', userId: 'usr_1', userName: 'owner', createdAt: 1, isThis: false };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
