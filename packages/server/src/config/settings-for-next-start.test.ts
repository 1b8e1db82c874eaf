import { expect, test } from 'vitest';
import { serverConfigSchema } from './server-config.ts';
import { settingsForNextStart } from './settings-for-next-start.ts';

const parse = (input: unknown) => serverConfigSchema.parse(input);

test('the settings that a server takes up at its start are named where they differ from those, secrets too', () => {
  const started = parse({ telemetry: { traces: { headers: { key: 'one' } } } });

  expect(settingsForNextStart(started, parse({ telemetry: { traces: { headers: { key: 'one' } } } }))).toEqual([]);
  expect(
    settingsForNextStart(
      started,
      parse({
        server: { port: 5, bodyLimits: { apiBytes: 2000 }, timeouts: { requestMs: 9 } },
        log: { format: 'json' },
        telemetry: { traces: { headers: { key: 'other' } } },
      }),
    ),
  ).toEqual(['server.port', 'server.bodyLimits', 'server.timeouts.requestMs', 'log.format', 'telemetry']);
});

test('what is in force as soon as it is changed is not named', () => {
  const changed = parse({
    server: { corsOrigins: ['https://a.example'], timeouts: { stopMs: 9 } },
    log: { level: 'warn' },
  });

  expect(settingsForNextStart(parse({}), changed)).toEqual([]);
});
