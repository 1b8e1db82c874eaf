import type { TokenId, UserId } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import { OpenStreams } from './open-streams.ts';

function callerWith(token: string): Caller {
  return {
    userId: 'usr_1' as UserId,
    userName: 'ada',
    role: 'member',
    tokenName: token,
    tokenId: `tok_${token}` as TokenId,
  };
}

test('streams end when their token is good no more, also after a look that failed', async () => {
  const [laptop, phone] = [callerWith('laptop'), callerWith('phone')];
  let looks = 0;
  const streams = new OpenStreams(
    {
      async areGood() {
        looks += 1;
        if (looks === 1) throw new Error('The database is not responding.');
        return new Set([phone]);
      },
    },
    1,
  );
  const ended: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const leave = [
    streams.enter(laptop, () => {
      ended.push('laptop');
      leave[0]!();
      resolve();
    }),
    streams.enter(phone, () => ended.push('phone')),
  ];
  await promise;

  expect(ended).toEqual(['laptop']);
  expect(await streams.isGood(laptop)).toBe(false);
  expect(await streams.isGood(phone)).toBe(true);
  for (const each of leave) each();
});

test('a token has 256 streams; one more needs another to be closed, or another token', () => {
  const streams = new OpenStreams({ areGood: async (callers) => new Set(callers) });
  const laptop = callerWith('laptop');
  const leave = Array.from({ length: 256 }, () => streams.enter(laptop, () => {}));

  expect(() => streams.enter(laptop, () => {})).toThrow('The token "laptop" has 256 open streams');
  leave.push(streams.enter(callerWith('phone'), () => {}));
  leave.pop()!();
  leave.pop()!();
  leave.push(streams.enter(laptop, () => {}));
  for (const each of leave) each();
});
