import type { PromptFile, PromptText, PromptToolResult } from '@dragoman/protocol';
import { isJsonObject } from '../../tools/json-object.ts';
import type { ToolPairs } from './tool-pairs.ts';
import { toPromptFile } from './to-prompt-file.ts';
import type { GeminiRequestPart } from './wire.ts';

/**
 * What a tool returned. By Google's convention an object with nothing but `output` or `result` is that, and one with
 * `error` says what went wrong; any other is the result itself.
 */
export function fromFunctionResponse(
  { id: givenId, name: givenName, response, parts }: NonNullable<GeminiRequestPart['functionResponse']>,
  place: string,
  pairs: ToolPairs,
): PromptToolResult {
  const { id, name } = pairs.result(givenId, givenName);
  const { said, isError } = readResponse(response);
  const text = typeof said === 'string' ? said : said === undefined ? '' : JSON.stringify(said);
  const content: (PromptText | PromptFile)[] = text === '' ? [] : [{ type: 'text', text }];
  for (const [index, part] of parts.entries())
    content.push(toPromptFile(part, `${place}.functionResponse.parts.${index}`));
  return { type: 'tool-result', toolCallId: id, toolName: name, content, isError };
}

function readResponse(response: unknown): { said: unknown; isError: boolean } {
  if (!isJsonObject(response)) return { said: response ?? undefined, isError: false };
  const [name, ...others] = Object.keys(response);
  if (name === undefined || others.length > 0) return { said: response, isError: false };
  if (name === 'error') return { said: response[name], isError: true };
  return { said: name === 'output' || name === 'result' ? response[name] : response, isError: false };
}
