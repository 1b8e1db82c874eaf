import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { exchange, type HttpAnswer } from './http-exchange.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** An answer of which the head has come, and the connection on which the rest is written. */
async function openAnswer(): Promise<{ answer: HttpAnswer; connection: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent = new Agent();
  onTestFinished(async () => {
    await agent.destroy();
    server.close();
  });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const answering = exchange(
    agent,
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      headers: {},
      body: null,
      method: 'GET',
      firstByteMs: 60_000,
      idleMs: 60_000,
    },
    new AbortController().signal,
  );
  const [connection] = await connected;
  connection.on('error', () => {});
  connection.write(HEAD);
  return { answer: await answering, connection };
}

/** Reads an answer to its end: what was handed on, piece by piece, and how it ended. */
function readAll(answer: HttpAnswer, take: (text: string) => void = () => {}) {
  const pieces: string[] = [];
  return new Promise<{ pieces: string[]; error?: Error }>((resolve) => {
    answer.read({
      data(bytes) {
        pieces.push(bytes.toString());
        take(bytes.toString());
      },
      end: () => resolve({ pieces }),
      error: (error) => resolve({ pieces, error }),
    });
  });
}

test('the pieces that come in one read are handed on together, in their order, before the end', async () => {
  const { answer, connection } = await openAnswer();
  const read = readAll(answer);
  const sent = Array.from({ length: 200 }, (_, number) => `piece ${number}\n`);
  connection.write(sent.map(chunk).join('') + chunk('last') + '0\r\n\r\n');

  const { pieces, error } = await read;
  expect({ text: pieces.join(''), error }).toEqual({ text: `${sent.join('')}last`, error: undefined });
  expect(pieces.length).toBeLessThan(10);
});

test('a piece that comes alone does not wait for another', async () => {
  const { answer, connection } = await openAnswer();
  const { promise: hasFirst, resolve } = Promise.withResolvers<string>();
  const read = readAll(answer, resolve);
  connection.write(chunk('first'));
  expect(await hasFirst).toBe('first');
  connection.write(`${chunk('second')}0\r\n\r\n`);
  expect((await read).pieces).toEqual(['first', 'second']);
});

test('what came before a connection broke is handed on before the error', async () => {
  const { answer, connection } = await openAnswer();
  const read = readAll(answer);
  connection.end(chunk('half'));
  const { pieces, error } = await read;
  expect(pieces).toEqual(['half']);
  expect(error).toBeInstanceOf(Error);
});

test('a reader that fails ends its answer with the error, and nothing else', async () => {
  const { answer, connection } = await openAnswer();
  const read = readAll(answer, () => {
    throw new Error('not readable');
  });
  connection.write(chunk('one'));
  expect(await read).toMatchObject({ pieces: ['one'], error: { message: 'not readable' } });
});
