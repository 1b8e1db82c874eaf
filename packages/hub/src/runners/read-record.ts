import { type ContentBlock, FIRST_MISTAKE, type OutboxRecord, type RunnerEvent } from '@dragoman/protocol';
import { outboxRecordSchema } from '@dragoman/protocol/schemas';
import { boundEvent, isId } from './bound-event.ts';

/** The last moment that a date can tell. */
const MAX_TIME = 8.64e15;
const ROLES = new Set<unknown>(['user', 'assistant', 'agent']);

/**
 * One line of an outbox, or nothing where it cannot be read.
 *
 * Blocks come by the thousand and are looked at by hand; everything else, and every block with more in it than the usual,
 * goes through the schema. Where a block was opened is for the log to say, so what a runner says of it is dropped.
 */
export function readRecord(value: unknown): OutboxRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { sessionId, at, event } = value as { sessionId?: unknown; at?: unknown; event?: unknown };
  if (typeof sessionId === 'string' && isTime(at) && typeof event === 'object' && event !== null) {
    const read = readBlockEvent(event as Record<string, unknown>);
    if (read !== undefined) return { sessionId, at, event: read };
  }
  // What is neither an event nor a number is not worth the search for a reason, which takes far longer.
  return typeof event === 'object' || 'handled' in value ? readBySchema(value) : undefined;
}

function isTime(at: unknown): at is number {
  return typeof at === 'number' && at >= 0 && at <= MAX_TIME;
}

function readBySchema(value: object): OutboxRecord | undefined {
  const { success, data } = outboxRecordSchema.safeParse(value, FIRST_MISTAKE);
  if (!success) return undefined;
  if ('handled' in data) return Number.isSafeInteger(data.handled) ? data : undefined;
  const bounded = isTime(data.at) ? boundEvent(data.event) : undefined;
  if (bounded === undefined) return undefined;
  if (bounded.type === 'block-start') {
    const { since: _, inputText: __, ...event } = bounded;
    return { ...data, event };
  }
  if (bounded.type === 'block-stop') {
    const { since: _, ...event } = bounded;
    return { ...data, event };
  }
  return { ...data, event: 'blockId' in bounded ? bounded : withoutZeros(bounded) };
}

/** PostgreSQL cannot keep the character zero, and what is in these events goes into columns of its own. */
function withoutZeros<Event extends RunnerEvent>(event: Event): Event {
  const text = JSON.stringify(event);
  if (!text.includes(String.raw`\u0000`)) return event;
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value,
  ) as Event;
}

function readBlockEvent(event: Record<string, unknown>): RunnerEvent | undefined {
  const { type, blockId } = event;
  if (typeof blockId !== 'string' || !isId(blockId)) return undefined;
  if (type === 'block-delta') {
    const { delta } = event;
    return typeof delta === 'string' ? { type, blockId, delta } : undefined;
  }
  const { messageId, role, block } = event;
  if (type !== 'block-start' && type !== 'block-stop') return undefined;
  if (typeof messageId !== 'string' || !isId(messageId) || !ROLES.has(role) || !isUsualBlock(block)) return undefined;
  return { type, messageId, role: role as 'user', blockId, block };
}

/** The blocks that nearly all are, with nothing but their own fields. */
function isUsualBlock(value: unknown): value is ContentBlock {
  if (typeof value !== 'object' || value === null) return false;
  const block = value as Record<string, unknown>;
  const isText = (field: string) => typeof block[field] === 'string';
  const fields = Object.keys(block).length;
  switch (block['type']) {
    case 'text':
      return fields === 2 && isText('text');
    case 'thinking':
      return fields === 2 && isText('thinking');
    case 'tool_use':
      return fields === 4 && isText('id') && isText('name') && isRecord(block['input']);
    case 'tool_result':
      return fields === 3 && isText('tool_use_id') && isText('content');
    default:
      return false;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
