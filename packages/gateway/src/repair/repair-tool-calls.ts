import type { ModelEvent, ModelSink } from '@dragoman/protocol';
import type { ToolIndex } from '../tools/index-tool-definitions.ts';
import { repairToolInput } from './repair-tool-input.ts';

/** Of all calls of an answer, in characters: mending takes its time, and nobody else is answered meanwhile. */
const MOST_REPAIRED = 512 * 1024;

interface HeldCall {
  start: Extract<ModelEvent, { type: 'tool-input-start' }>;
  input: string;
  end?: Extract<ModelEvent, { type: 'tool-input-end' }>;
}

/**
 * Holds each tool call back until its arguments are complete, and passes it on with the arguments repaired.
 *
 * Everything else passes straight through. Calls come out whole, one after the other, in the order in which they were
 * started. A call that `finish` finds open is completed with what it has; one that an error finds open is dropped, since
 * the model had not finished asking for it. Arguments that are longer than anybody writes are passed on as they came.
 */
export function repairToolCalls(
  next: ModelSink,
  tools: ToolIndex,
  contextText: string,
  onRepair: (toolName: string, repairs: string[]) => void,
): ModelSink {
  let held: HeldCall[] = [];
  const open = new Map<string, HeldCall>();
  let repairable = MOST_REPAIRED;

  const passOn = ({ start, input: written, end }: HeldCall) => {
    const { id, toolName } = start;
    repairable -= written.length;
    const { input, repairs } =
      repairable < 0
        ? { input: written, repairs: [] }
        : repairToolInput(written, { name: toolName, ...tools.get(toolName) }, contextText);
    if (repairs.length > 0) onRepair(toolName, repairs);
    next.push(start);
    next.push({ type: 'tool-input-delta', id, delta: input });
    next.push(end ?? { type: 'tool-input-end', id });
  };

  return {
    push(event) {
      switch (event.type) {
        case 'tool-input-start': {
          const call = { start: event, input: '' };
          held.push(call);
          open.set(event.id, call);
          return;
        }
        case 'tool-input-delta': {
          const call = open.get(event.id);
          if (call !== undefined) call.input += event.delta;
          return;
        }
        case 'tool-input-end': {
          const call = open.get(event.id);
          if (call !== undefined) call.end = event;
          open.delete(event.id);
          while (held[0]?.end !== undefined) passOn(held.shift()!);
          return;
        }
        case 'finish':
        case 'error': {
          const rest = event.type === 'finish' ? held : held.filter((call) => call.end !== undefined);
          held = [];
          rest.forEach(passOn);
          next.push(event);
          return;
        }
        default:
          next.push(event);
      }
    },
  };
}
