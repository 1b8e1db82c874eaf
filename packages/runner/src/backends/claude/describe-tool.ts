import { resolve } from 'node:path';
import type { ContentBlockOf, ToolKind } from '@dragoman/protocol';
import { countIn, type Fields, textIn } from '../../backend/fields.ts';
import { pathBelow } from '../../backend/session-path.ts';

type ToolUse = ContentBlockOf<'tool_use'>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'execute',
  BashOutput: 'execute',
  KillShell: 'execute',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  ToolSearch: 'search',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  web_fetch: 'fetch',
  web_search: 'fetch',
  Task: 'task',
  Agent: 'task',
  ExitPlanMode: 'think',
};

/** Where a call says what it is about, for its title: the first that is there. */
const TITLES: readonly string[] = 'command description query url pattern subject skill'.split(' ');
const LONGEST_TITLE = 200;

/** What people are told of a call beside its name and input. A tool that nobody here knows has only those. */
export function describeTool(name: string, input: Fields, cwd: string): Pick<ToolUse, 'kind' | 'title' | 'locations'> {
  const path = textIn(input, 'file_path') ?? textIn(input, 'notebook_path');
  const shown = path === undefined ? undefined : pathBelow(cwd, resolve(cwd, path));
  const line = countIn(input, 'offset');
  const kind = KINDS[name];
  const title = titleOf(name, input, shown);
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(title === undefined ? {} : { title: title.slice(0, LONGEST_TITLE) }),
    ...(shown === undefined ? {} : { locations: [{ path: shown, ...(line === undefined ? {} : { line }) }] }),
  };
}

function titleOf(name: string, input: Fields, path: string | undefined): string | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server !== undefined) return `${server}: ${tool}`;
  if (KINDS[name] === undefined) return undefined;
  if (path !== undefined) return `${name} ${path}`;
  // What a task is about is its description; of anything else that is an explanation, and comes last.
  const fields = KINDS[name] === 'task' ? ['description', ...TITLES] : TITLES;
  const about = fields.map((field) => textIn(input, field)).find((text) => text !== undefined);
  if (about === undefined) return undefined;
  return KINDS[name] === 'execute' || KINDS[name] === 'task' ? about : `${name} ${about}`;
}
