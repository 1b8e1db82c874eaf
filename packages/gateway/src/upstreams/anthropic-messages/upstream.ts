import type { HttpUpstream } from '../upstream.ts';
import { decodeAnthropicMessagesResponse, decodeAnthropicMessagesStream } from './decode-stream.ts';
import { encodeAnthropicMessagesRequest } from './encode-request.ts';
import { ANTHROPIC_FATES } from './fates.ts';
import { markClaudePrompt } from './mark-prompt.ts';

/** Anthropic's Messages, and every service that speaks it. */
export const anthropicMessagesUpstream: HttpUpstream = {
  defaultBaseUrl: 'https://api.anthropic.com/v1',
  relayPath: () => '/messages',
  authorize: (key) => ({ 'x-api-key': key }),
  markPrompt: markClaudePrompt,
  fates: ANTHROPIC_FATES,
  encodeRequest: encodeAnthropicMessagesRequest,
  decodeStream: decodeAnthropicMessagesStream,
  decodeResponse: decodeAnthropicMessagesResponse,
};
