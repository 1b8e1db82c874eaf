import type {
  PromptFile,
  ModelCall,
  ModelMessage,
  ProviderMetadata,
  PromptText,
  ToolChoice,
  PromptToolResult,
} from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { contentPath } from './model-path.ts';
import { encodeThinking, needsSignatures } from './thinking.ts';
import { parseToolArguments } from '../tool-arguments.ts';
import type { GeminiContent, GeminiPart } from './wire.ts';

/** What Google documents for calls whose signature is not there to be sent, as when another model made them. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A model call as a Gemini request. The same prompt gives the same bytes, so that prompt caches hit. */
export function encodeGeminiRequest(call: ModelCall, target: Target, isStreamed: boolean): UpstreamRequest {
  const system = call.prompt
    .filter((message) => message.role === 'system')
    .map((message) => ({ text: message.content }));
  const body = {
    systemInstruction: system.length === 0 ? undefined : { parts: system },
    contents: encodeContents(call.prompt, needsSignatures(target.model)),
    ...(call.tools.length === 0
      ? {}
      : {
          tools: [
            {
              functionDeclarations: call.tools.map((tool) => ({
                name: tool.name,
                description: tool.description,
                parametersJsonSchema: tool.inputSchema,
              })),
            },
          ],
          toolConfig: encodeToolConfig(call),
        }),
    generationConfig: encodeSettings(call, target.model),
  };
  return { path: contentPath(target.model, isStreamed), headers: {}, body: JSON.stringify(body) };
}

/** Users and the model take turns: what follows in the same role, tool results included, joins the turn before it. */
function encodeContents(prompt: ModelMessage[], isSigned: boolean): GeminiContent[] {
  const contents: GeminiContent[] = [];
  for (const message of prompt) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = encodeMessage(message, isSigned);
    const last = contents.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents;
}

function encodeMessage(message: Exclude<ModelMessage, { role: 'system' }>, isSigned: boolean): GeminiPart[] {
  switch (message.role) {
    case 'user':
      return encodeParts(message.content);
    case 'assistant':
      return isSigned ? signFirstCall(encodeAssistant(message.content)) : encodeAssistant(message.content);
    case 'tool':
      return encodeToolResults(message.content);
  }
}

/** Reasoning goes back for its signature; without one it is another model's, or a mere summary. */
function encodeAssistant(content: Extract<ModelMessage, { role: 'assistant' }>['content']): GeminiPart[] {
  return content.flatMap((part): GeminiPart[] => {
    const signature = signatureOf(part.providerOptions);
    switch (part.type) {
      case 'text':
        return part.text === '' && signature.thoughtSignature === undefined ? [] : [{ text: part.text, ...signature }];
      case 'reasoning':
        return signature.thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, ...signature }];
      case 'tool-call':
        return [
          {
            functionCall: { id: part.toolCallId, name: part.toolName, args: parseToolArguments(part.input) },
            ...signature,
          },
        ];
    }
  });
}

/** Of calls made together only the first carries a signature. */
function signFirstCall(parts: GeminiPart[]): GeminiPart[] {
  const calls = parts.filter((part) => part.functionCall !== undefined);
  if (calls.some((part) => part.thoughtSignature !== undefined)) return parts;
  return parts.map((part) => (part === calls[0] ? { ...part, thoughtSignature: NO_SIGNATURE } : part));
}

function signatureOf(options: ProviderMetadata | undefined): { thoughtSignature?: string } {
  const signature = options?.['google']?.['thoughtSignature'];
  return typeof signature === 'string' ? { thoughtSignature: signature } : {};
}

/** A result holds text; files that tools returned follow the results. */
function encodeToolResults(results: PromptToolResult[]): GeminiPart[] {
  const responses = results.map((result): GeminiPart => {
    const text = result.content
      .filter((part) => part.type === 'text')
      .map((part) => part.text)
      .join('\n');
    const response = result.isError ? { error: text } : { output: text };
    return { functionResponse: { id: result.toolCallId, name: result.toolName, response } };
  });
  return [
    ...responses,
    ...encodeParts(results.flatMap((result) => result.content.filter((part) => part.type === 'file'))),
  ];
}

function encodeParts(parts: (PromptText | PromptFile)[]): GeminiPart[] {
  return parts.flatMap((part): GeminiPart[] => {
    if (part.type === 'file') return [encodeFile(part)];
    return part.text === '' ? [] : [{ text: part.text }];
  });
}

function encodeFile({ mediaType, data }: PromptFile): GeminiPart {
  return data.type === 'url'
    ? { fileData: { mimeType: mediaType, fileUri: data.url } }
    : { inlineData: { mimeType: mediaType, data: data.base64 } };
}

/** Where a call is demanded, it fits its schema anyway. */
function encodeToolConfig({ tools, toolChoice }: ModelCall): unknown {
  if ((toolChoice ?? { type: 'auto' }).type === 'auto' && tools.some((tool) => tool.strict === true))
    return { functionCallingConfig: { mode: 'VALIDATED' } };
  return toolChoice === undefined ? undefined : { functionCallingConfig: encodeToolChoice(toolChoice) };
}

function encodeToolChoice(choice: ToolChoice): { mode: string; allowedFunctionNames?: string[] } {
  switch (choice.type) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.toolName] };
  }
}

function encodeSettings(call: ModelCall, model: string): Record<string, unknown> | undefined {
  const settings = {
    maxOutputTokens: call.maxOutputTokens,
    temperature: call.temperature,
    topP: call.topP,
    topK: call.topK,
    presencePenalty: call.presencePenalty,
    frequencyPenalty: call.frequencyPenalty,
    stopSequences: call.stopSequences,
    seed: call.seed,
    responseMimeType: call.responseFormat === undefined ? undefined : 'application/json',
    responseJsonSchema: call.responseFormat?.schema,
    thinkingConfig: call.reasoningEffort === undefined ? undefined : encodeThinking(call.reasoningEffort, model),
  };
  return Object.values(settings).every((value) => value === undefined) ? undefined : settings;
}
