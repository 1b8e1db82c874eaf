import { type Dialect, SSE_HEADERS } from '../dialect.ts';
import type { GeminiContext } from './decode-request.ts';
import { encodeGeminiError, isGeminiError } from './encode-error.ts';
import { encodeGeminiResponse } from './encode-response.ts';
import { encodeGeminiBreak, encodeGeminiList, encodeGeminiStream } from './encode-stream.ts';
import { sseToList } from './sse-to-list.ts';
import { GEMINI_SETTING_NAMES } from './setting-names.ts';

/** Google's Gemini API, as clients speak it. */
export const geminiDialect: Dialect<GeminiContext> = {
  name: 'gemini',
  settingNames: GEMINI_SETTING_NAMES,
  streamHeaders: SSE_HEADERS,
  encodeStream: encodeGeminiStream,
  encodeResponse: encodeGeminiResponse,
  encodeBreak: encodeGeminiBreak,
  encodeError: encodeGeminiError,
  isOwnError: isGeminiError,
};

/** The same for a client that wants its stream as a JSON list. */
export const geminiListDialect: Dialect<GeminiContext> = {
  ...geminiDialect,
  streamHeaders: { ...SSE_HEADERS, 'content-type': 'application/json; charset=utf-8' },
  encodeStream: encodeGeminiList,
  encodeBreak: (error) => JSON.stringify([encodeGeminiError(error)]),
  reframe: sseToList,
};
