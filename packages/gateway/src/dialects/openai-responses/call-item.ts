import { readCustomInput } from '../../tools/custom-input-stream.ts';
import { isJsonObject, parseJson } from '../../tools/json-object.ts';
import type { ClientTool } from '../../tools/tool-names.ts';
import { OWN_FORMS } from './own-forms.ts';
import type { ResponsesCallItem, ResponsesCustomCallItem, ResponsesFunctionCallItem } from './wire.ts';

/** What the id of a call's item begins with. */
export function callPrefix({ form }: ClientTool): string {
  return form === 'function' ? 'fc' : form === 'custom' ? 'ctc' : OWN_FORMS[form].prefix;
}

/** The call of a function as the call that the client's tool expects. */
export function callItem(id: string, callId: string, tool: ClientTool, args: string): ResponsesCallItem {
  const { form } = tool;
  if (form === 'function') return functionCallItem(id, callId, tool, args);
  if (form === 'custom') return customCallItem(id, callId, tool, readCustomInput(args));
  const value = parseJson(args);
  const fields = OWN_FORMS[form].toItem(isJsonObject(value) ? value : {});
  return { id, type: `${form}_call`, status: 'completed', call_id: callId, ...fields };
}

export function functionCallItem(
  id: string,
  callId: string,
  tool: ClientTool,
  args: string,
): ResponsesFunctionCallItem {
  return { id, type: 'function_call', status: 'completed', call_id: callId, ...nameOf(tool), arguments: args };
}

export function customCallItem(id: string, callId: string, tool: ClientTool, input: string): ResponsesCustomCallItem {
  return { id, type: 'custom_tool_call', status: 'completed', call_id: callId, ...nameOf(tool), input };
}

function nameOf({ name, namespace }: ClientTool): { name: string; namespace?: string } {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}
