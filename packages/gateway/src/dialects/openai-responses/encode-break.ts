import type { DragomanError } from '@dragoman/protocol';
import { ToolNames } from '../../tools/tool-names.ts';
import { answerId } from '../answer-id.ts';
import type { ClientRequest, DecodedRequest } from '../dialect.ts';
import type { ResponsesContext } from './decode-request.ts';
import { toErrorEvent, toResponseError } from './encode-error.ts';
import { nowInSeconds, toResponseObject } from './response-object.ts';

/** Of a response that was passed on nothing is known but that it failed, and clients wait for an event that says so. */
export function encodeResponsesBreak(error: DragomanError, { asked }: ClientRequest<ResponsesContext>): string {
  const response = toResponseObject(
    {
      id: answerId('resp_', undefined),
      model: asked,
      createdAt: nowInSeconds(),
      status: 'failed',
      error: toResponseError(error),
      output: [],
    },
    { ...UNREAD, asked },
  );
  return [
    { type: 'error', sequence_number: 0, ...toErrorEvent(error) },
    { type: 'response.failed', sequence_number: 1, response },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const UNREAD: Omit<DecodedRequest<ResponsesContext>, 'asked'> = {
  call: { prompt: [], tools: [] },
  isStreamed: true,
  context: {
    tools: new ToolNames(),
    toolChoice: 'auto',
    reasoning: null,
    text: { format: { type: 'text' } },
    metadata: {},
  },
};
