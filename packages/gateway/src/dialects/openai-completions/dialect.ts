import { type Dialect, SSE_HEADERS } from '../dialect.ts';
import { encodeOpenAiError, isOpenAiError } from '../openai-chat/encode-error.ts';
import { encodeOpenAiChatBreak } from '../openai-chat/encode-stream.ts';
import type { CompletionContext } from './decode-request.ts';
import { encodeCompletionResponse } from './encode-response.ts';
import { encodeCompletionStream } from './encode-stream.ts';
import { COMPLETION_SETTING_NAMES } from './setting-names.ts';

/** OpenAI's legacy Completions, as clients speak it. Providers that speak Chat Completions have it beside that. */
export const openAiCompletionsDialect: Dialect<CompletionContext> = {
  name: 'openai-completions',
  settingNames: COMPLETION_SETTING_NAMES,
  streamHeaders: SSE_HEADERS,
  relayed: { type: 'openai-chat', path: '/completions' },
  encodeStream: encodeCompletionStream,
  encodeResponse: encodeCompletionResponse,
  encodeBreak: encodeOpenAiChatBreak,
  encodeError: encodeOpenAiError,
  isOwnError: isOpenAiError,
};
