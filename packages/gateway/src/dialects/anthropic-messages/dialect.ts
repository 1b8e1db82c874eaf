import { type Dialect, SSE_HEADERS } from '../dialect.ts';
import { encodeAnthropicError } from './encode-error.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { encodeAnthropicStream } from './encode-stream.ts';

/** Anthropic's Messages, as clients speak it. */
export const anthropicMessagesDialect: Dialect<undefined> = {
  name: 'anthropic-messages',
  streamHeaders: SSE_HEADERS,
  encodeStream: encodeAnthropicStream,
  encodeResponse: encodeAnthropicResponse,
  encodeError: encodeAnthropicError,
};
