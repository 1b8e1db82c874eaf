import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import { endServer } from './end-server.ts';
import { lockState } from './find-server.ts';
import { type Attached, type ReachParts, reachServer } from './reach-server.ts';
import type { RunningServer, ServerLink, ServerState } from './server-link.ts';
import { FOREIGN_TOKEN } from './server-token.ts';
import { serverWords } from './server-words.ts';

/** While another window restarts the server, it is away for so long at most, also on a busy machine. */
const GAP_MS = 30_000;
const POLL_MS = 200;
/** A server that ends so soon after its start, so many times, is not started again by itself. */
const SOON_MS = 10_000;
const MAX_SOON = 3;

/**
 * Keeps this window on its server. One thing is done at a time, in the order asked for; whoever asks for the server while
 * it is being reached waits for the same attempt.
 */
export function openServerLink(parts: ReachParts, { gapMs = GAP_MS }: { gapMs?: number } = {}): ServerLink {
  const changed = new vscode.EventEmitter<void>();
  const closing = new AbortController();
  const { log } = parts;
  let state: ServerState = { kind: 'idle' };
  let attached: Attached | undefined;
  let reaching: Promise<RunningServer> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let endedSoon = 0;

  const show = (next: ServerState) => {
    state = next;
    if (!closing.signal.aborted) changed.fire();
  };
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(async () => {
      if (closing.signal.aborted) throw new DragomanError('cancelled', serverWords.now().closed);
      return work();
    });
    last = turn.catch(() => {});
    return turn;
  };
  /** Who asks meanwhile waits for the same. */
  const reached = (attempt: Promise<RunningServer>): Promise<RunningServer> => {
    reaching = attempt.finally(() => {
      if (reaching === watched) reaching = undefined;
    });
    const watched = reaching;
    return reaching;
  };
  const letGo = () => {
    const before = attached;
    attached = undefined;
    before?.lease?.close();
    return before;
  };
  /** A server that was there before comes back where it was. */
  const reach = async (before?: Attached): Promise<RunningServer> => {
    if (attached !== undefined) return attached.server;
    show({ kind: 'starting' });
    try {
      const found = await reachServer(parts, closing.signal, before?.own && portOf(before.server));
      if (closing.signal.aborted) {
        found.lease?.close();
        throw new DragomanError('cancelled', serverWords.now().closed);
      }
      attached = found;
      const since = performance.now();
      void found.lease?.ended.then(() => {
        if (attached === found) lost(found, performance.now() - since);
      });
      log.info(`The server is at ${found.server.url} (${found.server.origin}).`);
      show({ kind: 'ready', server: found.server });
      return found.server;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!closing.signal.aborted) log.warn(reason);
      show({ kind: 'failed', reason });
      throw error;
    }
  };

  /** It was restarted from another window, or ended in good order, or died. Only one that died is started again by itself. */
  const lost = (before: Attached, heldMs: number) => {
    attached = undefined;
    if (closing.signal.aborted) return;
    endedSoon = heldMs < SOON_MS ? endedSoon + 1 : 0;
    log.info(`The server at ${before.server.url} is gone.`);
    show({ kind: 'starting' });
    inTurn(async () => {
      if (attached !== undefined) return;
      if (endedSoon >= MAX_SOON) {
        show({ kind: 'failed', reason: serverWords.now().comesAndGoes });
        return;
      }
      if (before.own !== undefined && !(await comesBack(before.own.home))) {
        log.info('It was ended on purpose, and is started again when it is needed.');
        show({ kind: 'idle' });
        return;
      }
      await reach(before);
    }).catch(() => {}); // The state tells.
  };
  /** Whether there is a reason to look for it again: the lock of a new server or of one that died, or somebody asks for it. */
  const comesBack = async (home: string): Promise<boolean> => {
    for (let waited = 0; waited < gapMs; waited += POLL_MS) {
      if (reaching !== undefined || lockState(home) === 'held') return true;
      await delay(POLL_MS, undefined, { signal: closing.signal });
    }
    return false;
  };

  /** The person named another server, or gave a token for one: the window moves there. The server it leaves ends by itself. */
  const reconsider = () => {
    if (state.kind === 'idle') return;
    const moved = inTurn(() => {
      letGo();
      return reach();
    });
    reached(moved).catch(() => {}); // The state tells.
  };
  const listening = [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('dragoman.url') || event.affectsConfiguration('dragoman.serverCommand'))
        reconsider();
    }),
    parts.context.secrets.onDidChange(({ key }) => {
      if (key === FOREIGN_TOKEN) reconsider();
    }),
  ];

  return {
    get state() {
      return state;
    },
    onDidChange: changed.event,
    ready() {
      if (reaching !== undefined) return reaching;
      return attached === undefined ? reached(inTurn(() => reach())) : Promise.resolve(attached.server);
    },
    restart() {
      endedSoon = 0;
      if (attached !== undefined && attached.own === undefined)
        return Promise.reject(new DragomanError('forbidden', serverWords.now().notOurs(attached.server.url)));
      return reached(
        inTurn(async () => {
          const before = letGo();
          show({ kind: 'starting' });
          if (before?.own !== undefined) await endServer(before.own.home, before.own.found, { signal: closing.signal });
          return reach(before);
        }),
      );
    },
    stop() {
      return inTurn(async () => {
        const own = letGo()?.own;
        show({ kind: 'idle' });
        if (own !== undefined) await endServer(own.home, own.found, { signal: closing.signal });
      });
    },
    dispose() {
      closing.abort();
      letGo();
      for (const each of listening) each.dispose();
      changed.dispose();
    },
  };
}

function portOf({ url }: RunningServer): number {
  return Number(new URL(url).port);
}
