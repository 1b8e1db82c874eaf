import {
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
  /** The piece of text that the model wrote over and over. */
  repeated: string | undefined;
  /** The parts that were made, in order. */
  partIDs: string[];
}

/**
 * Model events in, events of the session out: each block becomes a part.
 *
 * Blocks are known by the provider's ids inside one answer, and by part ids from here on, so that blocks that interleave
 * stay apart. A block that is left open is ended with the answer.
 */
export function recordAnswer(
  session: Session,
  messageID: string,
  onRepetition: () => void,
): ModelSink & { answer: RecordedAnswer; endOpenBlocks(): void } {
  const answer: RecordedAnswer = {
    finishReason: undefined,
    usage: undefined,
    error: undefined,
    repeated: undefined,
    partIDs: [],
  };
  const open = new Map<
    string,
    { partID: string; kind: 'reasoning' | 'text' | 'tool-input'; repetition: RepeatedText }
  >();

  const start = (kind: 'reasoning' | 'text' | 'tool-input', id: string): string => {
    const partID = newId('prt');
    open.set(kind + id, { partID, kind, repetition: new RepeatedText() });
    answer.partIDs.push(partID);
    return partID;
  };
  const delta = (kind: 'reasoning' | 'text', id: string, text: string) => {
    const block = open.get(kind + id);
    if (block === undefined || text === '' || answer.repeated !== undefined) return;
    session.append({ type: `${kind}-delta`, messageID, partID: block.partID, delta: text });
    answer.repeated = block.repetition.push(text);
    if (answer.repeated !== undefined) onRepetition();
  };
  const end = (kind: 'reasoning' | 'text' | 'tool-input', id: string, metadata?: ProviderMetadata) => {
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

  return {
    answer,
    endOpenBlocks() {
      for (const [key, { kind }] of open) end(kind, key.slice(kind.length));
    },
    push(event: ModelEvent) {
      switch (event.type) {
        case 'reasoning-start':
          session.append({ type: 'reasoning-start', messageID, partID: start('reasoning', event.id) });
          return;
        case 'text-start':
          session.append({ type: 'text-start', messageID, partID: start('text', event.id) });
          return;
        case 'tool-input-start':
          session.append({
            type: 'tool-input-start',
            messageID,
            partID: start('tool-input', event.id),
            callID: event.id,
            tool: event.toolName,
          });
          return;
        case 'reasoning-delta':
          return delta('reasoning', event.id, event.delta);
        case 'text-delta':
          return delta('text', event.id, event.delta);
        case 'tool-input-delta': {
          const block = open.get(`tool-input${event.id}`);
          if (block !== undefined && event.delta !== '')
            session.append({ type: 'tool-input-delta', messageID, partID: block.partID, delta: event.delta });
          return;
        }
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
