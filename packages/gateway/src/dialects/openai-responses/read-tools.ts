import { DragomanError, FIRST_MISTAKE } from '@dragoman/protocol';
import { isToolName, type OfferedTools, type ToolEntry } from '../../tools/offered-tools.ts';
import { leftOutTool } from '../../tools/provider-tool.ts';
import { LIST_LIMITS } from '../list-limits.ts';
import { isOwnForm, OWN_FORMS } from './own-forms.ts';
import { toolsSchema } from './wire.ts';

/**
 * Adds a list of tools to what is offered. Gives back the names by which the model knows them.
 *
 * Tools that run in the client are functions here, whatever they are there: custom ones, those of a namespace, and the
 * shells and patches with items of their own. What runs at OpenAI is left out or refused.
 */
export function readTools(entries: readonly ToolEntry[], place: string, offered: OfferedTools): string[] {
  return entries.flatMap((entry, index) => readTool(entry, `${place}.${index}`, offered));
}

function readTool(entry: ToolEntry, place: string, offered: OfferedTools): string[] {
  const type = entry.type ?? 'function';
  if (type === 'function' || type === 'custom') return offered.addEntry(entry, place);
  if (type === 'namespace') return readNamespace(entry, place, offered);
  if (isOwnForm(type) && OWN_FORMS[type].runsInClient(entry))
    return offered.add({ form: type, name: type }, OWN_FORMS[type].definition(entry));
  return offered.leaveOut(leftOutTool(type, place, 'OpenAI'));
}

/** What is said of the namespace itself is told with its first tool. */
function readNamespace(entry: ToolEntry, place: string, offered: OfferedTools): string[] {
  const { name, description } = entry;
  const tools = toolsSchema.safeParse(entry['tools'] ?? [], FIRST_MISTAKE);
  if (!tools.success) {
    throw new DragomanError(
      'bad-request',
      `${place}.tools: expected a list of at most ${LIST_LIMITS.tools} functions and custom tools.`,
    );
  }
  if (!isToolName(name)) return offered.leaveOut(place);
  const about = description ? `About all tools of ${name}: ${description}` : '';
  return tools.data.flatMap((tool, index) =>
    offered.addEntry(tool, `${place}.tools.${index}`, { namespace: name, ...(index === 0 ? { about } : {}) }),
  );
}
