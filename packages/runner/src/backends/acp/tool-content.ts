import type { ContentBlockOf, FileDiff } from '@dragoman/protocol';
import { type Fields, fieldsIn, listIn, textIn, toFields } from '../../backend/fields.ts';
import { unifiedDiff } from '../../backend/unified-diff.ts';

type Attachment = ContentBlockOf<'image'> | ContentBlockOf<'file'>;

/** What a call shows, sorted by what becomes of it. */
export interface ToolContent {
  text: string;
  diffs: FileDiff[];
  attachments: Attachment[];
  terminalIds: string[];
}

/** What a call shows: its text, the changes it makes, pictures and files, and the terminals it runs in. */
export function readToolContent(content: readonly Fields[], cwd: string): ToolContent {
  const read: ToolContent = { text: '', diffs: [], attachments: [], terminalIds: [] };
  const texts: string[] = [];
  for (const each of content) {
    const terminalId = textIn(each, 'terminalId');
    if (each['type'] === 'diff') read.diffs.push(...readDiff(each, cwd));
    else if (each['type'] === 'terminal' && terminalId !== undefined) read.terminalIds.push(terminalId);
    else if (each['type'] === 'content') {
      const block = fieldsIn(each, 'content');
      const attachment = toAttachment(block);
      if (attachment !== undefined) read.attachments.push(attachment);
      else if (textIn(block, 'text') !== undefined) texts.push(withoutFence(textIn(block, 'text')!));
    }
  }
  read.text = texts.join('\n');
  return read;
}

/** A content block that is not text, as a picture or a file. */
export function toAttachment(block: Fields): Attachment | undefined {
  const media = textIn(block, 'mimeType');
  const [data, uri] = [textIn(block, 'data'), textIn(block, 'uri')];
  switch (block['type']) {
    case 'image':
      if (data !== undefined) return { type: 'image', media_type: media ?? 'image/png', data };
      return uri === undefined ? undefined : { type: 'image', media_type: media ?? 'image/png', url: uri };
    case 'audio':
      return data === undefined ? undefined : { type: 'file', name: 'audio', media_type: media ?? 'audio/wav', data };
    case 'resource_link':
      return uri === undefined ? undefined : toFile(textIn(block, 'name'), uri, media, undefined);
    case 'resource': {
      const resource = fieldsIn(block, 'resource');
      const [text, place] = [textIn(resource, 'text'), textIn(resource, 'uri')];
      const bytes = text === undefined ? textIn(resource, 'blob') : Buffer.from(text).toString('base64');
      const isEmpty = bytes === undefined && place === undefined;
      return isEmpty ? undefined : toFile(undefined, place, textIn(resource, 'mimeType'), bytes);
    }
    default:
      return undefined;
  }
}

/** What a call gave back, where it shows nothing: its raw output, as text. */
export function rawOutputText(output: unknown): string {
  if (typeof output === 'string') return output;
  if (output === undefined || output === null) return '';
  const fields = toFields(output);
  for (const name of [
    'output',
    'formatted_output',
    'aggregated_output',
    'stdout',
    'text',
    'content',
    'error',
    'message',
  ]) {
    const text = textIn(fields, name);
    if (text !== undefined) return text;
  }
  const texts = listIn(fields, 'content').map((each) => textIn(each, 'text') ?? '');
  if (texts.some(Boolean)) return texts.join('\n');
  return Object.keys(fields).length === 0 && !Array.isArray(output) ? '' : JSON.stringify(output, undefined, 2);
}

/** Output that an agent put into a fence for an editor is output. A text with more than one fence is Markdown, and stays. */
export function withoutFence(text: string): string {
  const [, fence = '', body = ''] = /^(`{3,}|~{3,})[^\n`]*\n([\s\S]*)$/.exec(text.trim()) ?? [];
  if (fence === '') return text;
  const end = body === fence ? 0 : body.lastIndexOf(`\n${fence}`);
  const isLast = end !== -1 && body.slice(end).trim() === fence;
  const inner = body.slice(0, Math.max(0, end));
  return isLast && !`\n${inner}`.includes(`\n${fence}`) ? inner : text;
}

function readDiff(fields: Fields, cwd: string): FileDiff[] {
  const [path, before, after] = [textIn(fields, 'path'), fields['oldText'], fields['newText']];
  if (path === undefined) return [];
  return [unifiedDiff(path, typeof before === 'string' ? before : null, typeof after === 'string' ? after : '', cwd)];
}

function toFile(
  name: string | undefined,
  uri: string | undefined,
  media: string | undefined,
  data: string | undefined,
): ContentBlockOf<'file'> {
  return {
    type: 'file',
    name: name ?? uri?.split('/').findLast(Boolean) ?? 'file',
    ...(media === undefined ? {} : { media_type: media }),
    ...(uri === undefined ? {} : { uri }),
    ...(data === undefined ? {} : { data }),
  };
}
