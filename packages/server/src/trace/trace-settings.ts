import { z } from 'zod';
import { secretSchema } from '../config/secret.ts';

/** The section `telemetry` of the configuration. */
export const telemetrySchema = z
  .strictObject({
    traces: z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/ })
          .optional()
          .describe(
            'OTLP/HTTP URL of an OpenTelemetry collector, such as "http://127.0.0.1:4318/v1/traces". Defaults to OTEL_EXPORTER_OTLP_ENDPOINT. Without either, nothing is sent.',
          ),
        headers: z.record(z.string(), secretSchema).default({}).describe('Extra headers to send, such as an API key.'),
        sampling: z
          .number()
          .min(0)
          .max(1)
          .default(1)
          .describe(
            'Share of traces started here that are sent. A client that sends a traceparent decides for itself.',
          ),
        contents: z
          .boolean()
          .default(false)
          .describe('Also send the beginnings of prompts and answers. Recognized secrets and files are left out.'),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('Traces for monitoring systems. They contain no prompts or answers unless traces.contents is on.');

/** Where traces go, and which. */
export interface TraceSettings {
  url: string;
  headers: Record<string, string>;
  sampling: number;
  /** Whether what was said is sent, too. */
  contents: boolean;
  serviceName: string;
}

/** By the configuration, else by the variables that programs with OpenTelemetry read; nothing where traces are off. */
export function traceSettings(
  { traces }: z.output<typeof telemetrySchema>,
  environment: Readonly<Record<string, string | undefined>>,
): TraceSettings | undefined {
  const url = traces.url ?? urlOf(environment);
  if (url === undefined) return undefined;
  const own = Object.entries(traces.headers).map(([name, secret]) => [name.toLowerCase(), secret.reveal()]);
  return {
    url,
    headers: {
      ...headersOf(environment['OTEL_EXPORTER_OTLP_HEADERS']),
      ...headersOf(environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
      ...(Object.fromEntries(own) as Record<string, string>),
    },
    sampling: traces.sampling,
    contents: traces.contents,
    serviceName: environment['OTEL_SERVICE_NAME'] ?? 'dragoman',
  };
}

function urlOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const isOff =
    environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || environment['OTEL_TRACES_EXPORTER'] === 'none';
  const endpoint = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const said =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ||
    (endpoint ? `${endpoint.replace(/\/+$/, '')}/v1/traces` : undefined);
  return isOff || said === undefined || !/^https?:\/\//.test(said) || !URL.canParse(said) ? undefined : said;
}

/** `name=value,name=value`, with what is special in them written by its number. */
function headersOf(text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of (text ?? '').split(',')) {
    const sign = pair.indexOf('=');
    if (sign <= 0) continue;
    try {
      headers[pair.slice(0, sign).trim().toLowerCase()] = decodeURIComponent(pair.slice(sign + 1).trim());
    } catch {
      // One that cannot be read is not sent.
    }
  }
  return headers;
}
