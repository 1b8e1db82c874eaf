import type { ContentBlockOf, ToolKind } from '../../uap/content-block.ts';

const BY_NAME: Readonly<Record<string, ToolKind>> = {
  read: 'read',
  edit: 'edit',
  write: 'edit',
  'apply-patch': 'edit',
  glob: 'search',
  grep: 'search',
  'code-search': 'search',
  'codebase-retrieval': 'search',
  'web-search': 'search',
  'web-fetch': 'fetch',
  bash: 'execute',
  task: 'task',
  'todo-write': 'think',
  'todo-read': 'think',
};

/** What a call does, as the agent says it or as its name tells. */
export function callKind({ kind, name }: ContentBlockOf<'tool_use'>): ToolKind {
  return kind ?? (Object.hasOwn(BY_NAME, name) ? BY_NAME[name]! : 'other');
}
