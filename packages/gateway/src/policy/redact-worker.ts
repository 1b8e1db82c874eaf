import { parentPort } from 'node:worker_threads';
import { redactBody } from './redact-body.ts';
import { redactCall } from './redact-call.ts';
import type { RedactionOrder, RedactionResult } from './redaction-threads.ts';

parentPort!.on('message', (order: RedactionOrder) => parentPort!.postMessage(carryOut(order)));

/** What is unchanged need not be sent back. */
function carryOut(order: RedactionOrder): RedactionResult {
  if ('prompt' in order) {
    const { call, count } = redactCall({ prompt: order.prompt, tools: [] });
    return { count, value: count === 0 ? undefined : call.prompt };
  }
  const { body, count } = redactBody(order.body, order.said);
  return { count, value: count === 0 ? undefined : body };
}
