import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A span as it arrived, with its attributes by name. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  traceState: string | undefined;
  name: string;
  kind: number;
  ms: number;
  attributes: Record<string, unknown>;
  status: { code: number; message?: string } | undefined;
}

export interface TraceCollector {
  /** Where it takes traces. */
  url: string;
  spans: CollectedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders; text: string }[];
  /** The statuses it answers with, one after the other; the last one from then on. */
  answer(...statuses: number[]): void;
}

interface OtlpValue {
  stringValue?: string;
  intValue?: string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: OtlpValue[] };
}

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'ms'> {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: OtlpValue }[];
}

/** An OpenTelemetry collector on this machine, which understands OTLP over HTTP in its JSON form. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const collector: Omit<TraceCollector, 'url' | 'answer'> = { spans: [], requests: [] };
  let statuses = [200];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const text = String(Buffer.concat(await incoming.toArray()));
      const status = statuses.length > 1 ? statuses.shift()! : statuses[0]!;
      collector.requests.push({ path: incoming.url!, headers: incoming.headers, text });
      if (status === 200) collector.spans.push(...read(text));
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    ...collector,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    answer: (...given) => void (statuses = given),
  };
}

function read(text: string): CollectedSpan[] {
  const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] };
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ startTimeUnixNano, endTimeUnixNano, attributes, ...span }) => ({
      ...span,
      ms: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1_000_000,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
    }));
}

function plain({ stringValue, intValue, doubleValue, boolValue, arrayValue }: OtlpValue): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(plain);
  return stringValue ?? doubleValue ?? boolValue ?? Number(intValue);
}
