import { DragomanError, isTerminalRunner, type RunnerAsk, type RunnerMessage } from '@dragoman/protocol';
import { storeTime } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { sendWaitingPrompts } from '../inbox/send-waiting-prompts.ts';
import { endUnheard } from '../sessions/end-while-away.ts';
import { tellRunnerChange } from '../sessions/tell-change.ts';
import { takeOverTerminals } from '../terminals/take-over-terminals.ts';
import { readCommands, readSync } from './read-commands.ts';
import { findRunner } from './runner-access.ts';
import { SIGN_OF_LIFE_MS } from './runner-presence.ts';

/** Takes a message; where it returns a promise, the next one waits for it. */
export type ReceiveMessage = (message: RunnerMessage) => void | Promise<void>;

/**
 * What a runner has to do: how things stand, then every command that it has not carried out, then commands and questions
 * as they come. While this runs the runner counts as connected. It ends by rejecting: by the signal, or because the
 * runner has connected anew.
 */
export async function streamCommands(
  parts: HubParts,
  runnerId: string,
  receive: ReceiveMessage,
  signal: AbortSignal,
): Promise<void> {
  await findRunner(parts.db, runnerId);
  const { feed, presence } = parts;
  const stream = new AbortController();
  const ended = AbortSignal.any([signal, stream.signal]);
  ended.throwIfAborted();
  presence.enter(runnerId, stream);
  const bell = new Bell(ended);
  const unhear = [
    feed.hear('commands', (payload) => {
      if (payload === undefined || payload === runnerId) bell.ring();
    }),
    feed.hear('asks', (payload) => {
      if (payload === undefined || payload === runnerId) bell.ring();
    }),
  ];
  const sign = setInterval(() => {
    signOfLife(parts, runnerId).catch((err: unknown) => {
      parts.logger.warn({ err, runnerId }, 'a sign of life of a runner could not be noted');
    });
  }, SIGN_OF_LIFE_MS);
  sign.unref();
  try {
    const sync = await readSync(parts, runnerId);
    await receive({ type: 'sync', sync });
    await signOfLife(parts, runnerId);
    tellRunnerChange(parts, runnerId, { isConnected: true });
    await pump(parts, runnerId, { receive, bell, ended, after: sync.handled });
  } finally {
    clearInterval(sign);
    for (const stop of unhear) stop();
    if (presence.leave(runnerId, stream)) {
      if (presence.isHandedOver(runnerId) && !presence.isClosed) noteLeftLater(parts, runnerId);
      else await noteGone(parts, runnerId);
    }
  }
  stream.signal.throwIfAborted();
  throw new DragomanError('cancelled', 'The stream of commands was ended.', { isRetryable: true });
}

interface Pump {
  receive: ReceiveMessage;
  bell: Bell;
  ended: AbortSignal;
  after: number;
}

async function pump(parts: HubParts, runnerId: string, { receive, bell, ended, after }: Pump): Promise<void> {
  let asked = new Set<string>();
  let sent = after;
  while (!ended.aborted) {
    const rung = bell.next();
    for (;;) {
      const commands = await readCommands(parts, runnerId, sent);
      if (commands.length === 0) break;
      for (const command of commands) {
        if (ended.aborted) return;
        await receive({ type: 'command', command });
        sent = command.number;
      }
    }
    const asks = await openAsks(parts, runnerId);
    const open = new Set(asks.map(({ id }) => id));
    for (const askId of asked) if (!open.has(askId)) await receive({ type: 'ask-ended', askId });
    for (const { id, ask_json } of asks) {
      if (!asked.has(id)) await receive({ type: 'ask', askId: id, ask: JSON.parse(ask_json) as RunnerAsk });
    }
    asked = open;
    await rung;
  }
}

function openAsks({ db, engine, now }: HubParts, runnerId: string): Promise<{ id: string; ask_json: string }[]> {
  return db
    .selectFrom('hub_asks')
    .select(['id', 'ask_json'])
    .where('runner_id', '=', runnerId)
    .where('reply_json', 'is', null)
    .where('expires_at', '>', storeTime(engine, now))
    .execute();
}

/** A runner that is back by then was not away. */
function noteLeftLater(parts: HubParts, runnerId: string): void {
  const { presence } = parts;
  setTimeout(() => {
    if (!presence.has(runnerId) && !presence.isClosed) void noteGone(parts, runnerId);
  }, presence.handoverMs).unref();
}

async function noteGone(parts: HubParts, runnerId: string): Promise<void> {
  await noteLeft(parts, runnerId);
  if (!parts.presence.isClosed) noteUnheard(parts, runnerId);
}

function noteUnheard(parts: HubParts, runnerId: string): void {
  endUnheard(parts, runnerId).catch((err: unknown) =>
    parts.logger.warn({ err, runnerId }, 'what a machine was told to end could not be ended in its place'),
  );
}

/** Also looks after prompts that were kept back while the runner seemed to be away, and after what terminals left. */
async function signOfLife(parts: HubParts, runnerId: string): Promise<void> {
  const { db, engine, now, processes } = parts;
  await db
    .updateTable('hub_runners')
    .set({ last_seen_at: now(), ...(engine === 'postgres' && { connected_to: processes.id }) })
    .where('id', '=', runnerId)
    .execute();
  await sendWaitingPrompts(parts, runnerId);
  if (runnerId === parts.presence.localRunnerId && !isTerminalRunner(runnerId))
    await takeOverTerminals(parts, runnerId);
}

/** Tells that a runner is connected here no more; one that has gone on to another process meanwhile is connected there. */
async function noteLeft(parts: HubParts, runnerId: string): Promise<void> {
  const { db, engine, processes, logger } = parts;
  if (engine === 'postgres')
    await db
      .updateTable('hub_runners')
      .set({ connected_to: '' })
      .where('id', '=', runnerId)
      .where('connected_to', '=', processes.id)
      .execute()
      .catch((err: unknown) => logger.warn({ err, runnerId }, 'it could not be noted that a runner left'));
  tellRunnerChange(parts, runnerId, { isConnected: false });
}

/** Wakes one who waits. Who calls `next` before looking around misses no ring. */
class Bell {
  #wake: (() => void) | undefined;
  readonly #ended: AbortSignal;

  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener('abort', () => this.ring(), { once: true });
  }

  ring(): void {
    this.#wake?.();
  }

  /** Resolves with the first ring after this call, or at once where everything has ended. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#ended.aborted) resolve();
    });
  }
}
