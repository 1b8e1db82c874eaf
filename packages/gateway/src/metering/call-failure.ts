import type { DragomanError } from '@dragoman/protocol';
import type { CallFailure } from '@dragoman/protocol/console';
import { callFailureSchema } from '@dragoman/protocol/console-calls';
import { redactText } from '@dragoman/protocol/secrets';
import { z } from 'zod';
import { optional } from '../optional.ts';
import { type Target, targetName } from '../routing/target.ts';
import { ProviderRefusal } from '../upstreams/upstream-error.ts';
import { MAX_NAME } from './request-info.ts';

/** How many of them are kept of one call: the first ones, which made it go on to others, and the last. */
const MOST_KEPT = 8;
const MAX_MESSAGE = 600;

/** What is kept of a target's error, which took so long to come. */
export function callFailure(target: Target, error: DragomanError, ms: number): CallFailure {
  return {
    target: targetName(target).slice(0, MAX_NAME),
    code: error.code,
    ...optional('status', error instanceof ProviderRefusal ? error.status : undefined),
    message: error.message.slice(0, MAX_MESSAGE),
    ms: Math.round(ms),
  };
}

/** What is kept of the reason why the gateway itself turned a call away. It has no target. */
export function ownRefusal(error: DragomanError, ms: number): CallFailure {
  const said = error.message.slice(0, MAX_MESSAGE);
  const message = error.code === 'bad-request' ? said.replaceAll(QUOTED, shortenQuote) : said;
  return { target: '', code: error.code, message: redactText(message).text, ms: Math.round(ms) };
}

const QUOTED = /"(?:[^"\\]|\\.)*(?:"|$)/g;

/** A word of the body that is quoted names a thing; several words may be what was said, which is not kept. */
function shortenQuote(quoted: string): string {
  return /\s/.test(quoted) ? '"…"' : quoted;
}

/** Adds one to those that are kept. */
export function addFailure(failures: CallFailure[], failure: CallFailure): void {
  if (failures.length >= MOST_KEPT) failures.pop();
  failures.push(failure);
}

/** Those of a call as its row has them; none where they cannot be read. */
export function readFailures(json: string | null): CallFailure[] | undefined {
  if (json === null) return undefined;
  try {
    return z.array(callFailureSchema).parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
