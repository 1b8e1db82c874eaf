import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol/error';
import { pageSecret, whenLoginChanges } from '../api/page-secret.ts';
import type { LiveNews, LiveRequest, LiveState, LiveTopic } from './live-message.ts';

/** Who follows something. */
export interface LiveReader {
  /** Up to where a session is known. */
  after?: number | undefined;
  /** What the server wrote, as JSON; of a session, behind `after` only as far as whole messages go. */
  onTold: (data: string) => void;
  onState: (state: LiveState) => void;
  /** It is no use to ask again. */
  onOver: (error: DragomanError) => void;
}

const SIGN_MS = 30_000;

const readers = new Map<number, { topic: LiveTopic; seq: number; reader: LiveReader }>();
let nextId = 1;
let port: MessagePort | undefined;
/** Hidden for good, or until it comes back. */
let isAway = false;

/**
 * Follows something through the one stream that all pages of the browser share; where the browser has no shared workers, through one
 * of this page's own. Returns how to stop.
 */
export function followLive(topic: LiveTopic, reader: LiveReader): () => void {
  const id = nextId++;
  readers.set(id, { topic, seq: reader.after ?? 0, reader });
  want(id);
  return () => {
    if (readers.delete(id)) say({ type: 'drop', id });
  };
}

/** The network is back, or somebody does not want to wait: what is tried again is tried now. */
export function hurryLive(): void {
  say({ type: 'online' });
}

function say(request: LiveRequest): void {
  if (isAway) return;
  port ??= open();
  port.postMessage(request);
}

function want(id: number): void {
  const { topic, seq } = readers.get(id)!;
  say({ type: 'want', id, topic, after: seq, secret: pageSecret() });
}

function open(): MessagePort {
  if (!('SharedWorker' in window)) return openHere();
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'dragoman' });
  worker.port.onmessage = hear;
  worker.addEventListener('error', () => {
    // It could not be loaded; this page then has streams of its own.
    if (port !== worker.port) return;
    worker.port.close();
    port = openHere();
    wantAll();
  });
  return worker.port;
}

function openHere(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  void import('./live-holder.ts').then(({ LiveHolder }) => new LiveHolder().attach(port1));
  port2.onmessage = hear;
  return port2;
}

function hear({ data: news }: MessageEvent<LiveNews>): void {
  if (news.type === 'lost') return wantAll();
  const known = readers.get(news.id);
  if (known === undefined) return;
  if (news.type === 'state') return known.reader.onState(news.state);
  if (news.type === 'told') {
    if (news.seq !== undefined) known.seq = Math.max(known.seq, news.seq);
    return known.reader.onTold(news.data);
  }
  readers.delete(news.id);
  const { code, message } = news.error;
  known.reader.onOver(new DragomanError(code as DragomanErrorCode, message));
}

function wantAll(): void {
  for (const id of readers.keys()) want(id);
}

function leave(): void {
  say({ type: 'bye' });
  isAway = true;
}

function comeBack(): void {
  if (!isAway) return;
  isAway = false;
  for (const { reader } of readers.values()) reader.onState('connecting');
  wantAll();
}

// Parts of the console are also drawn where there is no window: in tests.
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', comeBack);
  window.addEventListener('online', hurryLive);
  document.addEventListener('visibilitychange', () => {
    const isHidden = document.visibilityState === 'hidden';
    // A page with streams of its own would hold them up for others.
    if (!('SharedWorker' in window)) (isHidden ? leave : comeBack)();
    if (!isHidden && port !== undefined) hurryLive();
  });
  window.setInterval(() => port !== undefined && say({ type: 'here', secret: pageSecret() }), SIGN_MS);
  whenLoginChanges(() => port !== undefined && say({ type: 'here', secret: pageSecret() }));
}
