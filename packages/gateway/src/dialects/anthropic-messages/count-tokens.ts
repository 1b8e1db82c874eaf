import type { PromptFile, ModelCall, ModelMessage, PromptText, ToolDefinition } from '@dragoman/protocol';

/** Characters to a token. Code and JSON have shorter words than prose. */
const LATIN_PER_TOKEN = 3.6;
const JSON_PER_TOKEN = 3.2;
/** Alphabets that the vocabularies know less well, such as Cyrillic. */
const OTHER_PER_TOKEN = 2;
/** A picture of the size that models scale large ones down to. */
const IMAGE_TOKENS = 1600;
const PDF_TOKENS_PER_PAGE = 2000;
const PDF_BASE64_PER_PAGE = 80_000;
const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 12;
/** What a provider writes around the first tool, and around each. */
const TOOLS_TOKENS = 340;
const TOOL_TOKENS = 16;

/**
 * About how many tokens a call's input has, without asking a provider.
 *
 * Clients use it to see how full the window is. Each model counts differently, so it is a measure and not a count.
 */
export function countTokens(call: ModelCall): number {
  const messages = sum(call.prompt, countMessage);
  const tools = call.tools.length === 0 ? 0 : TOOLS_TOKENS + sum(call.tools, countTool);
  return Math.ceil(messages + tools);
}

/** The same for anything that was sent and is not understood: its texts count, whatever they are for. */
export function countJson(value: unknown): number {
  return Math.ceil(countValue(value));
}

function countValue(value: unknown): number {
  if (typeof value === 'string') return countText(value, JSON_PER_TOKEN);
  if (typeof value !== 'object' || value === null) return value === undefined || value === null ? 0 : 1;
  if (Array.isArray(value)) return sum(value, countValue);
  const { type, data } = value as { type?: unknown; data?: unknown };
  if (type === 'base64' && typeof data === 'string') return IMAGE_TOKENS;
  return sum(Object.entries(value), ([key, inner]) => countText(key, JSON_PER_TOKEN) + countValue(inner));
}

function countTool({ name, description, inputSchema }: ToolDefinition): number {
  return (
    TOOL_TOKENS + countText(name) + countText(description) + countText(JSON.stringify(inputSchema), JSON_PER_TOKEN)
  );
}

function countMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'system':
      return MESSAGE_TOKENS + countText(message.content);
    case 'user':
      return MESSAGE_TOKENS + sum(message.content, countContent);
    case 'assistant':
      return (
        MESSAGE_TOKENS +
        sum(message.content, (part) =>
          part.type === 'tool-call'
            ? CALL_TOKENS + countText(part.toolName) + countText(part.input, JSON_PER_TOKEN)
            : countText(part.text),
        )
      );
    case 'tool':
      return sum(message.content, (result) => MESSAGE_TOKENS + CALL_TOKENS + sum(result.content, countContent));
  }
}

function countContent(part: PromptText | PromptFile): number {
  if (part.type === 'text') return countText(part.text);
  if (part.mediaType.startsWith('image/')) return IMAGE_TOKENS;
  const pages = part.data.type === 'base64' ? Math.ceil(part.data.base64.length / PDF_BASE64_PER_PAGE) : 1;
  return PDF_TOKENS_PER_PAGE * Math.max(1, pages);
}

function countText(text: string, latinPerToken = LATIN_PER_TOKEN): number {
  let latin = 0;
  let wide = 0;
  let other = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x250) latin++;
    else if (isWide(unit)) wide++;
    else other++;
  }
  return latin / latinPerToken + wide + other / OTHER_PER_TOKEN;
}

/** Chinese, Japanese, Korean and emoji: about a token each. */
function isWide(unit: number): boolean {
  return (unit >= 0x2e80 && unit <= 0xdfff) || (unit >= 0xf900 && unit <= 0xfaff) || (unit >= 0xff00 && unit <= 0xffef);
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
