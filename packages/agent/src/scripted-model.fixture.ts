import { DragomanError, type ModelCall, type ModelEvent } from '@dragoman/protocol';
import type { AgentModel } from './agent-model.ts';

/** What a scripted model says to one call: events, or a function that decides by the call. */
export type ScriptedStep =
  | ModelEvent[]
  | ((call: ModelCall, signal: AbortSignal) => ModelEvent[] | Promise<ModelEvent[]>);

/** A model that answers as the test says, one step after the other; the last one answers all that follow. */
export function scriptedModel(
  steps: ScriptedStep[],
  options: Partial<AgentModel> = {},
): AgentModel & { calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  return {
    providerID: 'test',
    modelID: 'scripted',
    contextTokens: 200_000,
    maxOutputTokens: 8_192,
    ...options,
    calls,
    model: {
      async stream(call, sink, signal) {
        calls.push(structuredClone(call));
        const step = steps[Math.min(calls.length, steps.length) - 1] ?? says('done');
        const events = typeof step === 'function' ? await step(call, signal) : step;
        for (const event of events) {
          if (signal.aborted) {
            sink.push({ type: 'error', error: new DragomanError('cancelled', 'The call was cancelled.') });
            return;
          }
          sink.push(event);
        }
      },
    },
  };
}

const usage = { inputTokens: 100, outputTokens: 10 };
let callNumber = 0;

/** An answer in words. */
export function says(text: string): ModelEvent[] {
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop', usage },
  ];
}

/** An answer that calls tools. */
export function calls(...tools: [name: string, input: Readonly<Record<string, unknown>> | string][]): ModelEvent[] {
  return [
    ...tools.flatMap(([toolName, input]): ModelEvent[] => {
      const id = `call_${++callNumber}`;
      return [
        { type: 'tool-input-start', id, toolName },
        { type: 'tool-input-delta', id, delta: typeof input === 'string' ? input : JSON.stringify(input) },
        { type: 'tool-input-end', id },
      ];
    }),
    { type: 'finish', finishReason: 'tool-calls', usage },
  ];
}

/** An answer that fails. */
export function fails(error: DragomanError, before: ModelEvent[] = []): ModelEvent[] {
  return [...before, { type: 'error', error }];
}
