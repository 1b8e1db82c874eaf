import { expect, test } from 'vitest';
import { openHostingLog } from './hosting-log.ts';
import { dragomanConfigSchema } from './rooms.ts';

test('a process that hosts agents logs no secret of the configuration, nor what looks like one', () => {
  const lines: string[] = [];
  const proxy = (key: string) =>
    dragomanConfigSchema.parse({ providers: { a: { type: 'openai-chat', baseUrl: 'http://a', apiKey: key } } });
  const log = openHostingLog(proxy('first secret'), (line) => lines.push(line));

  log.warn({ reason: 'said "first secret"' }, 'not started');
  log.configured(proxy('second secret'));
  log.error({ err: new Error('second secret') }, `sk-${'a1'.repeat(12)}`);

  expect(lines).toEqual(['dragoman: not started (said "••••••")', 'dragoman: [API_KEY_REDACTED] (••••••)']);
});
