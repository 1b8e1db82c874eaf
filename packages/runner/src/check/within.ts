import { DragomanError } from '@dragoman/protocol';
import { withTimeLimit } from '../time-limit.ts';

/** What came of waiting: a value, an error in words, or nothing in time. */
export type Waited<Value> =
  | { type: 'value'; value: Value }
  | { type: 'error'; text: string; error: unknown }
  | { type: 'late' };

/** Waits for something, not for ever, and not when the whole is called off. What goes wrong is a finding, not a failure. */
export async function within<Value>(
  work: () => Promise<Value>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Waited<Value>> {
  let isLate = () => false;
  try {
    const value = await withTimeLimit([signal], async (limit) => {
      isLate = () => limit.signal.aborted;
      limit.allow(limitMs, 'late');
      return work();
    });
    return { type: 'value', value };
  } catch (error) {
    if (signal?.aborted === true) throw new DragomanError('cancelled', 'the check was cancelled');
    return isLate()
      ? { type: 'late' }
      : { type: 'error', text: error instanceof Error ? error.message : String(error), error };
  }
}
