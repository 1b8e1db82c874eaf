import {
  type AgentError,
  type DragomanError,
  type FinishReason,
  type ModelEvent,
  type ModelSink,
  type ModelUsage,
  newId,
  type ProviderMetadata,
} from '@dragoman/protocol';
import type { Session } from '../session/session.ts';
import { RepeatedText } from './repeated-text.ts';

/** What came of one try to get an answer. */
export interface RecordedAnswer {
  finishReason: FinishReason | undefined;
  usage: ModelUsage | undefined;
  error: DragomanError | undefined;
  /** Why it was not let go on: it came to no end. */
  stopped: AgentError | undefined;
  /** The parts that were made, in order. */
  partIDs: string[];
  /** Whether the model calls a tool in it. */
  hasCalls: boolean;
}

/** Where an answer is written, and who is told when it has to be stopped. */
export interface RecorderOptions {
  session: Session;
  /** The message that the answer is written into. */
  messageID: string;
  /** No answer is longer. */
  maxChars: number;
  /** Told when the answer should not go on. */
  onStop: () => void;
}

/** What a block counts for beside its text, so that thousands of empty ones come to an end as well. */
const BLOCK_CHARS = 100;

type Kind = 'reasoning' | 'text' | 'tool-input';

/**
 * Model events in, events of the session out: each block becomes a part.
 *
 * Blocks are known by the provider's ids inside one answer, and by part ids from here on, so that blocks that interleave
 * stay apart. A block that is left open is ended with the answer. A call keeps the id that the model gave it unless
 * another one has it already: providers refuse a prompt in which two calls have the same.
 */
export function recordAnswer({
  session,
  messageID,
  maxChars,
  onStop,
}: RecorderOptions): ModelSink & { answer: RecordedAnswer; close(): void } {
  const answer: RecordedAnswer = {
    finishReason: undefined,
    usage: undefined,
    error: undefined,
    stopped: undefined,
    partIDs: [],
    hasCalls: false,
  };
  const open = new Map<string, { partID: string; kind: Kind; repetition: RepeatedText }>();
  let callIDs: Set<string> | undefined;
  let chars = 0;
  let isClosed = false;

  const stop = (error: AgentError) => {
    answer.stopped = error;
    onStop();
  };
  const count = (more: number) => {
    chars += more;
    if (chars > maxChars) stop(lengthError(maxChars));
  };
  const start = (kind: Kind, id: string): string => {
    end(kind, id); // A block that begins again is another one.
    const partID = newId('prt');
    open.set(kind + id, { partID, kind, repetition: new RepeatedText() });
    answer.partIDs.push(partID);
    count(BLOCK_CHARS);
    return partID;
  };
  const delta = (kind: Kind, id: string, text: string) => {
    const block = open.get(kind + id);
    if (block === undefined || text === '') return;
    session.append({ type: `${kind}-delta`, messageID, partID: block.partID, delta: text });
    count(text.length);
    if (kind === 'tool-input') return;
    const piece = block.repetition.push(text);
    if (piece !== undefined) stop(repetitionError(piece));
  };
  const end = (kind: Kind, id: string, metadata?: ProviderMetadata) => {
    const block = open.get(kind + id);
    if (block === undefined) return;
    open.delete(kind + id);
    session.append({
      type: `${kind}-end`,
      messageID,
      partID: block.partID,
      ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    });
  };
  const ownCallID = (id: string): string => {
    callIDs ??= usedCallIDs(session);
    const own = id === '' || callIDs.has(id) ? newId('call') : id;
    callIDs.add(own);
    return own;
  };

  return {
    answer,
    close() {
      for (const [key, { kind }] of open) end(kind, key.slice(kind.length));
      isClosed = true;
    },
    push(event: ModelEvent) {
      if (isClosed || answer.stopped !== undefined) return;
      switch (event.type) {
        case 'reasoning-start':
          session.append({ type: 'reasoning-start', messageID, partID: start('reasoning', event.id) });
          return;
        case 'text-start':
          session.append({ type: 'text-start', messageID, partID: start('text', event.id) });
          return;
        case 'tool-input-start':
          answer.hasCalls = true;
          session.append({
            type: 'tool-input-start',
            messageID,
            partID: start('tool-input', event.id),
            callID: ownCallID(event.id),
            tool: event.toolName,
          });
          return;
        case 'reasoning-delta':
          return delta('reasoning', event.id, event.delta);
        case 'text-delta':
          return delta('text', event.id, event.delta);
        case 'tool-input-delta':
          return delta('tool-input', event.id, event.delta);
        case 'reasoning-end':
          return end('reasoning', event.id, event.providerMetadata);
        case 'text-end':
          return end('text', event.id, event.providerMetadata);
        case 'tool-input-end':
          return end('tool-input', event.id, event.providerMetadata);
        case 'finish':
          answer.finishReason = event.finishReason;
          answer.usage = event.usage;
          return;
        case 'error':
          answer.error = event.error;
          return;
        case 'response-metadata':
      }
    },
  };
}

function usedCallIDs({ state }: Session): Set<string> {
  return new Set(
    state.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool' ? [part.callID] : []))),
  );
}

function repetitionError(piece: string): AgentError {
  return {
    code: 'loop',
    message: `The model was stopped because it kept repeating itself (${JSON.stringify(piece.trim().slice(0, 80))}).`,
    details: { kind: 'text' },
  };
}

function lengthError(limit: number): AgentError {
  return {
    code: 'output-limit',
    message: `The model was stopped because its answer is longer than ${limit} characters.`,
    details: { limit },
  };
}
