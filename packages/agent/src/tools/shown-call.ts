import { resolve } from 'node:path';
import {
  describeToolCall,
  otherCallTitle,
  type SessionInfo,
  type ToolKind,
  type ToolPart,
  type ToolState,
} from '@dragoman/protocol';

/** Where the session works; paths in calls start there. */
export type CallPlace = Pick<SessionInfo, 'cwd' | 'root'>;

const KINDS: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  'mcp-resource': 'read',
  edit: 'edit',
  write: 'edit',
  'apply-patch': 'edit',
  glob: 'search',
  grep: 'search',
  'code-search': 'search',
  'web-search': 'search',
  'tool-search': 'search',
  bash: 'execute',
  'job-output': 'execute',
  'job-kill': 'execute',
  'web-fetch': 'fetch',
  task: 'task',
  'todo-write': 'think',
  'todo-read': 'think',
};

/** What sort of work a tool does. A model may have its name in the wrong case. */
export function callKind(tool: string): ToolKind {
  return KINDS[tool.toLowerCase().replaceAll('_', '-')] ?? 'other';
}

/** A call in a line, for people. */
export function callTitle({ tool, state }: ToolPart): string {
  const { title, description } = describeToolCall(tool, state.input);
  if (description !== undefined) return `${title} ${description}`;
  return otherCallTitle(title, state.input, 'title' in state ? (state.title ?? '') : '');
}

/** The files that a call names in its arguments. */
export function callPlaces(
  input: Readonly<Record<string, unknown>>,
  { cwd }: CallPlace,
): { path: string; line?: number }[] {
  const path = textIn(input, 'filePath') ?? textIn(input, 'path');
  if (path === undefined) return [];
  const line = input['offset'];
  return [{ path: resolve(cwd, path), ...(typeof line === 'number' && line >= 1 ? { line } : {}) }];
}

/** A command that failed or was stopped is a result to the model, and a failure to a person. */
export function hasFailed(state: ToolState): boolean {
  if (state.status === 'error') return true;
  const { exitCode, end } = (state.status === 'completed' ? state.metadata : undefined) ?? {};
  const isFailed = typeof exitCode === 'number' && exitCode !== 0;
  return isFailed || (typeof end === 'string' && (end !== 'exited' || exitCode === null));
}

/** A field that holds words; an empty one is none. */
export function textIn(fields: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
