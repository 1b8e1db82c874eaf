import type { HttpUpstream } from '../upstream.ts';
import { decodeOpenAiChatResponse, decodeOpenAiChatStream } from './decode-stream.ts';
import { encodeOpenAiChatRequest } from './encode-request.ts';
import { CHAT_FATES } from './fates.ts';
import { markChatPrompt } from './mark-prompt.ts';

/** OpenAI's Chat Completions, and every service that speaks it. */
export const openAiChatUpstream: HttpUpstream = {
  defaultBaseUrl: 'https://api.openai.com/v1',
  relayPath: () => '/chat/completions',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  markPrompt: markChatPrompt,
  fates: CHAT_FATES,
  encodeRequest: encodeOpenAiChatRequest,
  decodeStream: decodeOpenAiChatStream,
  decodeResponse: decodeOpenAiChatResponse,
};
