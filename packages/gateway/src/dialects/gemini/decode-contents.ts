import {
  DragomanError,
  type ModelMessage,
  type PromptFile,
  type PromptReasoning,
  type PromptText,
  type PromptToolCall,
  type PromptToolResult,
} from '@dragoman/protocol';
import { isJsonObject } from '../../tools/json-object.ts';
import { fromFunctionResponse } from './function-response.ts';
import { ToolPairs } from './tool-pairs.ts';
import { toPromptFile } from './to-prompt-file.ts';
import type { GeminiRequestContent, GeminiRequestPart } from './wire.ts';

/** Contents as messages. Results of tools come before what else the user said in the same turn. */
export function decodeContents(contents: readonly GeminiRequestContent[]): ModelMessage[] {
  const prompt: ModelMessage[] = [];
  const pairs = new ToolPairs();
  for (const [index, content] of contents.entries()) {
    const place = `contents.${index}`;
    switch (content.role ?? 'user') {
      case 'model':
        pairs.startAnswer(index);
        prompt.push({ role: 'assistant', content: toAnswer(content.parts, place, pairs) });
        break;
      case 'user':
      case 'function':
        prompt.push(...toUserTurn(content.parts, place, pairs));
        break;
      default:
        throw new DragomanError(
          'bad-request',
          `${place}.role: expected user or model. Put system text in systemInstruction.`,
        );
    }
  }
  return prompt;
}

function toUserTurn(parts: readonly GeminiRequestPart[], place: string, pairs: ToolPairs): ModelMessage[] {
  const results: PromptToolResult[] = [];
  const said: (PromptText | PromptFile)[] = [];
  for (const [index, part] of parts.entries()) {
    const response = part.functionResponse;
    if (isGiven(response)) results.push(fromFunctionResponse(response, `${place}.parts.${index}`, pairs));
    else said.push(...toSaid(part, `${place}.parts.${index}`));
  }
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(said.length === 0 && results.length > 0 ? [] : [{ role: 'user' as const, content: said }]),
  ];
}

function toSaid(part: GeminiRequestPart, place: string): (PromptText | PromptFile)[] {
  if (typeof part.text === 'string') return [{ type: 'text', text: part.text }];
  if (isGiven(part.inlineData) || isGiven(part.fileData)) return [toPromptFile(part, place)];
  if (isGiven(part.functionCall))
    throw new DragomanError('bad-request', `${place}.functionCall: a function call needs the role "model".`);
  return [];
}

function toAnswer(
  parts: readonly GeminiRequestPart[],
  place: string,
  pairs: ToolPairs,
): (PromptText | PromptReasoning | PromptToolCall)[] {
  return parts.flatMap((part, index): (PromptText | PromptReasoning | PromptToolCall)[] => {
    const signature = part.thoughtSignature;
    const options = signature ? { providerOptions: { google: { thoughtSignature: signature } } } : {};
    const call = part.functionCall;
    if (isGiven(call))
      return [
        {
          type: 'tool-call',
          toolCallId: pairs.call(call.id, call.name),
          toolName: call.name,
          input: JSON.stringify(isJsonObject(call.args) ? call.args : {}),
          ...options,
        },
      ];
    if (typeof part.text === 'string')
      return [{ type: part.thought === true ? 'reasoning' : 'text', text: part.text, ...options }];
    if (isGiven(part.executableCode))
      return [{ type: 'text', text: `\`\`\`\n${part.executableCode.code ?? ''}\n\`\`\``, ...options }];
    if (isGiven(part.codeExecutionResult)) return [{ type: 'text', text: part.codeExecutionResult.output ?? '' }];
    if (isGiven(part.inlineData) || isGiven(part.fileData))
      throw new DragomanError(
        'bad-request',
        `${place}.parts.${index}: a file from a model turn cannot be sent to this model. Leave it out, or send it in a user turn.`,
      );
    if (isGiven(part.functionResponse))
      throw new DragomanError(
        'bad-request',
        `${place}.parts.${index}.functionResponse: a function response needs the role "user".`,
      );
    return [];
  });
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
