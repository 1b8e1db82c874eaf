import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { openLog } from './log.ts';

test('a log is written without the secrets of the configuration, in any spelling, and without what looks like one', async () => {
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line) > 0 } as unknown as NodeJS.WriteStream;
  let confidential = ['first/secret'];
  const log = await openLog({ level: 'info', format: 'json' }, { confidential: () => confidential, stream });

  log.info({ url: 'https://a.example?key=first%2Fsecret' }, 'said "first/secret"');
  confidential = ['other "secret"'];
  const cause = new Error('postgres://ann:tr0ub4dor@db/work');
  log.error({ err: new Error('other "secret"', { cause }) }, `sk-${'a1'.repeat(12)}`);

  expect(JSON.parse(lines[0]!)).toMatchObject({ url: 'https://a.example?key=••••••', msg: 'said "••••••"' });
  expect(JSON.parse(lines[1]!)).toMatchObject({
    err: { message: '••••••', cause: { message: 'postgres://ann:[PASSWORD_REDACTED]@db/work' } },
    msg: '[API_KEY_REDACTED]',
  });
  expect(lines.join('')).not.toMatch(/secret|tr0ub4dor|a1a1/);
});

test.each(['json', 'pretty'] as const)('nothing that is logged as %s commands a terminal', async (format) => {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  }) as unknown as NodeJS.WriteStream;
  const log = await openLog({ level: 'info', format }, { stream });

  log.error({ err: new Error('a\u001B]0;b\u0007\u009B2J\u202E\r\\u001b'), path: 'c\u001B[2J' }, 'd\u001B[8m\n"e"');

  await expect.poll(() => lines.join('')).toContain('e');
  // oxlint-disable-next-line no-control-regex
  expect(lines.join('')).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/);
});
