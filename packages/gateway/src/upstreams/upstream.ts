import type { ModelCall, ModelSink } from '@dragoman/protocol';
import type { Target } from '../routing/target.ts';
import type { MarkPrompt } from './mark-prompt.ts';
import type { CallSetting } from './settings/call-settings.ts';
import type { SettingFates } from './settings/setting-fates.ts';

/** Reads one streamed answer. Any split of its bytes gives the same events. */
export interface StreamDecoder {
  feed(bytes: Uint8Array): void;
  /** The bytes have come to an end; an answer that is not complete becomes an error. */
  end(): void;
}

export interface UpstreamRequest {
  /** Behind the provider's base address. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** One wire protocol over HTTP, as pure functions. Each has a folder; the folders have the same files. */
export interface HttpUpstream {
  defaultBaseUrl: string | undefined;
  /** Where requests of clients that speak the same protocol go; absent where no client does. */
  relayPath?(target: Target, isStreamed: boolean): string;
  /** How it wants its key. */
  authorize(key: string): Record<string, string>;
  /** Absent where the provider's cache needs no word. What `encodeRequest` makes is marked already. */
  markPrompt?: MarkPrompt;
  /** What becomes of each setting of a call that `encodeRequest` writes. */
  fates: SettingFates;
  encodeRequest(call: ModelCall, target: Target, isStreamed: boolean): UpstreamRequest;
  decodeStream(sink: ModelSink): StreamDecoder;
  /** An answer that was not streamed: the same events, at once. */
  decodeResponse(body: unknown, sink: ModelSink): void;
}

/** A call that a provider has accepted. */
export interface AcceptedCall {
  /** What of the call it was not told. */
  leftOut?: readonly CallSetting[];
  /** Pushes the answer's events; resolves when it has ended. What goes wrong is an `error` event. */
  run(sink: ModelSink, flow?: FlowControl): Promise<void>;
}

/** How a slow reader holds a fast provider back, and when a piece of the answer has been passed on. */
export interface FlowControl {
  /** Called after the events of one read were pushed. True asks for a pause. */
  afterRead(): boolean;
  /** Resolves when reading may go on. */
  untilReady(): Promise<void>;
}

/** Opens a call at a target; throws a DragomanError when it is refused. */
export type OpenCall = (
  call: ModelCall,
  target: Target,
  isStreamed: boolean,
  signal: AbortSignal,
) => Promise<AcceptedCall>;
