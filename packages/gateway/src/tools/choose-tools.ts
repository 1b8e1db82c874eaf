import { DragomanError, type ToolChoice, type ToolDefinition } from '@dragoman/protocol';
import { ownValue } from './json-object.ts';
import type { OfferedTools, ToolEntry } from './offered-tools.ts';
import type { ClientTool } from './tool-names.ts';

/** A client's choice in OpenAI's words: which tools may be called, or which must be. */
export interface WrittenToolChoice extends ToolEntry {
  type: string;
  mode?: 'auto' | 'required' | null | undefined;
  tools?: readonly ToolEntry[] | null | undefined;
}

/** Which of the offered tools may be called, and whether one must be. */
export interface ChosenTools {
  tools: ToolDefinition[];
  toolChoice: ToolChoice | undefined;
}

/** A request's `tool_choice`, applied. A choice of allowed tools leaves the others out. */
export function chooseTools(choice: WrittenToolChoice | null | undefined, offered: OfferedTools): ChosenTools {
  const { definitions, names } = offered;
  switch (choice?.type) {
    case undefined:
      return { tools: definitions, toolChoice: undefined };
    case 'auto':
    case 'none':
      return { tools: definitions, toolChoice: { type: choice.type } };
    case 'required':
      return { tools: definitions, toolChoice: required(definitions, 'tool_choice') };
    case 'allowed_tools': {
      const allowed = choice.tools ?? [];
      const tools = definitions.filter(({ name }) => allowed.some((tool) => isMeant(tool, names.toolOf(name))));
      const mustCall = choice.mode === 'required';
      return { tools, toolChoice: mustCall ? required(tools, 'tool_choice.tools') : { type: 'auto' } };
    }
    default:
      return { tools: definitions, toolChoice: named(choice!, offered) };
  }
}

function required(tools: readonly ToolDefinition[], place: string): ToolChoice {
  if (tools.length > 0) return { type: 'required' };
  throw new DragomanError('bad-request', `${place}: a tool call is required, but none of the tools can be called.`);
}

function named(choice: WrittenToolChoice, { definitions, names }: OfferedTools): ToolChoice {
  const toolName = definitions.find(({ name }) => isMeant(choice, names.toolOf(name)))?.name;
  if (toolName !== undefined) return { type: 'tool', toolName };
  const type = JSON.stringify(choice.type.slice(0, 40));
  const isNamed = choice.type === 'function' || choice.type === 'custom';
  throw new DragomanError(
    'bad-request',
    isNamed
      ? `tool_choice.name: expected the name of one of the tools of type ${type}.`
      : `tool_choice: a tool of type ${type} is not supported; use a function.`,
  );
}

/** A choice without a namespace means the tool in any. */
function isMeant(choice: ToolEntry, { form, name, namespace }: ClientTool): boolean {
  const type = choice.type ?? 'function';
  if (type === 'namespace') return choice.name === namespace;
  if (type !== form) return false;
  if (form !== 'function' && form !== 'custom') return true;
  const meant = choice.name ?? ownValue(choice[form], 'name');
  return meant === name && (choice.namespace ?? namespace) === namespace;
}
