import { resolve } from 'node:path';
import type { ContentBlockOf, ToolKind } from '@dragoman/protocol';
import type { ToolResultNews, ToolUseNews } from '../../backend/block-writer.ts';
import { boundOutput } from '../../backend/bound-output.ts';
import { countIn, type Fields, fieldsIn, listIn, textIn, textsIn, toFields } from '../../backend/fields.ts';
import { pathBelow } from '../../backend/session-path.ts';
import { changeDiffs, changedFiles } from './file-changes.ts';
import { shownCommand } from './shown-command.ts';

type Use = Omit<ToolUseNews, 'id'>;
type Result = Omit<ToolResultNews, 'tool_use_id'>;

/** An item of a thread that is a call, as a call; nothing for what is none, and for what nobody here knows. */
export function describeCall(item: Fields, cwd: string): Use | undefined {
  switch (item['type']) {
    case 'commandExecution': {
      const command = shownCommand(textIn(item, 'command') ?? '');
      const place = textIn(item, 'cwd');
      const elsewhere = place === undefined || resolve(place) === resolve(cwd) ? {} : { cwd: place };
      return { name: 'bash', input: { command, ...elsewhere }, title: command.slice(0, 200), kind: commandKind(item) };
    }
    case 'fileChange': {
      const changes = changedFiles(listIn(item, 'changes'), cwd);
      const paths = changes.map(({ path }) => path);
      const isDeletion = changes.length > 0 && changes.every(({ kind }) => kind === 'delete');
      return {
        name: 'edit',
        input: { changes },
        title: `${isDeletion ? 'Delete' : 'Edit'} ${paths.join(', ')}`.slice(0, 200),
        kind: isDeletion ? 'delete' : 'edit',
        locations: paths.map((path) => ({ path })),
      };
    }
    case 'mcpToolCall': {
      const [server, tool] = [textIn(item, 'server') ?? 'mcp', textIn(item, 'tool') ?? 'tool'];
      return { name: `${server}_${tool}`, input: inputOf(item['arguments']), title: `${server}: ${tool}` };
    }
    case 'dynamicToolCall': {
      const [space, tool] = [textIn(item, 'namespace'), textIn(item, 'tool') ?? 'tool'];
      return { name: space === undefined ? tool : `${space}_${tool}`, input: inputOf(item['arguments']) };
    }
    case 'webSearch': {
      const action = fieldsIn(item, 'action');
      const query = textIn(item, 'query') ?? textIn(action, 'query') ?? textIn(action, 'url');
      return {
        name: 'web-search',
        input: query === undefined ? {} : { query },
        kind: 'fetch',
        ...(query && { title: query }),
      };
    }
    case 'imageView': {
      const path = pathBelow(cwd, resolve(cwd, textIn(item, 'path') ?? '.'));
      return { name: 'view-image', input: { path }, title: `View ${path}`, kind: 'read', locations: [{ path }] };
    }
    case 'collabAgentToolCall':
    case 'collabToolCall': {
      const [prompt, model] = [textIn(item, 'prompt'), textIn(item, 'model')];
      return {
        name: textIn(item, 'tool') ?? 'agent',
        input: { ...(prompt && { prompt }), ...(model && { model }) },
        kind: 'task',
        ...(prompt && { title: prompt.slice(0, 200) }),
      };
    }
    default:
      return undefined;
  }
}

/** What came of a call. `streamed` is the output that was told while it ran. */
export function describeResult(item: Fields, cwd: string, streamed: string): Result {
  const status = textIn(item, 'status') ?? 'completed';
  const isDeclined = status === 'declined';
  const isError = isDeclined || status === 'failed' || item['success'] === false;
  const error = isError ? { is_error: true } : {};
  switch (item['type']) {
    case 'commandExecution': {
      const exit = countIn(item, 'exitCode');
      const output = textIn(item, 'aggregatedOutput') ?? streamed;
      const silent = isDeclined ? 'It was not allowed to run.' : exit ? `It ended with exit code ${exit}.` : '';
      return { content: boundOutput(output || silent), ...(isError || (exit ?? 0) > 0 ? { is_error: true } : {}) };
    }
    case 'fileChange': {
      const changes = listIn(item, 'changes');
      const refused = isDeclined ? 'The change was not allowed.' : 'The change could not be made.';
      const made = changedFiles(changes, cwd).map(({ path, kind }) => `${kind}: ${path}`);
      return {
        content: isError ? refused : made.join('\n'),
        ...error,
        ...(isError ? {} : { diffs: changeDiffs(changes, cwd) }),
      };
    }
    case 'mcpToolCall': {
      const failure = textIn(fieldsIn(item, 'error'), 'message');
      const { text, attachments } = readContent(listIn(fieldsIn(item, 'result'), 'content'));
      return { content: boundOutput(failure ?? text), ...error, ...(attachments.length > 0 && { attachments }) };
    }
    case 'dynamicToolCall': {
      const { text, attachments } = readContent(listIn(item, 'contentItems'));
      return { content: boundOutput(text), ...error, ...(attachments.length > 0 && { attachments }) };
    }
    case 'webSearch':
      return { content: searchedText(item), ...error };
    case 'collabAgentToolCall':
    case 'collabToolCall': {
      const states = Object.values(fieldsIn(item, 'agentsStates')).map(toFields);
      const told = states.flatMap((state) => textIn(state, 'message') ?? textIn(state, 'status') ?? []);
      return { content: boundOutput(told.join('\n')), ...error };
    }
    default:
      return { content: '', ...error };
  }
}

/** A command that only looks is told as what it does. */
function commandKind(item: Fields): ToolKind {
  const actions = listIn(item, 'commandActions').map((action) => textIn(action, 'type'));
  if (actions.length === 0) return 'execute';
  if (actions.every((type) => type === 'read')) return 'read';
  return actions.every((type) => type === 'read' || type === 'search' || type === 'listFiles') ? 'search' : 'execute';
}

/** Texts and pictures, in the spelling of MCP or in that of tools of the client. */
function readContent(content: readonly Fields[]): { text: string; attachments: ContentBlockOf<'image'>[] } {
  const texts = content.flatMap((each) => textIn(each, 'text') ?? []);
  const attachments = content.flatMap((each): ContentBlockOf<'image'>[] => {
    const [data, url] = [textIn(each, 'data'), textIn(each, 'imageUrl')];
    if (each['type'] === 'image' && data !== undefined)
      return [{ type: 'image', media_type: textIn(each, 'mimeType') ?? 'image/png', data }];
    const [, media, inline] = /^data:([\w/+.-]+);base64,(.*)$/s.exec(url ?? '') ?? [];
    if (media !== undefined) return [{ type: 'image', media_type: media, data: inline }];
    return url === undefined ? [] : [{ type: 'image', media_type: 'image/png', url }];
  });
  return { text: texts.join('\n'), attachments };
}

function searchedText(item: Fields): string {
  const action = fieldsIn(item, 'action');
  const found = listIn(item, 'results').flatMap((result) => {
    const [title, url] = [textIn(result, 'title'), textIn(result, 'url')];
    return url === undefined ? [] : [title === undefined ? url : `${title}: ${url}`];
  });
  if (found.length > 0) return found.join('\n');
  const looked = [...textsIn(action, 'queries'), textIn(action, 'url'), textIn(action, 'pattern')];
  return looked.filter(Boolean).join('\n');
}

function inputOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return { ...value };
  return { input: value };
}
