import {
  DragomanError,
  type PromptFile,
  type ModelCall,
  type ModelMessage,
  type PromptText,
  type ToolChoice,
} from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { fileUrl, imageDetail } from '../file-data.ts';
import { encodedCall } from '../mark-prompt.ts';
import { endUserId } from '../settings/end-user-id.ts';
import { resultText } from '../settings/failed-result.ts';
import type { UpstreamRequest } from '../upstream.ts';
import { chatService } from './chat-service.ts';
import { markChatPrompt } from './mark-prompt.ts';
import type { ChatContentPart, ChatMessage, ChatToolCall } from './wire.ts';

/** A model call as a Chat Completions request. The same prompt gives the same bytes, so that prompt caches hit. */
export function encodeOpenAiChatRequest(call: ModelCall, target: Target, isStreamed: boolean): UpstreamRequest {
  const body = {
    model: target.model,
    messages: mergeSystem(call.prompt).flatMap((message) => encodeMessage(message)),
    ...(call.tools.length === 0
      ? {}
      : {
          tools: call.tools.map((tool) => ({
            type: 'function',
            function: {
              name: tool.name,
              description: tool.description,
              parameters: tool.inputSchema,
              ...(tool.strict === true ? { strict: true } : {}),
            },
          })),
        }),
    tool_choice:
      call.toolChoice === undefined || call.tools.length === 0 ? undefined : encodeToolChoice(call.toolChoice),
    parallel_tool_calls: call.tools.length === 0 ? undefined : call.allowsParallelTools,
    temperature: call.temperature,
    top_p: call.topP,
    presence_penalty: call.presencePenalty,
    frequency_penalty: call.frequencyPenalty,
    stop: call.stopSequences,
    ...encodeServiceFields(call, target),
    seed: call.seed,
    reasoning_effort: call.reasoningEffort === 'none' ? undefined : call.reasoningEffort,
    [maxTokensField(target)]: call.maxOutputTokens,
    response_format: call.responseFormat === undefined ? undefined : encodeResponseFormat(call.responseFormat),
    stream: isStreamed,
    ...(isStreamed ? { stream_options: { include_usage: true } } : {}),
  };
  const marked = markChatPrompt(body, encodedCall(call, target));
  return { path: '/chat/completions', headers: {}, body: JSON.stringify(marked) };
}

/** Several system messages at the beginning become one: some local models' templates take no more. */
function mergeSystem(prompt: ModelMessage[]): ModelMessage[] {
  const leading = prompt.findIndex((message) => message.role !== 'system');
  const count = leading === -1 ? prompt.length : leading;
  if (count < 2) return prompt;
  const content = prompt.slice(0, count).map((message) => message.content as string);
  return [{ role: 'system', content: content.join('\n\n') }, ...prompt.slice(count)];
}

/** OpenAI renamed it for its own models; everybody else kept the name. */
function maxTokensField({ provider }: Target): string {
  return chatService(provider).isOpenAi ? 'max_completion_tokens' : 'max_tokens';
}

/** Who asks may have so many characters. */
const LONGEST_USER = 64;

/** What not every service takes; `fates.ts` names what is left out. */
function encodeServiceFields(call: ModelCall, { provider }: Target): Record<string, unknown> {
  const { topK, minP, verbosity, serviceTier, endUser } = call;
  if ((topK ?? minP ?? verbosity ?? serviceTier ?? endUser) === undefined) return {};
  const service = chatService(provider);
  return {
    ...(service.takesOpenSampling ? { top_k: topK, min_p: minP } : {}),
    ...(service.takesNewerFields
      ? {
          verbosity,
          service_tier: serviceTier,
          [service.isOpenAi ? 'safety_identifier' : 'user']: endUserId(endUser, LONGEST_USER),
        }
      : {}),
  };
}

function encodeMessage(message: ModelMessage): ChatMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: encodeContent(message.content) }];
    case 'assistant':
      return [encodeAssistant(message.content)];
    case 'tool':
      return encodeToolResults(message.content);
  }
}

function encodeAssistant(content: Extract<ModelMessage, { role: 'assistant' }>['content']): ChatMessage {
  const text = content.filter((part) => part.type === 'text').map((part) => part.text);
  const toolCalls = content
    .filter((part) => part.type === 'tool-call')
    .map((part): ChatToolCall => ({
      id: part.toolCallId,
      type: 'function',
      function: { name: part.toolName, arguments: part.input },
    }));
  const details = content.find((part) => part.type === 'reasoning')?.providerOptions?.['openaiChat']?.[
    'reasoningDetails'
  ];
  return {
    role: 'assistant',
    content: text.length === 0 ? null : text.join(''),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...(details === undefined ? {} : { reasoning_details: details }),
  };
}

/** A tool's message holds text only; pictures that a tool returned follow as a message of the user. */
function encodeToolResults(results: Extract<ModelMessage, { role: 'tool' }>['content']): ChatMessage[] {
  const messages = results.map((result): ChatMessage => {
    const text = result.content.filter((part) => part.type === 'text').map((part) => part.text);
    return { role: 'tool', tool_call_id: result.toolCallId, content: resultText(text.join('\n'), result.isError) };
  });
  const files = results.flatMap((result) => result.content.filter((part) => part.type === 'file'));
  return files.length === 0 ? messages : [...messages, { role: 'user', content: encodeContent(files) }];
}

function encodeContent(parts: (PromptText | PromptFile)[]): string | ChatContentPart[] {
  const [first] = parts;
  if (parts.length === 1 && first!.type === 'text') return first!.text;
  return parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : encodeFile(part)));
}

function encodeFile(file: PromptFile): ChatContentPart {
  if (file.mediaType.startsWith('image/'))
    return { type: 'image_url', image_url: { url: fileUrl(file), ...imageDetail(file) } };
  if (file.mediaType === 'application/pdf' && file.data.type === 'base64') {
    return { type: 'file', file: { filename: file.filename ?? 'document.pdf', file_data: fileUrl(file) } };
  }
  throw new DragomanError(
    'bad-request',
    `A file of type ${file.mediaType} cannot be sent to a Chat Completions model.`,
  );
}

function encodeToolChoice(choice: ToolChoice): unknown {
  return choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type;
}

function encodeResponseFormat(format: NonNullable<ModelCall['responseFormat']>): unknown {
  if (format.schema === undefined) return { type: 'json_object' };
  return {
    type: 'json_schema',
    json_schema: {
      name: format.name ?? 'answer',
      description: format.description,
      schema: format.schema,
      ...(format.strict === true ? { strict: true } : {}),
    },
  };
}
