import { type DragomanError, type ModelSink, newId, type ProviderMetadata } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import { toCallPart, toSignature } from './answer-part.ts';
import type { GeminiContext } from './decode-request.ts';
import { encodeGeminiError } from './encode-error.ts';
import { toFinishReason } from './finish-reason.ts';
import { toUsageMetadata } from './usage-metadata.ts';
import type { GeminiAnswerPart } from './wire.ts';

/** What stands around the pieces of a stream. */
interface Framing {
  first: string;
  next: string;
  /** Behind each piece. */
  end: string;
  last: string;
  /** In front of an error. */
  error: string;
}

/**
 * Google's older library reads no errors in a stream and would take what was cut for whole. It fails at an empty line, which
 * says nothing to other readers of events.
 */
const SSE: Framing = { first: 'data: ', next: 'data: ', end: '\n\n', last: '', error: '\n' };
/** Without `alt=sse` a stream is one JSON list, written piece by piece. */
const LIST: Framing = { first: '[', next: ',\n', end: '', last: ']', error: '' };

/** Model events as server-sent events. */
export function encodeGeminiStream(write: (text: string) => void, request: DecodedRequest<GeminiContext>): ModelSink {
  return encodePieces(write, request, SSE);
}

/** Model events as a JSON list. */
export function encodeGeminiList(write: (text: string) => void, request: DecodedRequest<GeminiContext>): ModelSink {
  return encodePieces(write, request, LIST);
}

/**
 * Every piece is an answer of its own, with the parts that are new in it. A call comes whole. What stands around a piece of
 * text is the same for the whole answer and made once, so a piece costs one JSON string.
 */
function encodePieces(
  write: (text: string) => void,
  { asked, context }: DecodedRequest<GeminiContext>,
  framing: Framing,
): ModelSink {
  const calls = new Map<string, { toolName: string; input: string }>();
  let tail = makeTail(newId('call'), asked);
  let before = framing.first;
  let hasUnreadable = false;

  const writePiece = (piece: string) => {
    write(before + piece + framing.end);
    before = framing.next;
  };
  const writePart = (part: string) =>
    writePiece(`{"candidates":[{"content":{"parts":[${part}],"role":"model"},"index":0}],${tail}}`);
  const writeSignature = (part: GeminiAnswerPart, metadata: ProviderMetadata | undefined) => {
    const signature = toSignature(metadata);
    if (signature.thoughtSignature !== undefined) writePart(JSON.stringify({ ...part, ...signature }));
  };

  return {
    push(event) {
      switch (event.type) {
        case 'text-delta':
          return event.delta === '' ? undefined : writePart(`{"text":${JSON.stringify(event.delta)}}`);
        case 'reasoning-delta':
          if (event.delta === '' || !context.wantsThoughts) return;
          return writePart(`{"text":${JSON.stringify(event.delta)},"thought":true}`);
        case 'text-end':
          return writeSignature({ text: '' }, event.providerMetadata);
        case 'reasoning-end':
          return context.wantsThoughts
            ? writeSignature({ text: '', thought: true }, event.providerMetadata)
            : undefined;
        case 'tool-input-start':
          calls.set(event.id, { toolName: event.toolName, input: '' });
          return;
        case 'tool-input-delta':
          calls.get(event.id)!.input += event.delta;
          return;
        case 'tool-input-end': {
          const { toolName, input } = calls.get(event.id)!;
          calls.delete(event.id);
          const { id: toolCallId, providerMetadata } = event;
          const part = toCallPart({
            toolCallId,
            toolName,
            input,
            ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
          });
          if (part === undefined) hasUnreadable = true;
          else writePart(JSON.stringify(part));
          return;
        }
        case 'response-metadata':
          tail = makeTail(event.id ?? newId('call'), event.modelId ?? asked);
          return;
        case 'finish': {
          const reason = toFinishReason(event.finishReason, event.rawFinishReason, hasUnreadable);
          const usage = JSON.stringify(toUsageMetadata(event.usage));
          writePiece(
            `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"${reason}","index":0}],"usageMetadata":${usage},${tail}}`,
          );
          return write(framing.last);
        }
        case 'error':
          before = framing.error + before;
          writePiece(JSON.stringify(encodeGeminiError(event.error)));
          return write(framing.last);
        default: // The first piece is the start of a text or thought.
      }
    },
  };
}

/** What ends a stream of events that was passed on and broke off. */
export function encodeGeminiBreak(error: DragomanError): string {
  return `${SSE.error}data: ${JSON.stringify(encodeGeminiError(error))}\n\n`;
}

function makeTail(id: string, model: string): string {
  return `"modelVersion":${JSON.stringify(model)},"responseId":${JSON.stringify(id)}`;
}
