import { type FinishReason, type ModelSink, newId } from '@dragoman/protocol';
import type { DecodedRequest } from '../dialect.ts';
import { encodeOpenAiChatBreak, toChatUsage } from '../openai-chat/encode-stream.ts';
import type { CompletionContext } from './decode-request.ts';

export const COMPLETION_FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'stop',
  'content-filter': 'content_filter',
  error: 'stop',
  other: 'stop',
};

/** Model events as legacy Completions events. Only the text has a place in them. */
export function encodeCompletionStream(
  write: (text: string) => void,
  { context, asked }: DecodedRequest<CompletionContext>,
): ModelSink {
  const id = newCompletionId();
  const created = Math.floor(Date.now() / 1000);
  let head = makeHead(id, asked, created);
  let isEchoed = context.echoed === '';
  const writeText = (text: string, finish = 'null') =>
    write(
      `${head}"choices":[{"text":${JSON.stringify(text)},"index":0,"logprobs":null,"finish_reason":${finish}}]}\n\n`,
    );
  const echo = () => {
    if (isEchoed) return;
    isEchoed = true;
    writeText(context.echoed);
  };

  return {
    push(event) {
      switch (event.type) {
        case 'response-metadata':
          head = makeHead(id, event.modelId ?? asked, created);
          return;
        case 'text-delta':
          echo();
          return writeText(event.delta);
        case 'finish':
          echo();
          writeText('', JSON.stringify(COMPLETION_FINISH_REASONS[event.finishReason]));
          if (context.wantsUsage) write(`${head}"choices":[],"usage":${JSON.stringify(toChatUsage(event.usage))}}\n\n`);
          return write('data: [DONE]\n\n');
        case 'error':
          return write(encodeOpenAiChatBreak(event.error));
        default: // Thoughts, and starts and ends.
      }
    },
  };
}

export function newCompletionId(): string {
  return newId('call').replace('call_', 'cmpl-');
}

function makeHead(id: string, model: string, created: number): string {
  return `data: {"id":${JSON.stringify(id)},"object":"text_completion","created":${created},"model":${JSON.stringify(model)},`;
}
