import type { DragomanError, ModelAnswer, ModelCall, ModelSink } from '@dragoman/protocol';
import type { UpstreamKind } from '../config/gateway-config.ts';
import type { SettingNames } from '../upstreams/settings/call-settings.ts';

/**
 * A client's request, read as far as it takes to find out where it goes. A provider that speaks the same protocol is sent it
 * as it is, whatever it says; for any other it is decoded.
 */
export interface ClientRequest<Context = unknown> {
  /** The model name the client asked for; empty for the default. */
  asked: string;
  isStreamed: boolean;
  /** Where a provider of the same protocol takes it, where there is more than one place. */
  relayPath?: string;
  /** Reads all of it. Throws where it says what cannot be said in another protocol, and names the place. */
  decode: () => DecodedRequest<Context>;
}

/** A client's request, read: what to ask which model, and what the answer's encoder needs to know. */
export interface DecodedRequest<Context = unknown> {
  /** The model name the client asked for; empty for the default. */
  asked: string;
  call: ModelCall;
  /** What the client asked for and the call does not say, by its place, such as `tools.web_search`. */
  leftOut?: readonly string[];
  /** What this client calls settings, where that is not what its dialect usually does; nothing for one that it did not ask for. */
  settingNames?: SettingNames;
  isStreamed: boolean;
  context: Context;
}

/**
 * One wire protocol that clients speak. Each has a folder; the folders have the same files.
 *
 * `encodeStream` and `encodeError` know what their protocol says when something goes wrong; nobody else does.
 */
export interface Dialect<Context = unknown> {
  name: DialectName;
  /** What its clients call the settings of a call, for those that hear that a provider cannot be told of one. */
  settingNames: SettingNames;
  /** Headers of a streamed answer. */
  streamHeaders: Readonly<Record<string, string>>;
  /** What stands between two events of a stream; an empty line, unless said otherwise. */
  eventGap?: '\n' | '\n\n';
  encodeStream(write: (text: string) => void, request: DecodedRequest<Context>): ModelSink;
  encodeResponse(answer: ModelAnswer, request: DecodedRequest<Context>): unknown;
  /** Whose providers have the protocol beside their own, and where; absent where they speak it alone. */
  relayed?: { type: UpstreamKind; path: string };
  /** What ends a stream that was passed on as it came and broke off; only where providers speak the protocol too. */
  encodeBreak?(error: DragomanError, request: ClientRequest<Context>): string;
  /** How a stream of events that is passed on is put into another form, where a client asked for that. */
  reframe?(): Reframing;
  /** The body of an HTTP error, before anything was sent. */
  encodeError(error: DragomanError, status: number): unknown;
  /** The status of an error, where the protocol has one of its own for it. */
  statusOf?(error: DragomanError): number | undefined;
  /** Whether a body is an error that clients read; only where providers speak the protocol too. */
  isOwnError?(body: unknown): boolean;
}

/** Server-sent events in another form. */
export interface Reframing {
  /** What can be passed on now. */
  take(bytes: Uint8Array): string;
  /** What is left when nothing more comes. */
  end(): string;
  /** The same where the stream broke off. */
  break(error: DragomanError): string;
}

type DialectName =
  | 'augment'
  | 'openai-chat'
  | 'openai-completions'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'gemini'
  | 'ollama';

export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-content-type-options': 'nosniff',
};
