import { DragomanError, FIRST_MISTAKE, type PromptToolCall, type PromptToolResult } from '@dragoman/protocol';
import { toCustomArguments } from '../../tools/custom-tool.ts';
import { ownValue } from '../../tools/json-object.ts';
import { openCallId } from '../../tools/signed-call-id.ts';
import type { ToolNames } from '../../tools/tool-names.ts';
import { decodePart } from './decode-part.ts';
import { isOwnForm, OWN_FORMS } from './own-forms.ts';
import { outputSchema, type ResponsesItem } from './wire.ts';

/** The item of a call as the call of a function. */
export function decodeToolCall(item: ResponsesItem, place: string, names: ToolNames): PromptToolCall {
  const form = item.type!.replace(/(_tool)?_call$/, '');
  const called = openCallId(needed(item.call_id ?? (form === 'local_shell' ? item.id : undefined), `${place}.call_id`));
  if (isOwnForm(form)) {
    const input = JSON.stringify(OWN_FORMS[form].toArguments(item) ?? {});
    return { type: 'tool-call', ...called, toolName: names.nameOf({ form, name: form }), input };
  }
  const isCustom = form === 'custom';
  const toolName = names.nameOf({
    form: isCustom ? 'custom' : 'function',
    name: needed(item.name, `${place}.name`),
    ...(item.namespace ? { namespace: item.namespace } : {}),
  });
  const input = isCustom ? toCustomArguments(item.input ?? '') : functionArguments(item.arguments, place);
  return { type: 'tool-call', ...called, toolName, input };
}

/** What a tool returned. `toolNames` knows the calls before. */
export function decodeToolResult(
  item: ResponsesItem,
  place: string,
  toolNames: ReadonlyMap<string, string>,
): PromptToolResult {
  const isNamedById = item.type === 'local_shell_call_output';
  const { toolCallId } = openCallId(needed(item.call_id ?? (isNamedById ? item.id : undefined), `${place}.call_id`));
  const output = outputSchema.safeParse(toOutput(item), FIRST_MISTAKE);
  if (!output.success) throw new DragomanError('bad-request', `${place}.output: expected text or a list of parts.`);
  return {
    type: 'tool-result',
    toolCallId,
    toolName: toolNames.get(toolCallId) ?? '',
    content: output.data.map((part, index) => decodePart(part, `${place}.output.${index}`)),
    isError: item.type === 'apply_patch_call_output' && item.status === 'failed',
  };
}

function toOutput({ type, output, status }: ResponsesItem): unknown {
  if (type === 'apply_patch_call_output') return output ?? `The patch is ${status ?? 'done'}.`;
  if (type !== 'shell_call_output' || !Array.isArray(output)) return output;
  return output.map((piece) => ({ type: 'input_text', text: shellText(piece) }));
}

function shellText(piece: unknown): string {
  const texts = ['stdout', 'stderr'].map((key) => ownValue(piece, key)).filter((text) => typeof text === 'string');
  const outcome = ownValue(piece, 'outcome');
  const code = ownValue(outcome, 'exit_code');
  const ending = ownValue(outcome, 'type') === 'timeout' ? 'timed out' : `exit code ${JSON.stringify(code ?? null)}`;
  return [...texts.filter((text) => text !== ''), `(${ending})`].join('\n');
}

function functionArguments(args: unknown, place: string): string {
  if (args === undefined || args === null || args === '') return '{}';
  if (typeof args === 'string') return args;
  throw new DragomanError('bad-request', `${place}.arguments: expected text.`);
}

function needed(value: string | null | undefined, place: string): string {
  if (value === undefined || value === null || value === '')
    throw new DragomanError('bad-request', `${place}: expected text.`);
  return value;
}
