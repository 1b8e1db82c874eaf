import { type Dialect, SSE_HEADERS } from '../dialect.ts';
import { encodeOpenAiError, isOpenAiError } from '../openai-chat/encode-error.ts';
import type { ResponsesContext } from './decode-request.ts';
import { encodeResponsesBreak } from './encode-break.ts';
import { encodeResponsesResponse } from './encode-response.ts';
import { encodeResponsesStream } from './encode-stream.ts';
import { RESPONSES_SETTING_NAMES } from './setting-names.ts';

/** OpenAI's Responses, as clients speak it. */
export const openAiResponsesDialect: Dialect<ResponsesContext> = {
  name: 'openai-responses',
  settingNames: RESPONSES_SETTING_NAMES,
  streamHeaders: SSE_HEADERS,
  encodeStream: encodeResponsesStream,
  encodeResponse: encodeResponsesResponse,
  encodeBreak: encodeResponsesBreak,
  encodeError: encodeOpenAiError,
  isOwnError: isOpenAiError,
};
