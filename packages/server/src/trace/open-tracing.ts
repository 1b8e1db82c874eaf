import { SpanExporter } from './span-exporter.ts';
import type { TraceSettings } from './trace-settings.ts';
import { Tracer } from './tracer.ts';
import { turnTracingOn } from './tracing.ts';

/** Traces of this process on their way to a collector. */
export interface OpenTracing {
  /** Spans that were lost. */
  readonly dropped: number;
  /** Ends it, after what is known was sent. */
  close(): Promise<void>;
}

/** Turns traces on where the settings say where they go. */
export function openTracing(
  settings: TraceSettings | undefined,
  { version, onTrouble }: { version: string; onTrouble: (message: string) => void },
): OpenTracing | undefined {
  if (settings === undefined) return undefined;
  const { url, headers, sampling, contents, serviceName } = settings;
  const resource = { 'service.name': serviceName, 'service.version': version };
  const exporter = new SpanExporter({ url, headers, resource, onTrouble });
  const turnOff = turnTracingOn(new Tracer(sampling, exporter.add), contents);
  return {
    get dropped() {
      return exporter.dropped;
    },
    async close() {
      turnOff();
      await exporter.close();
    },
  };
}
