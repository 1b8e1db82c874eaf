import type { ModelCall, ModelMessage } from '@dragoman/protocol';
import type { JsonObject } from '../tools/json-object.ts';
import { redactBody } from './redact-body.ts';
import { redactCall } from './redact-call.ts';

/** What takes a few milliseconds, or a fraction of a second where the text is made to be slow, is done at once. */
const LONG_TEXT = 256 * 1024;

/** `redactCall`, in a thread where the prompt is long. */
export async function redactCallAside(call: ModelCall): Promise<{ call: ModelCall; count: number }> {
  if (!isLong(call.prompt)) return redactCall(call);
  const { redactInThread } = await import('./redaction-threads.ts');
  const { count, value } = await redactInThread({ prompt: call.prompt });
  return { call: count === 0 ? call : { ...call, prompt: value as ModelMessage[] }, count };
}

/** `redactBody`, in a thread where the body is long. */
export async function redactBodyAside(
  body: JsonObject,
  said: readonly string[],
): Promise<{ body: JsonObject; count: number }> {
  if (!isLong(body)) return redactBody(body, said);
  const { redactInThread } = await import('./redaction-threads.ts');
  const { count, value } = await redactInThread({ body, said });
  return { body: count === 0 ? body : (value as JsonObject), count };
}

/** Whether the texts in a value add up to a long one. Looks no further than it takes to tell. */
function isLong(value: unknown): boolean {
  let length = 0;
  const values = [value];
  for (const one of values) {
    if (typeof one === 'string') length += one.length;
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) values.push(inner);
    if (length > LONG_TEXT || values.length > LONG_TEXT) return true;
  }
  return false;
}
