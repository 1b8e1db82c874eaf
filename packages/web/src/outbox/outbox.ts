import type { DragomanError } from '@dragoman/protocol/error';
import { useMemo, useSyncExternalStore } from 'react';
import type { AnswerOf } from '../api/calls.ts';
import { whenBack } from '../api/connection.ts';
import { lastUser } from '../api/page-secret.ts';
import { queryClient } from '../api/query-client.ts';
import type { Me } from '../api/me.ts';
import { sayError } from '../design/toasts.tsx';
import { type Deed, hasWords, idOf, type OutboxItem } from './outbox-item.ts';
import { outboxItems, putItem, removeItem, whenOutboxChanges } from './outbox-store.ts';
import { type Outcome, sendOutbox } from './send-outbox.ts';

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** Another page that did something sends it itself, unless it is gone by then. */
const OTHERS_MS = 2_000;

const NONE: readonly OutboxItem[] = [];

/** What became of the deeds of this page, for those who wait for it. */
const outcomes = new Map<string, Outcome>();
const KEPT_OUTCOMES = 100;
/** What this page is the first to send. */
const own = new Set<string>();

let isSending = false;
let isAskedAgain = false;
let retryMs = FIRST_RETRY_MS;
let timer: number | undefined;

/** Who is looking, as far as this page knows: the server may be away. */
function userId(): string | undefined {
  return queryClient.getQueryData<Me>(['me'])?.userId ?? lastUser()?.userId;
}

/** Does something, now or when the server can be reached again; it outlives the page. */
export function post(deed: Deed): void {
  const id = idOf(deed);
  outcomes.delete(id);
  own.add(id);
  putItem({ ...deed, id, userId: userId() ?? '', at: Date.now() });
  void send();
}

/** Takes something back that waits, or forgets what was refused. */
export function takeBack(id: string): void {
  own.delete(id);
  removeItem(id);
}

/** Sends once more what was refused. */
export function postAgain(item: OutboxItem): void {
  outcomes.delete(item.id);
  own.add(item.id);
  putItem({ ...item, at: Date.now(), wasTried: undefined, refusal: undefined });
  void send();
}

/** Sends what is left of before, and whatever comes, for as long as the page lives. Returns how to stop. */
export function watchOutbox(): () => void {
  void send();
  const forget = [whenBack(sendWhenBack), whenOutboxChanges(() => sendIn(OTHERS_MS))];
  return () => {
    for (const stop of forget) stop();
    clearTimeout(timer);
    timer = undefined;
  };
}

function sendWhenBack(): void {
  if (outboxItems().some(({ id }) => own.has(id))) return void send();
  clearTimeout(timer);
  timer = undefined;
  sendIn(OTHERS_MS);
}

async function send(): Promise<void> {
  const who = userId();
  if (who === undefined) return;
  if (isSending) {
    isAskedAgain = true;
    return;
  }
  clearTimeout(timer);
  timer = undefined;
  isSending = true;
  isAskedAgain = false;
  const isLeft = await sendOutbox(who, noteOutcome).catch(() => true);
  isSending = false;
  if (isAskedAgain) return send();
  if (!isLeft) retryMs = FIRST_RETRY_MS;
  else {
    sendIn(retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }
}

function sendIn(ms: number): void {
  if (isSending || !outboxItems().some(({ refusal }) => refusal === undefined)) return;
  timer ??= window.setTimeout(() => {
    timer = undefined;
    void send();
  }, ms);
}

function noteOutcome(item: OutboxItem, outcome: Outcome): void {
  own.delete(item.id);
  outcomes.set(item.id, outcome);
  const [oldest] = outcomes.keys();
  if (outcomes.size > KEPT_OUTCOMES && oldest !== undefined) outcomes.delete(oldest);
  // Who waited for it may be elsewhere by now.
  if (outcome.refusal !== undefined && !hasWords(item) && (item.wasTried === true || item.call === 'withdrawPrompt'))
    sayError(outcome.refusal);
  if (item.call === 'decideApproval') void queryClient.invalidateQueries({ queryKey: ['listApprovals'] });
}

/** What somebody did in a session and the server has not confirmed; in every session where none is named. */
export function useOutbox(sessionId?: string): readonly OutboxItem[] {
  const items = useSyncExternalStore(whenOutboxChanges, outboxItems, () => NONE);
  const who = userId();
  return useMemo(
    () =>
      items.filter((item) => item.userId === who && (sessionId === undefined || item.input.sessionId === sessionId)),
    [items, who, sessionId],
  );
}

/** What became of an answer that was given from this page. */
export function outcomeOf(id: string): {
  answer?: AnswerOf<'decideApproval'>;
  refusal?: DragomanError;
} {
  return (outcomes.get(id) ?? {}) as ReturnType<typeof outcomeOf>;
}
