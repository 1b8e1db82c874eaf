import { isAbsolute, join, sep } from 'node:path';
import type { Approval } from '@dragoman/protocol';
import { type Fields, textIn } from '../../backend/fields.ts';
import { permissionQuestion } from '../../backend/permission-question.ts';

type Question = NonNullable<Approval['question']>;

/** What a tool does, in the words that the rules are asked in. */
const KINDS: Readonly<Record<string, string>> = {
  Bash: 'execute',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Read: 'read',
  NotebookRead: 'read',
  LS: 'read',
  WebFetch: 'fetch',
};

/** What the permission rules are asked about a call of Claude Code, in the names that the rules use. */
export function claudeQuestion(name: string, input: Fields, cwd: string): Question {
  switch (name) {
    case 'Glob':
    case 'Grep':
      return permissionQuestion({ kind: 'read', rawInput: { path: searched(name, input) } }, name, cwd);
    case 'WebSearch':
      return { tool: 'web-search', subjects: [] };
    case 'Task':
    case 'Agent':
      return { tool: 'task', subjects: [{ kind: 'name', value: textIn(input, 'subagent_type') ?? 'general-purpose' }] };
    default:
      return permissionQuestion({ kind: KINDS[name], rawInput: input }, name, cwd);
  }
}

/** The folder a search goes through: where it is told to begin, and the way that a pattern for paths takes from there. */
function searched(name: string, input: Fields): string {
  const path = textIn(input, 'path') ?? '.';
  const pattern = (name === 'Glob' ? textIn(input, 'pattern') : textIn(input, 'glob')) ?? '';
  const parts = pattern.split(/[\\/]/);
  const plain = parts.slice(0, -1);
  const end = plain.findIndex((part) => /[*?[\]{}!()]/.test(part));
  const way = (end === -1 ? plain : plain.slice(0, end)).join(sep);
  return isAbsolute(pattern) ? way || sep : join(path, way);
}
