import type { ModelCall, ModelMessage, PromptFile, PromptText, ToolDefinition } from '@dragoman/protocol';

/**
 * About how many tokens a text is, where no provider has counted.
 *
 * Words of Latin script are about a token for four letters, digits and punctuation are tokens nearly each (which makes JSON
 * and code dense), Chinese, Japanese and Korean characters are about a token each.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let index = 0; index < text.length;) {
    const code = text.charCodeAt(index);
    if (isLetter(code)) {
      const start = index;
      while (index < text.length && isLetter(text.charCodeAt(index))) index++;
      const length = index - start;
      tokens += length <= 6 ? 1 : length / 4.5;
      continue;
    }
    if (code >= 48 && code <= 57) {
      const start = index;
      while (index < text.length && text.charCodeAt(index) >= 48 && text.charCodeAt(index) <= 57) index++;
      tokens += (index - start) / 2.5;
      continue;
    }
    if (code <= 32) {
      // A space belongs to the word behind it; a run of them, such as an indent, is a token.
      const start = index;
      while (index < text.length && text.charCodeAt(index) <= 32) index++;
      tokens += index - start > 1 ? 0.8 : code === 10 ? 0.6 : 0;
      continue;
    }
    tokens += code < 128 ? 0.6 : code < 0x2e80 ? 0.5 : 1.1;
    index++;
  }
  return Math.ceil(tokens);
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** What a picture or a document takes, whatever it shows. */
const FILE_TOKENS = 1_600;

const counted = new WeakMap<ModelMessage, number>();

/** A message that did not change is counted once. */
export function estimateMessageTokens(message: ModelMessage): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const tokens = 4 + (typeof message.content === 'string' ? estimateTokens(message.content) : sum(message.content));
  counted.set(message, tokens);
  return tokens;
}

/** The whole of what is sent: system text, messages and tools. */
export function estimateCallTokens(call: Pick<ModelCall, 'prompt' | 'tools'>): number {
  return call.prompt.reduce((total, message) => total + estimateMessageTokens(message), estimateToolTokens(call.tools));
}

const countedTools = new WeakMap<ToolDefinition, number>();

/** What the definitions of tools take of every prompt; each is counted once. */
export function estimateToolTokens(tools: readonly ToolDefinition[]): number {
  let total = 0;
  for (const tool of tools) {
    let tokens = countedTools.get(tool);
    if (tokens === undefined) {
      tokens = 8 + estimateTokens(`${tool.name} ${tool.description} ${JSON.stringify(tool.inputSchema)}`);
      countedTools.set(tool, tokens);
    }
    total += tokens;
  }
  return total;
}

type Piece = Exclude<ModelMessage['content'], string>[number];

function sum(pieces: readonly (Piece | PromptText | PromptFile)[]): number {
  let total = 0;
  for (const piece of pieces) {
    if (piece.type === 'text' || piece.type === 'reasoning') total += estimateTokens(piece.text);
    else if (piece.type === 'file') total += FILE_TOKENS;
    else if (piece.type === 'tool-call') total += 8 + estimateTokens(piece.toolName + piece.input);
    else total += 8 + sum(piece.content);
  }
  return total;
}
