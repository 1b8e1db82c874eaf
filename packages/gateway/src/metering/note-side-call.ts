import type { DragomanError } from '@dragoman/protocol';
import type { Target } from '../routing/target.ts';
import type { CallBook } from './call-book.ts';
import { type AnswerMeasure, newMeasure } from './meter-answer.ts';
import { type CallOwner, noteCall } from './note-call.ts';

/** A call beside those of the chat, such as for vectors or for what was said in a recording. */
export interface SideCall {
  /** How these calls are told from others, where the dialect stands. */
  dialect: string;
  /** "provider/model". */
  model: string;
  target: Target;
  /** Where the call is noted, and whose it is; without it it is not. */
  notes: { book: CallBook; caller: CallOwner } | undefined;
  redactions?: number;
  toError(thrown: unknown): DragomanError;
}

/** Makes the call and notes how it ended. */
export async function noteSideCall<Result>(
  { dialect, model, target, notes, redactions = 0, toError }: SideCall,
  call: (measure: AnswerMeasure) => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  notes?.book.calls.began();
  const measure = newMeasure();
  let error: DragomanError | undefined;
  try {
    const result = await call(measure);
    measure.firstEventAt = performance.now();
    measure.finishReason = 'stop';
    return result;
  } catch (thrown) {
    error = toError(thrown);
    throw error;
  } finally {
    if (notes !== undefined)
      noteCall(notes.book, {
        caller: notes.caller,
        dialect,
        route: model,
        target,
        attempts: 1,
        isStreamed: false,
        startedAt,
        measure,
        error,
        isCancelled: error?.code === 'cancelled',
        redactions,
        repairs: 0,
      });
  }
}
