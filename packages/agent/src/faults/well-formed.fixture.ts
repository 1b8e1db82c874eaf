import {
  type AgentEvent,
  isOpenToolState,
  type LoggedEvent,
  type ModelMessage,
  type SessionState,
} from '@dragoman/protocol';
import { agentEventSchema, messageSchema } from '@dragoman/protocol/schemas';
import { expect } from 'vitest';

/** What every provider asks of a prompt. */
export function expectWellFormed(prompt: readonly ModelMessage[]): void {
  expect(prompt[0]!.role).toBe('system');
  expect(prompt[1]!.role).toBe('user');
  const ids = new Set<string>();
  for (const [index, message] of prompt.entries()) {
    expect(message.content.length).toBeGreaterThan(0);
    if (message.role === 'system') expect(index).toBe(0);
    if (message.role === 'assistant') expectAnswer(message, prompt[index + 1], ids);
    if (message.role === 'tool') {
      const before = prompt[index - 1]!;
      expect(before.role === 'assistant' && callsOf(before).length > 0).toBe(true);
    }
    if (message.role === 'user' || message.role === 'tool') for (const piece of message.content) expectSaid(piece);
  }
}

type Answer = Extract<ModelMessage, { role: 'assistant' }>;

function callsOf({ content }: Answer): string[] {
  return content.flatMap((piece) => (piece.type === 'tool-call' ? [piece.toolCallId] : []));
}

/** Each call has exactly one result, right behind it, and an id that nobody else has. */
function expectAnswer(answer: Answer, next: ModelMessage | undefined, ids: Set<string>): void {
  const calls = callsOf(answer);
  for (const id of calls) {
    expect(id).not.toBe('');
    expect(ids.has(id)).toBe(false);
    ids.add(id);
  }
  const results = next?.role === 'tool' ? next.content.map(({ toolCallId }) => toolCallId) : [];
  expect(results).toEqual(calls);
  for (const piece of answer.content) {
    if (piece.type === 'tool-call') {
      expect(JSON.parse(piece.input)).toBeTypeOf('object');
      expect(piece.toolName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    } else if (piece.type === 'text') expectSaid(piece);
    else expect(piece.text !== '' || piece.providerOptions !== undefined).toBe(true);
  }
  expect(answer.content.some(({ type }) => type !== 'reasoning')).toBe(true);
}

function expectSaid(piece: Exclude<ModelMessage['content'], string>[number]): void {
  if (piece.type === 'text') expect(piece.text.trim()).not.toBe('');
  if (piece.type === 'tool-result') {
    expect(piece.content.length).toBeGreaterThan(0);
    for (const inner of piece.content) expectSaid(inner);
  }
}

/** Everything in a log and in its state is what the published schema says. */
export function expectValid(events: readonly LoggedEvent[], state: SessionState): void {
  for (const { event } of events) expect(agentEventSchema.parse(event)).toEqual(withoutUndefined(event));
  for (const message of state.messages) expect(messageSchema.parse(message)).toEqual(withoutUndefined(message));
}

function withoutUndefined<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** A session where nothing runs has nothing open: calls, steps, blocks and the turn have their ends. */
export function expectSettled(state: SessionState): void {
  for (const { info, parts } of state.messages) {
    if (info.role === 'assistant') expect(info.time.completed).toBeGreaterThanOrEqual(info.time.created);
    for (const part of parts) {
      if (part.type === 'tool') expect(isOpenToolState(part.state)).toBe(false);
      if (part.type === 'reasoning') expect(part.time.end).toBeGreaterThanOrEqual(part.time.start);
      if (part.type === 'text' && part.time !== undefined)
        expect(part.time.end).toBeGreaterThanOrEqual(part.time.start);
    }
  }
  if (state.turn !== undefined) expect(state.turn.finishedAt).toBeGreaterThanOrEqual(state.turn.startedAt);
}

/** Every step has one start and one end, and they enclose what is said in it. */
export function expectEnclosed(events: readonly AgentEvent[]): void {
  let open: string | undefined;
  const done = new Set<string>();
  for (const event of events) {
    if (event.type === 'start-step') {
      expect(open).toBeUndefined();
      open = event.info.id;
    } else if (event.type === 'finish-step') {
      expect(open).toBe(event.messageID);
      open = undefined;
      done.add(event.messageID);
    } else if ('partID' in event) {
      expect(done.has(event.messageID)).toBe(false);
    }
  }
  expect(open).toBeUndefined();
}
