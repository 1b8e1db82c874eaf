import { type Dialect, SSE_HEADERS } from '../dialect.ts';
import type { ChatContext } from './decode-request.ts';
import { encodeOpenAiError, isOpenAiError } from './encode-error.ts';
import { encodeOpenAiChatResponse } from './encode-response.ts';
import { encodeOpenAiChatBreak, encodeOpenAiChatStream } from './encode-stream.ts';
import { CHAT_SETTING_NAMES } from './setting-names.ts';

/** OpenAI's Chat Completions, as clients speak it. */
export const openAiChatDialect: Dialect<ChatContext> = {
  name: 'openai-chat',
  settingNames: CHAT_SETTING_NAMES,
  streamHeaders: SSE_HEADERS,
  encodeStream: encodeOpenAiChatStream,
  encodeResponse: encodeOpenAiChatResponse,
  encodeBreak: encodeOpenAiChatBreak,
  encodeError: encodeOpenAiError,
  isOwnError: isOpenAiError,
};
