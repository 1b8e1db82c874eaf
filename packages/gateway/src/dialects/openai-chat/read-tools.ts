import { chooseTools, type ChosenTools, type WrittenToolChoice } from '../../tools/choose-tools.ts';
import { isJsonObject, type JsonObject } from '../../tools/json-object.ts';
import type { OfferedTools, ToolEntry } from '../../tools/offered-tools.ts';
import { leftOutTool } from '../../tools/provider-tool.ts';
import type { ChatRequest } from './wire.ts';

/** The tools of a request, or the functions of a client that knows no tools yet, and which of them may be called. */
export function readTools(request: ChatRequest, offered: OfferedTools): ChosenTools {
  for (const [index, entry] of (request.tools ?? []).entries()) readTool(entry, `tools.${index}`, offered);
  for (const [index, entry] of (request.functions ?? []).entries()) offered.addEntry(entry, `functions.${index}`);
  return chooseTools(writtenChoice(request.tool_choice) ?? writtenChoice(request.function_call), offered);
}

/** Whether the client speaks of functions in the way that was there before tools. */
export function usesFunctions({ tools, functions }: ChatRequest): boolean {
  return (functions ?? []).length > 0 && (tools ?? []).length === 0;
}

function readTool(entry: unknown, place: string, offered: OfferedTools): void {
  if (!isJsonObject(entry)) offered.leaveOut(place);
  else if (isCustom(entry))
    offered.addEntry({ ...(isJsonObject(entry['custom']) ? entry['custom'] : entry), type: 'custom' }, place);
  else if (isFunction(entry)) offered.addEntry({ ...entry, type: 'function' }, place);
  else offered.leaveOut(leftOutTool(String(entry['type']), place, 'its provider'));
}

/** Another protocol calls functions with a schema `custom`; some clients mix the two. */
function isCustom(entry: JsonObject): boolean {
  return entry['type'] === 'custom' && !('input_schema' in entry);
}

function isFunction({ type, ...entry }: JsonObject): boolean {
  return type === undefined || type === null || type === 'function' || 'input_schema' in entry;
}

interface AnyChoice extends ToolEntry {
  allowed_tools?: Pick<WrittenToolChoice, 'mode' | 'tools'> | null | undefined;
}

function writtenChoice(choice: string | AnyChoice | null | undefined): WrittenToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (typeof choice === 'string') return { type: choice };
  return { ...choice, ...choice.allowed_tools, type: choice.type ?? 'function' };
}
