import { basename, resolve } from 'node:path';
import { type Approval, isShellTool } from '@dragoman/protocol';
import { commandSubjects } from './command-subjects.ts';
import { type Fields, fieldsIn, listIn, textIn, textsIn } from './fields.ts';
import { pathBelow, realPath } from './session-path.ts';

type Question = NonNullable<Approval['question']>;

/** Where calls name a file, in the spellings of many agents. */
const PATH_FIELDS: readonly string[] =
  'path filePath file_path filepath absolute_path notebook_path abs_path dir_path'.split(' ');
/** The same for calls that move a file; elsewhere these words mean other things. */
const MOVE_FIELDS: readonly string[] =
  'source destination from to oldPath newPath old_path new_path source_path destination_path'.split(' ');

/**
 * What the permission rules are asked about a call of a foreign agent, in the names that the rules use.
 *
 * A rule can only allow what is known for sure. So the command or the path is taken from the call's own arguments, its
 * places and its diffs, never from a title; where they tell nothing, the tool as such is asked about.
 */
export function permissionQuestion(call: Fields, toolName: string, cwd: string): Question {
  const input = fieldsIn(call, 'rawInput');
  switch (textIn(call, 'kind')) {
    case 'execute': {
      const command = commandOf(input);
      return { tool: 'bash', subjects: command === undefined ? [] : commandSubjects(command) };
    }
    case 'edit':
    case 'delete':
    case 'move':
      return { tool: 'edit', subjects: pathSubjects(call, cwd) };
    case 'read':
    case 'search':
      return { tool: 'read', subjects: pathSubjects(call, cwd) };
    case 'fetch': {
      const host = hostOf(textIn(input, 'url') ?? textIn(input, 'uri'));
      return { tool: 'web-fetch', subjects: host === undefined ? [] : [{ kind: 'host', value: host }] };
    }
    default: {
      // A shell is one under whatever kind it goes.
      const command = isShellTool(toolName) ? commandOf(input) : undefined;
      if (command !== undefined) return { tool: 'bash', subjects: commandSubjects(command) };
      return { tool: ruleName(toolName), subjects: [] };
    }
  }
}

/** The command line of a call: a text, or words that a shell is handed. */
function commandOf(input: Fields): string | undefined {
  const text = textIn(input, 'command') ?? textIn(input, 'cmd') ?? textIn(input, 'script');
  if (text !== undefined) {
    const args = textsIn(input, 'args');
    return args.length === 0 ? text : [text, ...args].map(quoted).join(' ');
  }
  const words = textsIn(input, 'command');
  if (words.length === 0) return undefined;
  const [shell = '', option = '', script] = words;
  // A shell that is handed one script says nothing of its own.
  if (/^(ba|z|da|k)?sh$/.test(basename(shell)) && /^-l?i?c$/.test(option) && script !== undefined && words.length === 3)
    return script;
  return words.map(quoted).join(' ');
}

/** `mcp__github__list_issues` is how one agent spells `github_list_issues`. */
function ruleName(toolName: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(toolName) ?? [];
  return server === undefined ? toolName : `${server}_${tool}`;
}

/**
 * The files of a call: relative to the project where they are in it, else absolute. A link counts as what it leads to and
 * as what it is called, so that neither hides the other.
 */
function pathSubjects(call: Fields, cwd: string): Question['subjects'] {
  const input = fieldsIn(call, 'rawInput');
  const changes = Object.keys(fieldsIn(input, 'changes')); // One agent names the files of a patch this way.
  const edits = listIn(input, 'edits').flatMap((edit) => PATH_FIELDS.map((name) => textIn(edit, name)));
  const named = [
    ...PATH_FIELDS.map((name) => textIn(input, name)),
    ...(textIn(call, 'kind') === 'move' ? MOVE_FIELDS.map((name) => textIn(input, name)) : []),
    ...textsIn(input, 'paths'),
    ...textsIn(input, 'absolute_paths'),
    ...changes,
    ...edits,
    ...listIn(call, 'locations').map((place) => textIn(place, 'path')),
    ...listIn(call, 'content').map((each) => (each['type'] === 'diff' ? textIn(each, 'path') : undefined)),
  ].filter((path) => path !== undefined);
  const values = named.flatMap((path) => {
    const absolute = resolve(cwd, path);
    return [pathBelow(cwd, absolute), pathBelow(realPath(cwd), realPath(absolute))];
  });
  return [...new Set(values)].map((value) => ({ kind: 'path', value }));
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.host.replace(/\.(?=:|$)/, '') || undefined;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
