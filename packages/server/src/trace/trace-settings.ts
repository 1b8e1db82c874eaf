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
            'Where an OpenTelemetry collector takes traces over HTTP, as in "http://127.0.0.1:4318/v1/traces". Else as OTEL_EXPORTER_OTLP_ENDPOINT says; without either nothing is sent.',
          ),
        headers: z.record(z.string(), secretSchema).default({}).describe('Headers to send along, such as a key.'),
        sampling: z
          .number()
          .min(0)
          .max(1)
          .default(1)
          .describe(
            'The share of traces that begin here and are sent; a client that sends a traceparent decides itself.',
          ),
        contents: z
          .boolean()
          .default(false)
          .describe(
            'Whether the collector is told what was said: the beginnings of prompts and answers, without the secrets that are known by their look, and without files.',
          ),
      })
      .prefault({}),
  })
  .prefault({})
  .describe('What is told to systems that watch. Not what was said, unless traces.contents asks for it.');

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
