import {
  DragomanError,
  type PromptFile,
  type ModelCall,
  type ModelMessage,
  type PromptToolResult,
} from '@dragoman/protocol';
import { FAILED } from '../settings/failed-result.ts';
import { parseToolArguments } from '../tool-arguments.ts';
import type {
  AiSdkCallOptions,
  AiSdkFileData,
  AiSdkMessage,
  AiSdkPart,
  AiSdkToolOutput,
  AiSdkVersion,
} from './wire.ts';

/**
 * A model call as the options of an AI SDK model.
 *
 * How hard to think has a common word only since version 4. What has none is in `fates.ts`.
 */
export function encodeAiSdkCall(call: ModelCall, version: AiSdkVersion): AiSdkCallOptions {
  const {
    maxOutputTokens,
    temperature,
    topP,
    topK,
    presencePenalty,
    frequencyPenalty,
    stopSequences,
    seed,
    responseFormat,
  } = call;
  return {
    prompt: call.prompt.map((message) => encodeMessage(message, version)),
    ...(call.tools.length === 0
      ? {}
      : {
          tools: call.tools.map((tool) => ({ type: 'function', ...tool })),
          ...given({ toolChoice: call.toolChoice }),
        }),
    ...given({
      maxOutputTokens,
      temperature,
      topP,
      topK,
      presencePenalty,
      frequencyPenalty,
      stopSequences,
      seed,
      responseFormat,
    }),
    ...(version === 'v4' ? given({ reasoning: call.reasoningEffort }) : {}),
  };
}

function encodeMessage(message: ModelMessage, version: AiSdkVersion): AiSdkMessage {
  const options = given({ providerOptions: message.providerOptions });
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content, ...options };
    case 'user':
    case 'assistant':
    case 'tool':
      return { role: message.role, content: message.content.map((part) => encodePart(part, version)), ...options };
  }
}

type Part = Exclude<ModelMessage, { role: 'system' }>['content'][number];

function encodePart(part: Part, version: AiSdkVersion): AiSdkPart {
  const options = given({ providerOptions: part.providerOptions });
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...options };
    case 'file':
      return {
        type: 'file',
        mediaType: part.mediaType,
        data: encodeFile(part, version),
        ...given({ filename: part.filename }),
        ...options,
      };
    case 'tool-call':
      return {
        type: 'tool-call',
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        input: parseToolArguments(part.input),
        ...options,
      };
    case 'tool-result':
      return {
        type: 'tool-result',
        toolCallId: part.toolCallId,
        toolName: part.toolName,
        output: encodeOutput(part, version),
        ...options,
      };
  }
}

function encodeFile({ data }: PromptFile, version: AiSdkVersion): AiSdkFileData {
  if (version === 'v4')
    return data.type === 'url' ? { type: 'url', url: parseUrl(data.url) } : { type: 'data', data: data.base64 };
  return data.type === 'url' ? parseUrl(data.url) : data.base64;
}

function parseUrl(url: string): URL {
  if (!URL.canParse(url))
    throw new DragomanError('bad-request', `The file's address ${JSON.stringify(url.slice(0, 200))} is not a URL.`);
  return new URL(url);
}

/** Text goes as text. With files among it there is no word for a failure, so it is said. */
function encodeOutput({ content, isError }: PromptToolResult, version: AiSdkVersion): AiSdkToolOutput {
  if (content.some((part) => part.type === 'file')) {
    return {
      type: 'content',
      value: [
        ...(isError ? [{ type: 'text', text: FAILED }] : []),
        ...content.map((part) =>
          part.type === 'text' ? { type: 'text', text: part.text } : encodeOutputFile(part, version),
        ),
      ],
    };
  }
  const text = content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
  return { type: isError ? 'error-text' : 'text', value: text };
}

/** Each version has another name for a file that a tool returned. Version 2 knows no address, so it is named. */
function encodeOutputFile(file: PromptFile, version: AiSdkVersion): { type: string } & Record<string, unknown> {
  const { data, mediaType } = file;
  if (version === 'v4') return { type: 'file', mediaType, data: encodeFile(file, version) };
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  if (data.type === 'url')
    return version === 'v3' ? { type: `${kind}-url`, url: data.url } : { type: 'text', text: data.url };
  return { type: version === 'v3' ? `${kind}-data` : 'media', data: data.base64, mediaType };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is absent: a provider may take a key that is there for a setting. */
function given<T extends Record<string, unknown>>(settings: T): Given<T> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Given<T>;
}
