import {
  DragomanError,
  type PromptFile,
  type ModelCall,
  type ModelMessage,
  type ReasoningEffort,
  type PromptText,
  type ToolDefinition,
} from '@dragoman/protocol';
import type { Target } from '../../routing/target.ts';
import { parseToolArguments } from '../tool-arguments.ts';
import { resultText } from '../settings/failed-result.ts';
import type { UpstreamRequest } from '../upstream.ts';
import type { OllamaMessage, OllamaToolCall } from './wire.ts';

/**
 * A model call as a request to Ollama. The same prompt gives the same bytes, so that prompt caches hit.
 *
 * The provider's own options go along, because without `num_ctx` the server cuts long prompts off in silence.
 */
export function encodeOllamaRequest(call: ModelCall, target: Target, isStreamed: boolean): UpstreamRequest {
  const tools = offeredTools(call);
  const body = {
    model: target.model,
    messages: [...call.prompt.flatMap((message) => encodeMessage(message)), ...encodeDemand(call)],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({
            type: 'function',
            function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
          })),
        }),
    think: call.reasoningEffort === undefined ? undefined : THINK[call.reasoningEffort],
    format: call.responseFormat === undefined ? undefined : (call.responseFormat.schema ?? 'json'),
    options: encodeSettings(call, target),
    stream: isStreamed,
  };
  return { path: '/api/chat', headers: {}, body: JSON.stringify(body) };
}

const THINK: Record<ReasoningEffort, false | 'low' | 'medium' | 'high' | 'max'> = {
  none: false,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'max',
  max: 'max',
};

/** There is no tool choice here, but a tool that is not offered is not called. */
function offeredTools({ tools, toolChoice }: ModelCall): ToolDefinition[] {
  if (toolChoice?.type === 'none') return [];
  return toolChoice?.type === 'tool' ? tools.filter((tool) => tool.name === toolChoice.toolName) : tools;
}

/** That a tool must be called can only be said in words; `demandCall` looks whether one was. */
function encodeDemand({ tools, toolChoice }: ModelCall): OllamaMessage[] {
  if (tools.length === 0 || (toolChoice?.type !== 'required' && toolChoice?.type !== 'tool')) return [];
  const called = toolChoice.type === 'tool' ? `the tool ${toolChoice.toolName}` : 'one of the tools';
  return [{ role: 'system', content: `Answer with a call of ${called} and with nothing else.` }];
}

function encodeMessage(message: ModelMessage): OllamaMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [encodeUser(message.content)];
    case 'assistant':
      return [encodeAssistant(message.content)];
    case 'tool':
      return encodeToolResults(message.content);
  }
}

function encodeUser(content: (PromptText | PromptFile)[]): OllamaMessage {
  const images = content.filter((part) => part.type === 'file').map(encodeImage);
  return { role: 'user', content: joinText(content), ...(images.length === 0 ? {} : { images }) };
}

function encodeAssistant(content: Extract<ModelMessage, { role: 'assistant' }>['content']): OllamaMessage {
  const thinking = content
    .filter((part) => part.type === 'reasoning')
    .map((part) => part.text)
    .join('');
  const text = content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
  const toolCalls = content
    .filter((part) => part.type === 'tool-call')
    .map((part): OllamaToolCall => ({
      id: part.toolCallId,
      function: { name: part.toolName, arguments: parseToolArguments(part.input) },
    }));
  return {
    role: 'assistant',
    content: text,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}

/** A tool's message holds text only; pictures that a tool returned follow as a message of the user. */
function encodeToolResults(results: Extract<ModelMessage, { role: 'tool' }>['content']): OllamaMessage[] {
  const messages = results.map((result): OllamaMessage => ({
    role: 'tool',
    content: resultText(joinText(result.content), result.isError),
    tool_name: result.toolName,
    tool_call_id: result.toolCallId,
  }));
  const files = results.flatMap((result) => result.content.filter((part) => part.type === 'file'));
  return files.length === 0 ? messages : [...messages, encodeUser(files)];
}

function joinText(content: (PromptText | PromptFile)[]): string {
  return content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

function encodeImage({ mediaType, data }: PromptFile): string {
  if (!mediaType.startsWith('image/'))
    throw new DragomanError(
      'bad-request',
      `A file of type ${mediaType} cannot be sent to an Ollama model; images can.`,
    );
  if (data.type === 'url')
    throw new DragomanError('bad-request', 'Ollama does not fetch images by URL; send the image itself.');
  return data.base64;
}

function encodeSettings(call: ModelCall, target: Target): Record<string, unknown> | undefined {
  const settings = {
    ...target.provider.options,
    ...given({
      num_predict: call.maxOutputTokens,
      temperature: call.temperature,
      top_p: call.topP,
      top_k: call.topK,
      min_p: call.minP,
      presence_penalty: call.presencePenalty,
      frequency_penalty: call.frequencyPenalty,
      stop: call.stopSequences,
      seed: call.seed,
    }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

/** Without what is absent, which would hide the provider's own option. */
function given(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
