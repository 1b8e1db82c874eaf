import { type Dialect, SSE_HEADERS } from '../dialect.ts';
import type { AnthropicContext } from './decode-request.ts';
import { anthropicStatus, encodeAnthropicError, isAnthropicError } from './encode-error.ts';
import { encodeAnthropicResponse } from './encode-response.ts';
import { encodeAnthropicBreak, encodeAnthropicStream } from './encode-stream.ts';
import { ANTHROPIC_SETTING_NAMES } from './setting-names.ts';

/** Anthropic's Messages, as clients speak it. */
export const anthropicMessagesDialect: Dialect<AnthropicContext> = {
  name: 'anthropic-messages',
  settingNames: ANTHROPIC_SETTING_NAMES,
  streamHeaders: SSE_HEADERS,
  encodeStream: encodeAnthropicStream,
  encodeResponse: encodeAnthropicResponse,
  encodeBreak: encodeAnthropicBreak,
  encodeError: encodeAnthropicError,
  statusOf: anthropicStatus,
  isOwnError: isAnthropicError,
};
