import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Slate } from '../channels/slate.fixture.ts';
import { openHubDoor } from '../hub-door.fixture.ts';

/** A platform that never believes who calls, and says so when so many have called. */
async function strictDoor(calls = 1) {
  const { promise: allCalled, resolve: answerAll } = Promise.withResolvers<void>();
  const { kind } = new Slate();
  const asked: Buffer[] = [];
  const door = await openHubDoor({
    kinds: [
      {
        ...kind,
        open: async (settings, host) =>
          Object.assign(await kind.open(settings, host), {
            receive: async ({ body }: { body: Buffer }) => {
              if (asked.push(body) === calls) answerAll();
              await allCalled;
              return { status: 401 };
            },
          }),
      },
    ],
    channels: { slate: {} } as never,
  });
  const call = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    door.call('/channels/slate', {
      method: 'POST',
      body: body as never,
      headers: { authorization: 'none', ...headers },
    });
  return { asked, call };
}

test('a webhook call that is packed is refused before it is unpacked', async () => {
  const { asked, call } = await strictDoor();

  expect((await call(gzipSync('{}'), { 'content-encoding': 'gzip' })).status).toBe(415);
  expect(asked).toEqual([]);
  expect((await call('{}', { 'content-encoding': 'identity' })).status).toBe(401);
});

test('calls that a platform refuses wait for their answer, and with too many waiting they are told to come later', async () => {
  const { call } = await strictDoor(230);

  const answers = await Promise.all(Array.from({ length: 230 }, () => call('{}')));

  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(401) + count(429), count(429) > 0]).toEqual([230, true]);
});
