import { inputPreview } from './hub/rows/input-preview.ts';

/** How a tool call is named to people. */
export interface ToolCallTitle {
  title: string;
  /** What it was asked, where that can be said in a line. */
  description?: string;
}

/** The title of a tool call on every screen; a tool that is not known is called by its name. */
export function describeToolCall(toolName: string, input: unknown): ToolCallTitle {
  const text = (field: string) => textIn(input, field);
  switch (toolName) {
    case 'codebase-retrieval':
      return titled('Context Engine', text('information_request'));
    case 'bash':
      return titled('bash', firstLine(text('command')));
    case 'read':
      return titled('read', withLines(text('filePath'), input));
    case 'edit':
    case 'write':
      return titled(toolName, text('filePath'));
    case 'apply-patch':
      return titled('patch', patchedFiles(text('patchText')));
    case 'glob':
      return titled('glob', searchedIn(text('pattern'), text('path')));
    case 'grep':
      return titled('grep', searchedIn(text('pattern'), text('path'), text('include')));
    case 'task':
      return titled('task', joined(': ', text('agent'), text('description')));
    case 'web-fetch':
      return titled('fetch', text('url'));
    case 'web-search':
      return titled('web search', text('query'));
    case 'code-search':
      return titled('code search', text('query'));
    case 'todo-write':
      return titled('todos', doneOf(input));
    case 'todo-read':
      return { title: 'todos' };
    case 'skill':
      return titled('skill', text('name'));
    default:
      return { title: toolName };
  }
}

/** A call that `describeToolCall` says nothing of, in a line: what it was given, then what the tool says of itself. */
export function otherCallTitle(title: string, input: unknown, own: string): string {
  const given = inputPreview(input);
  const said = own.startsWith(`${title} `) ? own.slice(title.length).trim() : own.trim();
  // Of a tool of an MCP server, "docs: find" says no more than `docs_find`.
  const saysMore = lettersOf(said) !== lettersOf(title) && !given.includes(said);
  return [title, given, ...(saysMore ? [given === '' ? '' : '·', said] : [])].filter((part) => part !== '').join(' ');
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function titled(title: string, description: string | undefined): ToolCallTitle {
  const line = description?.replace(/\s+/g, ' ').trim() ?? '';
  return line === '' ? { title } : { title, description: line };
}

/** Of a command with several lines the first says what it is about. */
function firstLine(text: string | undefined): string | undefined {
  const [first, ...others] = text?.trim().split('\n') ?? [];
  return others.length === 0 ? first : `${first} …`;
}

/** `src/a.ts:200-299` when a part of the file was asked for. */
function withLines(path: string | undefined, input: unknown): string | undefined {
  const [offset, limit] = [numberIn(input, 'offset'), numberIn(input, 'limit')];
  if (path === undefined || (offset === undefined && limit === undefined)) return path;
  const from = Math.max(1, offset ?? 1);
  return limit === undefined ? `${path}:${from}-` : `${path}:${from}-${from + limit - 1}`;
}

function searchedIn(pattern: string | undefined, path?: string, include?: string): string | undefined {
  return pattern === undefined ? undefined : joined(' in ', pattern, joined(' ', path, include));
}

/** Named in a patch as `*** Update File: src/a.ts`. */
function patchedFiles(patch: string | undefined): string | undefined {
  const files = Array.from(patch?.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm) ?? [], ([, path]) =>
    path!.trim(),
  );
  const [first, ...others] = new Set(files);
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function doneOf(input: unknown): string | undefined {
  const todos = fieldOf(input, 'todos');
  if (!Array.isArray(todos)) return undefined;
  const done = todos.filter((todo) => fieldOf(todo, 'status') === 'completed').length;
  return `${done} of ${todos.length} done`;
}

function joined(between: string, ...texts: (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : given.join(between);
}

/** The input is what a model wrote, or as much of it as there is so far. */
function textIn(input: unknown, field: string): string | undefined {
  const value = fieldOf(input, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberIn(input: unknown, field: string): number | undefined {
  const value = fieldOf(input, field);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function fieldOf(input: unknown, field: string): unknown {
  return typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>)[field] : undefined;
}
