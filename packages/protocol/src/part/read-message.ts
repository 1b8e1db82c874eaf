import { type Message, messageSchema } from './message.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a message: ours, or one as opencode writes it, where the variant stands inside the model, an assistant's model
 * stands apart, and errors have a name.
 */
export function readMessage(value: unknown): Message {
  const { info, parts } = (value ?? {}) as { info?: Json; parts?: unknown };
  return messageSchema.parse({
    info: info === undefined ? info : toInfo(info),
    parts: Array.isArray(parts) ? parts.map((part: unknown) => toPart(part as Json)) : parts,
  });
}

function toInfo(info: Json): Json {
  const model = info['model'] as Json | undefined;
  const nested = model?.['variant'];
  const named =
    model === undefined && info['providerID'] !== undefined
      ? { model: { providerID: info['providerID'], modelID: info['modelID'] } }
      : {};
  return {
    ...info,
    ...named,
    ...(info['variant'] === undefined && nested !== undefined ? { variant: nested } : {}),
    ...(info['role'] === 'assistant' && info['costSource'] === undefined ? { costSource: 'computed' } : {}),
    ...(info['error'] === undefined ? {} : { error: toError(info['error'] as Json) }),
  };
}

function toPart(part: Json): Json {
  if (part['type'] === 'compaction' && part['tail_start_id'] !== undefined)
    return { ...part, tailStartID: part['tail_start_id'] };
  if (part['type'] === 'retry') return { ...part, error: toError(part['error'] as Json) };
  return part;
}

const CODES: Readonly<Record<string, string>> = {
  MessageAbortedError: 'aborted',
  MessageOutputLengthError: 'output-limit',
  ContextOverflowError: 'context-overflow',
  ContentFilterError: 'content-filter',
};

function toError(error: Json): Json {
  if (error['code'] !== undefined) return error;
  const data = error['data'] as Json | undefined;
  return {
    code: CODES[String(error['name'])] ?? 'model',
    message: data?.['message'] ?? String(error['name']),
    ...(data?.['isRetryable'] === undefined ? {} : { isRetryable: data['isRetryable'] }),
  };
}
