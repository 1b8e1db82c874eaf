import { convertMessages, type EditorMessage } from './convert-messages.ts';

/** What a picture costs at most services, about. */
const IMAGE_TOKENS = 1_000;
/** What stands around a message. */
const MESSAGE_TOKENS = 4;
const CHARACTERS_PER_TOKEN = 3.6;

/**
 * About how many tokens a text or a message is. Which model will answer is not known here, so it errs on the high side:
 * the editor shortens a prompt by it, and one that is too long is refused.
 */
export function estimateTokens(given: string | EditorMessage): number {
  if (typeof given === 'string') return textTokens(given);
  return convertMessages([given]).reduce((sum, message) => {
    const content = message.content ?? '';
    const pieces = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
    const calls = 'tool_calls' in message ? JSON.stringify(message.tool_calls) : '';
    const told = pieces.map((piece) => (piece.type === 'text' ? textTokens(piece.text) : IMAGE_TOKENS));
    return sum + MESSAGE_TOKENS + textTokens(calls) + told.reduce((total, each) => total + each, 0);
  }, 0);
}

/** Chinese, Japanese and Korean have about a token for a character, others one for a few. */
function textTokens(text: string): number {
  const wide = text.match(/[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/g)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN);
}
