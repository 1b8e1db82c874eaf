import { DragomanError, type PermissionQuestion, type PermissionSubject } from '@dragoman/protocol';
import { checkInput } from '../tools/check-input.ts';
import { type Tool, ToolError } from '../tools/tool.ts';
import type { Workplace } from '../workplace/workplace.ts';

/** What a call of the tool would be about, in the arguments it has; for tools that a person names by what they touch. */
const INPUTS: Readonly<Record<string, (words: readonly string[]) => Record<string, unknown>[]>> = {
  bash: (words) => [{ command: words.join(' ') }],
  read: (words) => words.map((filePath) => ({ filePath })),
  edit: (words) => words.map((filePath) => ({ filePath })),
  write: (words) => words.map((filePath) => ({ filePath })),
  'apply-patch': (words) => words.map((path) => ({ patchText: patchOf(path) })),
  grep: (words) => words.map((path) => ({ pattern: '', path })),
  glob: (words) => words.map((pattern) => ({ pattern })),
  'web-fetch': (words) => words.map((url) => ({ url: /^\w+:\/\//.test(url) ? url : `https://${url}` })),
  task: (words) => words.map((agent) => ({ agent })),
  skill: (words) => words.map((name) => ({ name })),
  'mcp-resource': (words) => words.map((uri) => ({ uri })),
};

/**
 * What the permissions would be asked if the agent called the tool with this: the tool itself says so, as it does before
 * it runs. A word that is a JSON object stands for the arguments of a call.
 */
export async function permissionQuestion(
  workplace: Workplace,
  { tool: id, words, agent }: { tool: string; words: readonly string[]; agent: string },
): Promise<PermissionQuestion> {
  const tool = workplace.registry.get(id);
  const name = tool?.permission ?? id;
  if (words.length === 0) return { tool: name, subjects: [] };
  if (tool === undefined) throw new DragomanError('not-found', `There is no tool named "${id}" here.`);
  const inputs = inputsOf(tool, words);
  if (tool.subjects === undefined || inputs === undefined)
    throw new DragomanError(
      'bad-request',
      `"${id}" is decided as a whole, whatever it is called with: leave ${JSON.stringify(words.join(' '))} out.`,
    );
  const context: Tool.Context = {
    sessionID: 'ses_none',
    messageID: 'msg_none',
    callID: 'call_none',
    agent,
    cwd: workplace.cwd,
    root: workplace.root,
    abort: new AbortController().signal,
    metadata: () => {},
    isPermitted: () => true,
    ask: async () => {},
  };
  const subjects: PermissionSubject[] = [];
  try {
    for (const input of inputs) subjects.push(...(await tool.subjects(input, context)));
  } catch (error) {
    if (error instanceof ToolError) throw new DragomanError('bad-request', error.message, { cause: error });
    throw error;
  }
  return { tool: name, subjects };
}

function inputsOf(tool: Tool.Info, words: readonly string[]): Readonly<Record<string, unknown>>[] | undefined {
  const objects = words.map(readObject);
  if (!objects.every((object) => object !== undefined)) return INPUTS[tool.id]?.(words);
  return objects.map((object) => {
    const checked = checkInput(tool, object);
    if (checked.isValid) return checked.input;
    throw new DragomanError('bad-request', checked.problem);
  });
}

function readObject(word: string): Record<string, unknown> | undefined {
  if (!word.startsWith('{')) return undefined;
  try {
    return JSON.parse(word) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function patchOf(path: string): string {
  return `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`;
}
