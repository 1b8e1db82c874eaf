import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** A provider that answers at once: as many pieces as the number in the name of the model, ten with each write. */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  request.on('end', () => {
    const { model } = JSON.parse(body) as { model: string };
    void answer(Number(/\d+$/.exec(model)?.[0] ?? 1));
  });
  const answer = async (pieces: number) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let from = 0; from < pieces; from += 10) {
      const length = Math.min(10, pieces - from);
      response.write(Array.from({ length }, () => said({ content: 'some words ' })).join(''));
      await turnOfLoop();
    }
    response.end(`${said({}, 'stop')}${USAGE}data: [DONE]\n\n`);
  };
});
const HEAD = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' };
const USAGE = `data: ${JSON.stringify({ ...HEAD, choices: [], usage: { prompt_tokens: 100, completion_tokens: 100, total_tokens: 200 } })}\n\n`;

function said(delta: object, reason: string | null = null): string {
  return `data: ${JSON.stringify({ ...HEAD, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
