import type { ModelSink } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import { parseToolArguments } from '../../upstreams/tool-arguments.ts';
import { signCallId } from '../../tools/signed-call-id.ts';
import type { OllamaCallKind, OllamaContext } from './decode-request.ts';
import { encodeOllamaError } from './encode-error.ts';
import { encodeOllamaEnd } from './encode-end.ts';

/** What stands in a line beside its head, as JSON, before the next text. */
const TEXT: Record<OllamaCallKind, readonly [before: string, after: string]> = {
  chat: ['"message":{"role":"assistant","content":', '},"done":false}\n'],
  generate: ['"response":', ',"done":false}\n'],
};
const THINKING: typeof TEXT = {
  chat: ['"message":{"role":"assistant","content":"","thinking":', '},"done":false}\n'],
  generate: ['"response":"","thinking":', ',"done":false}\n'],
};

/**
 * Model events as Ollama's lines.
 *
 * The head of a line is the same for every piece of an answer, so it is made once. A tool call goes out when it is complete,
 * because its arguments are an object here.
 */
export function encodeOllamaStream(write: (text: string) => void, request: DecodedRequest<OllamaContext>): ModelSink {
  const { kind, showsThinking } = request.context;
  const head = `{"model":${JSON.stringify(request.asked || 'default')},"created_at":"${new Date().toISOString()}",`;
  const [beforeText, afterText] = [head + TEXT[kind][0], TEXT[kind][1]];
  const [beforeThought, afterThought] = [head + THINKING[kind][0], THINKING[kind][1]];
  const open = new Map<string, { name: string; input: string }>();
  let callCount = 0;
  let firstAt: number | undefined;

  return {
    push(event) {
      firstAt ??= performance.now();
      switch (event.type) {
        case 'text-delta':
          return write(beforeText + JSON.stringify(event.delta) + afterText);
        case 'reasoning-delta':
          return showsThinking ? write(beforeThought + JSON.stringify(event.delta) + afterThought) : undefined;
        case 'tool-input-start':
          open.set(event.id, { name: event.toolName, input: '' });
          return;
        case 'tool-input-delta':
          open.get(event.id)!.input += event.delta;
          return;
        case 'tool-input-end': {
          const { name, input } = open.get(event.id)!;
          open.delete(event.id);
          const call = {
            id: signCallId(event.id, event.providerMetadata),
            function: { index: callCount++, name, arguments: parseToolArguments(input) },
          };
          return write(
            `${head}"message":{"role":"assistant","content":"","tool_calls":[${JSON.stringify(call)}]},"done":false}\n`,
          );
        }
        case 'finish':
          return write(`${JSON.stringify(encodeOllamaEnd(event, request, firstAt))}\n`);
        case 'error':
          return write(`${JSON.stringify(encodeOllamaError(event.error))}\n`);
        default: // Starts and ends have no line of their own in this dialect.
      }
    },
  };
}
