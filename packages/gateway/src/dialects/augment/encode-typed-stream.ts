import type { DragomanError, ModelSink, ModelUsage } from '@dragoman/protocol';
import { isJsonObject, type JsonObject, parseJson } from '../../tools/json-object.ts';
import { signCallId } from '../../tools/signed-call-id.ts';
import { encodeNdjsonLine } from './ndjson.ts';
import { stopWord } from './stop-reason.ts';

/** Kinds of typed frames. */
const TYPED_NODE = {
  RAW_RESPONSE: 0,
  TOOL_RESULT: 1,
  MAIN_TEXT_FINISHED: 2,
  IMAGE_ID: 3,
  SAFETY: 4,
  TOOL_USE: 5,
  CHECKPOINT: 6,
} as const;

/** Model events in the form of the seed, for `?frames=typed`: a type on every line, words for the end. */
export function encodeTypedStream(write: (text: string) => void): ModelSink & { readonly hasToolCalls: boolean } {
  const calls = new Map<string, { wireId: string; name: string; input: string }>();
  const stream = new TypedStreamBuilder();
  return {
    get hasToolCalls() {
      return calls.size > 0;
    },
    push(event) {
      switch (event.type) {
        case 'text-delta':
          return write(stream.text(event.delta));
        case 'tool-input-start':
          calls.set(event.id, {
            wireId: signCallId(event.id, event.providerMetadata),
            name: event.toolName,
            input: '',
          });
          return;
        case 'tool-input-delta':
          calls.get(event.id)!.input += event.delta;
          return;
        case 'finish':
          for (const { wireId, name, input } of calls.values()) write(stream.toolUse(wireId, name, parseObject(input)));
          return write(
            stream.stop(calls.size > 0 ? 'tool_use' : stopWord(event.finishReason, event.rawFinishReason), event.usage),
          );
        case 'error':
          return write(stream.failure(event.error));
        default: // Reasoning has no frame in this form.
      }
    },
  };
}

/** Lines of a typed stream, one call each. */
export class TypedStreamBuilder {
  text(text: string): string {
    return encodeNdjsonLine({ type: TYPED_NODE.RAW_RESPONSE, data: { text } });
  }

  toolUse(id: string, name: string, input: JsonObject): string {
    return encodeNdjsonLine({ type: TYPED_NODE.TOOL_USE, data: { tool_use: { id, name, input } } });
  }

  stop(reason: string, usage?: ModelUsage): string {
    const counts =
      usage === undefined ? {} : { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } };
    return encodeNdjsonLine({ type: TYPED_NODE.MAIN_TEXT_FINISHED, stop_reason: reason, ...counts });
  }

  failure({ code, message }: DragomanError): string {
    return encodeNdjsonLine({ type: TYPED_NODE.MAIN_TEXT_FINISHED, stop_reason: 'error', error: { code, message } });
  }
}

function parseObject(json: string): JsonObject {
  const value = parseJson(json);
  return isJsonObject(value) ? value : {};
}
