import { basename } from 'node:path';
import type { ContentBlockOf, FilePart, ToolPart } from '@dragoman/protocol';
import { callKind, callPlaces, type CallPlace, callTitle, hasFailed, textIn } from '../tools/shown-call.ts';
import { sessionPath } from './session-path.ts';
import { splitDiff } from './split-diff.ts';

/** A call as it stands. It is known by its part, because a subagent's model may use the ids of calls again. */
export function encodeToolUse(
  part: ToolPart,
  place: CallPlace,
  parentToolUseId: string | undefined,
): ContentBlockOf<'tool_use'> {
  const { input } = part.state;
  const locations = callPlaces(input, place).map(({ path, ...rest }) => ({
    path: sessionPath(place.cwd, path),
    ...rest,
  }));
  return {
    type: 'tool_use',
    id: part.id,
    name: part.tool,
    input,
    title: callTitle(part),
    kind: callKind(part.tool),
    ...(parentToolUseId === undefined ? {} : { parent_tool_use_id: parentToolUseId }),
    ...(locations.length === 0 ? {} : { locations }),
  };
}

/** What came of a call that has ended. */
export function encodeToolResult({ id, state }: ToolPart, place: CallPlace): ContentBlockOf<'tool_result'> {
  if (state.status !== 'completed')
    return failedResult(id, state.status === 'error' ? state.error : 'The call did not finish.');
  const diffs = splitDiff(textIn(state.metadata, 'diff') ?? '', place);
  const attachments = (state.attachments ?? []).map(encodeAttachment);
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: state.output,
    ...(hasFailed(state) ? { is_error: true } : {}),
    ...(diffs.length === 0 ? {} : { diffs }),
    ...(attachments.length === 0 ? {} : { attachments }),
  };
}

/** The result of a call that came to nothing. */
export function failedResult(toolUseId: string, content: string): ContentBlockOf<'tool_result'> {
  return { type: 'tool_result', tool_use_id: toolUseId, content, is_error: true };
}

function encodeAttachment({ mime, filename, url, source }: FilePart): ContentBlockOf<'image' | 'file'> {
  const data = base64Of(url);
  const bytes = data === undefined ? { url } : { data };
  if (mime.startsWith('image/')) return { type: 'image', media_type: mime, ...bytes };
  const uri = source?.type === 'resource' ? source.uri : undefined;
  return {
    type: 'file',
    name: filename ?? (data === undefined ? basename(url) : 'file'),
    media_type: mime,
    ...(uri === undefined ? {} : { uri }),
    ...bytes,
  };
}

/** The bytes of an address that holds them. */
function base64Of(url: string): string | undefined {
  const [, isBase64, data] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return undefined;
  return isBase64 === undefined ? Buffer.from(decodeURIComponent(data)).toString('base64') : data;
}
