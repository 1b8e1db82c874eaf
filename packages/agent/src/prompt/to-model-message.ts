import type {
  AnyPart,
  AssistantInfo,
  FilePart,
  Message,
  ModelMessage,
  ModelName,
  PromptFile,
  PromptText,
  PromptToolResult,
  ProviderMetadata,
  ToolPart,
  UserInfo,
} from '@dragoman/protocol';

/** What stands where the output of an old call was. */
export const CLEARED_OUTPUT =
  '[The output of this call left the view to save space. Call the tool again if it is needed.]';

type Piece = Extract<ModelMessage, { role: 'assistant' }>['content'][number];

/**
 * A stored message as the messages of a prompt: an answer with its calls, then their results.
 *
 * Every call goes out with a result, also one that never ended. What a provider signed goes back to that model alone;
 * another one is told nothing of the thinking. The same message gives the same prompt, so that prompt caches hit.
 */
export function toModelMessage(message: Message, model: ModelName): ModelMessage[] {
  return message.info.role === 'user'
    ? toUserMessage(message as Message<UserInfo>)
    : toAnswer(message as Message<AssistantInfo>, model);
}

function toUserMessage(message: Message<UserInfo>): ModelMessage[] {
  const content = message.parts.flatMap(toUserContent);
  return content.length === 0 ? [] : [{ role: 'user', content }];
}

function toUserContent(part: AnyPart): (PromptText | PromptFile)[] {
  switch (part.type) {
    case 'text':
      return part.ignored === true || isBlank(part.text) ? [] : [text(part.text)];
    case 'file':
      return toFile(part);
    case 'agent':
      return [text(`The user mentions the agent "${part.name}": give it what is its work, with the task tool.`)];
    case 'subtask': // The call that answers it follows.
      return [text(`The user gives a task to the agent "${part.agent}": ${part.description}\n\n${part.prompt}`)];
    default: // The rest is for people.
      return [];
  }
}

function toAnswer({ info, parts }: Message<AssistantInfo>, model: ModelName): ModelMessage[] {
  const isSameModel = info.model.providerID === model.providerID && info.model.modelID === model.modelID;
  const content: Piece[] = [];
  const results: PromptToolResult[] = [];
  for (const part of parts) {
    if (part.type === 'text') {
      if (!isBlank(part.text)) content.push({ ...text(part.text), ...signed(part.metadata, isSameModel) });
    } else if (part.type === 'reasoning') {
      if (isSameModel && (part.text !== '' || part.metadata !== undefined))
        content.push({ type: 'reasoning', text: part.text, ...signed(part.metadata, isSameModel) });
    } else if (part.type === 'tool') {
      content.push(toCall(part, isSameModel));
      results.push(toResult(part));
    }
  }
  // An answer that broke off in its thoughts says nothing.
  if (!content.some(({ type }) => type !== 'reasoning')) return [];
  const answer: ModelMessage = { role: 'assistant', content };
  return results.length === 0 ? [answer] : [answer, { role: 'tool', content: results }];
}

function toCall({ callID, tool, state, metadata }: ToolPart, isSameModel: boolean): Piece {
  return {
    type: 'tool-call',
    toolCallId: callID,
    toolName: toToolName(tool),
    input: JSON.stringify(state.input),
    ...signed(metadata, isSameModel),
  };
}

function toResult({ callID, tool, state }: ToolPart): PromptToolResult {
  const result = (content: (PromptText | PromptFile)[], isError = false): PromptToolResult => ({
    type: 'tool-result',
    toolCallId: callID,
    toolName: toToolName(tool),
    content: content.length === 0 ? [text('(no output)')] : content, // Providers refuse what is empty.
    isError,
  });
  switch (state.status) {
    case 'completed':
      if (state.time.compacted !== undefined) return result([text(CLEARED_OUTPUT)]);
      return result([...said(state.output), ...(state.attachments ?? []).flatMap(toFile)]);
    case 'error':
      return result(said(state.time.compacted === undefined ? state.error : CLEARED_OUTPUT), true);
    case 'pending':
    case 'awaiting-approval':
    case 'running':
      return result([text('This call did not come to its end.')], true);
  }
}

/** Text is told as text; pictures and documents as they are; of anything else only that it is there. */
/** A model may call what it likes; providers take back only what could be a tool's name. */
function toToolName(tool: string): string {
  return tool.replaceAll(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
}

function toFile(part: FilePart): (PromptText | PromptFile)[] {
  const name = part.filename ?? part.source?.text?.value ?? part.url.slice(0, 200);
  const known = part.source?.type === 'resource' ? part.source.text?.value : undefined;
  if (known !== undefined) return [text(framed(part.filename ?? part.url, known))];
  const data = /^data:([^,]*),/.exec(part.url);
  if (data === null)
    return isMedia(part.mime) && /^https?:/.test(part.url)
      ? [{ type: 'file', mediaType: part.mime, data: { type: 'url', url: part.url }, ...named(part) }]
      : [text(`[${name}: ${part.mime}]`)];
  const body = part.url.slice(data[0].length);
  const base64 = data[1]!.endsWith(';base64') ? body : Buffer.from(decoded(body)).toString('base64');
  if (base64 === '') return [text(`[${name}: ${part.mime}, empty]`)];
  if (isMedia(part.mime))
    return [{ type: 'file', mediaType: part.mime, data: { type: 'base64', base64 }, ...named(part) }];
  if (/^text\/|json|xml|yaml|javascript|typescript/.test(part.mime))
    return [text(framed(part.filename ?? 'file', Buffer.from(base64, 'base64').toString('utf8')))];
  return [text(`[${part.filename ?? 'a file'}: ${part.mime}, not shown]`)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Whoever made the address forgot to encode it.
  }
}

function isMedia(mime: string): boolean {
  return mime.startsWith('image/') || mime === 'application/pdf';
}

function framed(name: string, content: string): string {
  return `<file name=${JSON.stringify(name)}>\n${content}\n</file>`;
}

function named({ filename }: FilePart): { filename?: string } {
  return filename === undefined ? {} : { filename };
}

function isBlank(value: string): boolean {
  return value.trim() === '';
}

function said(value: string): PromptText[] {
  return isBlank(value) ? [] : [text(value)];
}

function text(value: string): PromptText {
  return { type: 'text', text: value };
}

function signed(
  metadata: Readonly<Record<string, unknown>> | undefined,
  isSameModel: boolean,
): { providerOptions?: ProviderMetadata } {
  return metadata === undefined || !isSameModel ? {} : { providerOptions: metadata as ProviderMetadata };
}
