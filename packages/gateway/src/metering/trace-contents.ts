import type { ModelAnswer, ModelCall, ModelMessage, PromptFile, PromptText } from '@dragoman/protocol';
import { redactText, redactToolText } from '@dragoman/protocol/secrets';
import { activeSpan } from '@dragoman/server/base';
import type { Target } from '../routing/target.ts';
import { parseJson } from '../tools/json-object.ts';
import { hideProviderSecrets } from '../upstreams/provider-secrets.ts';

/** So many characters of a prompt, and of an answer, are told: collectors have limits. */
const MOST_TOLD = 16_384;
/** And so many of one text. */
const MOST_OF_TEXT = 8_192;
/** A secret that a cut goes through is known by what comes behind it. */
const BEYOND_CUT = 4_096;
/** What stands around the text of a part. */
const AROUND_PART = 64;
/** Names and ids are cut. */
const LONGEST_NAME = 200;

/** The words of OpenTelemetry's conventions. */
const FINISH_REASONS: Partial<Record<ModelAnswer['finishReason'], string>> = {
  'tool-calls': 'tool_call',
  'content-filter': 'content_filter',
};

type Part = Readonly<Record<string, unknown>>;

/**
 * Has the active span say what was asked and answered, in the form of OpenTelemetry's conventions for generative AI: the
 * newest messages, the beginning of each text, without secrets and without files.
 */
export function describeContents(
  prompt: ModelCall['prompt'] | undefined,
  answer: ModelAnswer | undefined,
  target: Target | undefined,
): void {
  const span = activeSpan();
  if (span?.context.isSampled !== true) return;
  if (prompt !== undefined) {
    const told = tellPrompt(prompt, new Room(target));
    span.setText('gen_ai.input.messages', JSON.stringify(told));
    if (told.length < prompt.length) span.set({ 'dragoman.input.messages_left_out': prompt.length - told.length });
  }
  if (answer === undefined || answer.content.length === 0) return;
  const parts = tellParts({ role: 'assistant', content: answer.content }, new Room(target));
  const reason = FINISH_REASONS[answer.finishReason] ?? answer.finishReason;
  span.setText('gen_ai.output.messages', JSON.stringify([{ role: 'assistant', parts, finish_reason: reason }]));
}

/** The newest say what the call is about. */
function tellPrompt(prompt: ModelCall['prompt'], room: Room): object[] {
  const told: object[] = [];
  for (const message of prompt.toReversed()) {
    if (room.isFull) break;
    room.enter();
    told.unshift({ role: message.role, parts: tellParts(message, room) });
  }
  return told;
}

function tellParts(message: ModelMessage, room: Room): Part[] {
  if (message.role === 'system') return [{ type: 'text', content: room.take(message.content) }];
  const parts: Part[] = [];
  for (const part of message.content) {
    if (room.isFull) break;
    parts.push(tellPart(part, room));
  }
  return parts;
}

function tellPart(part: Exclude<ModelMessage, { role: 'system' }>['content'][number], room: Room): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: room.take(part.text) };
    case 'file':
      return tellFile(part, room);
    case 'tool-call': {
      const input = room.take(part.input, redactToolText);
      return { type: 'tool_call', ...tellCall(part), arguments: parseJson(input) ?? input };
    }
    case 'tool-result':
      room.enter();
      return { type: 'tool_call_response', ...tellCall(part), response: tellResult(part.content, room) };
  }
}

function tellCall({ toolCallId, toolName }: { toolCallId: string; toolName: string }): Part {
  return { id: toolCallId.slice(0, LONGEST_NAME), name: toolName.slice(0, LONGEST_NAME) };
}

function tellResult(content: readonly (PromptText | PromptFile)[], room: Room): string {
  const texts: string[] = [];
  for (const part of content) {
    if (room.isFull) break;
    if (part.type === 'text') texts.push(room.take(part.text, redactToolText));
    else texts.push(`[${String(tellFile(part, room)['mime_type'])}]`);
  }
  return texts.join('\n');
}

/** That there was one, and of which kind. */
function tellFile({ mediaType }: PromptFile, room: Room): Part {
  room.enter();
  const type = mediaType.slice(0, LONGEST_NAME);
  return { type: 'blob', modality: type.split('/', 1)[0]!, mime_type: type, content: '' };
}

/** How much may still be told. */
class Room {
  #left = MOST_TOLD;
  readonly #target: Target | undefined;

  constructor(target: Target | undefined) {
    this.#target = target;
  }

  get isFull(): boolean {
    return this.#left <= 0;
  }

  /** The beginning of a text, as far as there is room, without secrets. */
  take(text: string, redact: typeof redactText = redactText): string {
    const most = Math.max(0, Math.min(MOST_OF_TEXT, this.#left));
    const read = text.slice(0, most + BEYOND_CUT);
    const shown = redact(this.#target === undefined ? read : hideProviderSecrets(read, this.#target.provider)).text;
    const end = read.length < text.length ? shown.length - BEYOND_CUT : shown.length;
    const told = shown.slice(0, Math.max(0, Math.min(most, end)));
    this.#left -= Math.min(most, read.length) + AROUND_PART;
    return told;
  }

  /** Something else is told. */
  enter(): void {
    this.#left -= AROUND_PART;
  }
}
