import { type AgentError, DragomanError, type ModelCall, newId } from '@dragoman/protocol';
import { setTimeout as wait } from 'node:timers/promises';
import type { AgentModel } from '../agent-model.ts';
import type { Session } from '../session/session.ts';
import { type RecordedAnswer, recordAnswer } from './answer-recorder.ts';
import { retryDelay, type RetrySettings } from './retry-rule.ts';
import { type StreamTimeouts, watchSilence } from './stream-limits.ts';
import { withTimeLimit } from './time-limit.ts';
import { endingOf } from './turn-ending.ts';

/** An answer that is longer than this is not one: a model is told how many tokens it may write. */
const LEAST_MAX_CHARS = 1_000_000;
const MOST_CHARS_PER_TOKEN = 16;

/** One model call, and how it is watched over. */
export interface StepOptions {
  session: Session;
  model: AgentModel;
  call: ModelCall;
  /** The assistant message that the answer is written into. */
  messageID: string;
  timeouts: StreamTimeouts;
  retry: RetrySettings;
  /** How long a model that is called off may take to end. */
  graceMs?: number | undefined;
  abort: AbortSignal;
  random?: () => number;
}

/** How a model call ended: an answer, or an error that ends the turn or asks for a shorter prompt. */
export interface StepAnswer {
  answer: RecordedAnswer;
  error: AgentError | undefined;
}

/**
 * Asks the model once, and again when what went wrong passes by itself.
 *
 * A try that failed leaves nothing behind but a retry part: what it had half written is removed, so that no text stands
 * there twice.
 */
export async function askModel(options: StepOptions): Promise<StepAnswer> {
  const { session, messageID, abort, retry, random } = options;
  for (let attempt = 1; ; attempt++) {
    const answer = await askOnce(options);
    const failure = answer.error;
    if (abort.aborted) return { answer, error: endingOf(abort) };
    if (answer.stopped !== undefined) return { answer, error: answer.stopped };
    if (failure === undefined) return { answer, error: finishError(answer) };
    const delay = retryDelay(failure, attempt, retry, random);
    if (delay === undefined) return { answer, error: toAgentError(failure) };
    for (const partID of answer.partIDs) session.append({ type: 'part-removed', messageID, partID });
    session.append({
      type: 'part-added',
      part: {
        id: newId('prt'),
        sessionID: session.id,
        messageID,
        type: 'retry',
        attempt,
        error: {
          ...toAgentError(failure),
          details: { code: failure.code, delayMs: Math.round(delay), retries: retry.retries },
        },
        time: { created: Date.now() },
      },
    });
    try {
      await wait(delay, undefined, { signal: abort });
    } catch {
      return { answer, error: endingOf(abort) };
    }
  }
}

async function askOnce(options: StepOptions): Promise<RecordedAnswer> {
  const { session, model, call, messageID, timeouts, graceMs, abort } = options;
  const ending = new AbortController();
  const recorder = recordAnswer({
    session,
    messageID,
    maxChars: Math.max(LEAST_MAX_CHARS, model.maxOutputTokens * MOST_CHARS_PER_TOKEN),
    onStop: () => ending.abort(),
  });
  const { answer } = recorder;
  let silence: DragomanError | undefined;
  const watched = watchSilence(recorder, timeouts, (error) => {
    silence = error;
    ending.abort(error);
  });
  try {
    await withTimeLimit((signal) => model.model.stream(call, watched, signal), {
      signal: AbortSignal.any([abort, ending.signal]),
      graceMs,
    });
    if (answer.finishReason === undefined)
      answer.error ??= new DragomanError('unavailable', "The model's answer was cut off.", { isRetryable: true });
  } catch (error) {
    // A model says what went wrong in its stream; one that throws has a fault of its own.
    answer.error = new DragomanError('internal', `The model failed: ${(error as Error).message}`, { cause: error });
  } finally {
    watched.stop();
    recorder.close();
  }
  if (silence !== undefined) answer.error = silence;
  return answer;
}

/** An answer that came to its end and is none all the same. One that calls tools goes on, however it ended. */
function finishError({ finishReason, partIDs, hasCalls }: RecordedAnswer): AgentError | undefined {
  if (finishReason === 'content-filter')
    return { code: 'content-filter', message: "The answer was stopped by the provider's content filter." };
  if (finishReason === 'length' && !hasCalls) {
    const when = partIDs.length === 0 ? 'before any text' : 'in the middle of the answer';
    return { code: 'output-limit', message: `The model reached its output limit ${when}.` };
  }
  if (partIDs.length === 0) return { code: 'model', message: 'The model returned an empty answer.' };
  return undefined;
}

function toAgentError(error: DragomanError): AgentError {
  const details = { code: isKeyRejected(error) ? 'unauthenticated' : error.code };
  if (error.code === 'context-overflow') return { code: 'context-overflow', message: error.message, details };
  if (error.code === 'timed-out') return { code: 'timed-out', message: error.message, isRetryable: true, details };
  if (error.code === 'cancelled') return { code: 'aborted', message: error.message };
  return { code: 'model', message: error.message, isRetryable: error.isRetryable, details };
}

/** A provider that answers 401 does not know the key; with 403 it knows it, and forbids something. */
function isKeyRejected(error: DragomanError): boolean {
  return error.code === 'forbidden' && 'status' in error && error.status === 401;
}
