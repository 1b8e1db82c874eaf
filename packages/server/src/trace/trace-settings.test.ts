import { expect, test } from 'vitest';
import { telemetrySchema, traceSettings } from './trace-settings.ts';

const settings = (traces: object, environment: Record<string, string> = {}) =>
  traceSettings(telemetrySchema.parse({ traces }), environment);

test('nothing is traced unless somebody says where traces go', () => {
  expect(settings({})).toBeUndefined();
  expect(settings({ sampling: 1, headers: { a: 'b' } })).toBeUndefined();
});

test('the configuration says where, and its headers count more than those of the environment', () => {
  expect(
    settings(
      { url: 'https://c.example/v1/traces', headers: { 'X-Key': 'mine' }, sampling: 0.1 },
      { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=theirs,b=c%20d,=x,broken=%zz', OTEL_SERVICE_NAME: 'house' },
    ),
  ).toEqual({
    url: 'https://c.example/v1/traces',
    headers: { 'x-key': 'mine', b: 'c d' },
    sampling: 0.1,
    contents: false,
    serviceName: 'house',
  });
});

test('what was said is sent where the configuration asks for it, and no variable does', () => {
  const capture = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };
  expect(settings({ url: 'http://c/v1/traces', contents: true })?.contents).toBe(true);
  expect(settings({ url: 'http://c/v1/traces' }, capture)?.contents).toBe(false);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, 'http://c:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/base/' }, 'http://c:4318/base/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t/x' }, 'http://t/x'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'c:4317' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
])('else the usual variables do: %j', (environment, url) => {
  expect(settings({}, environment)?.url).toBe(url);
});
