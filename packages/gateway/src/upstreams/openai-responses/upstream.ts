import type { HttpUpstream } from '../upstream.ts';
import { decodeOpenAiResponsesResponse, decodeOpenAiResponsesStream } from './decode-stream.ts';
import { encodeOpenAiResponsesRequest } from './encode-request.ts';
import { RESPONSES_FATES } from './fates.ts';
import { markResponsesPrompt } from './mark-prompt.ts';

/** OpenAI's Responses, and every service that speaks it. */
export const openAiResponsesUpstream: HttpUpstream = {
  defaultBaseUrl: 'https://api.openai.com/v1',
  relayPath: () => '/responses',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  markPrompt: markResponsesPrompt,
  fates: RESPONSES_FATES,
  encodeRequest: encodeOpenAiResponsesRequest,
  decodeStream: decodeOpenAiResponsesStream,
  decodeResponse: decodeOpenAiResponsesResponse,
};
