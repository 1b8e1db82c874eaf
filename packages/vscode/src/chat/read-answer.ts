import { DragomanError, readServerEvents } from '@dragoman/protocol';
import { chatWords } from './chat-words.ts';

/** What an answer consists of, told as it comes. */
export interface AnswerSink {
  text(piece: string): void;
  /** A whole call, when its last piece has come. */
  toolCall(call: { id: string; name: string; input: object }): void;
}

/** A piece of an answer, as far as it is read. */
interface AnswerChunk {
  error?: { message?: string | null } | null;
  choices?: { delta?: AnswerDelta | null; finish_reason?: string | null }[] | null;
}

interface AnswerDelta {
  content?: string | null;
  tool_calls?:
    | {
        index?: number;
        id?: string | null;
        function?: { name?: string | null; arguments?: string | null } | null;
      }[]
    | null;
}

interface OpenCall {
  id: string;
  name: string;
  input: string;
}

/**
 * Reads a streamed answer of the Chat Completions dialect to its end. Reasoning has no place in the editor's chat and is
 * left out. What the server says went wrong is thrown in its words; an answer without an end broke off.
 */
export async function readAnswer(
  body: ReadableStream<Uint8Array>,
  sink: AnswerSink,
  onPiece: () => void = () => {},
): Promise<void> {
  const calls = new Map<number, OpenCall>();
  let isComplete = false;
  await readServerEvents(
    body,
    ({ data }) => {
      if (data === '[DONE]') {
        isComplete = true;
        return;
      }
      const chunk = parseChunk(data);
      if (chunk.error !== undefined && chunk.error !== null)
        throw new DragomanError('unavailable', chunk.error.message ?? chatWords.now().brokeOff);
      const choice = chunk.choices?.[0];
      const text = choice?.delta?.content;
      if (typeof text === 'string' && text !== '') sink.text(text);
      for (const piece of choice?.delta?.tool_calls ?? []) takePiece(calls, piece);
      if (typeof choice?.finish_reason === 'string') isComplete = true;
    },
    { onPiece },
  );
  if (!isComplete) throw new DragomanError('unavailable', chatWords.now().brokeOff, { isRetryable: true });
  for (const { id, name, input } of calls.values()) sink.toolCall({ id, name, input: parseInput(name, input) });
}

function takePiece(calls: Map<number, OpenCall>, piece: NonNullable<AnswerDelta['tool_calls']>[number]): void {
  const index = piece.index ?? calls.size;
  const call = calls.get(index) ?? { id: `call_${index}`, name: '', input: '' };
  calls.set(index, {
    id: piece.id ?? call.id,
    name: call.name + (piece.function?.name ?? ''),
    input: call.input + (piece.function?.arguments ?? ''),
  });
}

function parseChunk(data: string): AnswerChunk {
  try {
    const value = JSON.parse(data) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch (cause) {
    throw new DragomanError('unavailable', chatWords.now().brokeOff, { cause, isRetryable: true });
  }
}

function parseInput(name: string, text: string): object {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new DragomanError('unavailable', chatWords.now().badToolInput(name));
}
