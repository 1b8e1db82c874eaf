import { setImmediate as nextRound } from 'node:timers/promises';
import { DragomanError, type DragomanErrorCode, type ModelCall, type ModelEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { z } from 'zod';
import type { AgentModel } from '../agent-model.ts';
import { Tool, ToolError } from '../tools/tool.ts';
import type { TurnSettings } from '../turn/turn-settings.ts';

/** How an answer ends, where it does. */
type WildEnd = 'ends' | 'breaks off' | 'throws' | 'throws nothing' | 'hangs' | 'hangs, deaf' | 'never ends';

interface WildAnswer {
  events: ModelEvent[];
  end: WildEnd;
}

/** Answers that come again and again, in a circle, with as many calls as the model likes. */
export interface WildBehaviour {
  answers: WildAnswer[];
  /** Arguments differ from call to call, so that no loop is seen. */
  isInventive: boolean;
  /** Says of the prompt that it is too long, nearly every time. */
  isNarrow: boolean;
  contextTokens: number;
}

const id = fc.constantFrom('a', 'b', '', 'call_1', '漢');
const text = fc.oneof(
  fc.constantFrom('', ' ', 'word', '{"text":"x"}', '{', '{"text":', '"}', 'null', '\u0000'),
  fc.string({ maxLength: 30, unit: 'binary' }),
  fc.constant('again and again '.repeat(60)),
);
const toolName = fc.constantFrom('echo', 'write', 'fails', 'hangs', 'deaf', 'huge', 'odd', 'nosuch', '', 'guarded');
const errorCode = fc.constantFrom<DragomanErrorCode>(
  'bad-request',
  'unauthenticated',
  'rate-limited',
  'context-overflow',
  'timed-out',
  'cancelled',
  'unavailable',
  'internal',
);
const usage = fc.option(
  fc.record({ inputTokens: fc.nat({ max: 3_000 }), outputTokens: fc.nat({ max: 500 }), reasoningTokens: fc.nat() }),
  { nil: undefined },
);

/** Any event at any place: ended before it began, begun twice, said after the end. */
const event: fc.Arbitrary<ModelEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom('text-start' as const, 'text-end' as const, 'reasoning-start' as const),
      id,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('reasoning-end' as const, 'tool-input-end' as const), id }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('text-delta' as const, 'reasoning-delta' as const, 'tool-input-delta' as const),
      id,
      delta: text,
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('tool-input-start' as const), id, toolName }) },
  { weight: 1, arbitrary: finish() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(errorCode, fc.boolean(), fc.option(fc.nat({ max: 3 }), { nil: undefined }))
      .map(([code, isRetryable, retryAfterMs]): ModelEvent => ({
        type: 'error',
        error: new DragomanError(code, `It is ${code}.`, {
          isRetryable,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        }),
      })),
  },
  { weight: 1, arbitrary: fc.constant<ModelEvent>({ type: 'response-metadata', id: 'r' }) },
);

function finish(): fc.Arbitrary<ModelEvent> {
  return fc
    .tuple(fc.constantFrom('stop', 'length', 'tool-calls', 'content-filter', 'error', 'other'), usage)
    .map(([finishReason, used]): ModelEvent => ({
      type: 'finish',
      finishReason: finishReason as 'stop',
      ...(used === undefined ? {} : { usage: used }),
    }));
}

/** A call that is as it should be, with an id that others have too. */
const wholeCall: fc.Arbitrary<ModelEvent[]> = fc.tuple(id, toolName).map(([callID, name]): ModelEvent[] => [
  { type: 'tool-input-start', id: callID, toolName: name },
  { type: 'tool-input-delta', id: callID, delta: '{"text":"same"}' },
  { type: 'tool-input-end', id: callID },
]);

const wildAnswer: fc.Arbitrary<WildAnswer> = fc.record({
  events: fc
    .tuple(
      fc.array(
        fc.oneof(
          event.map((one) => [one]),
          wholeCall,
        ),
        { maxLength: 12 },
      ),
      fc.option(finish()),
    )
    .map(([events, last]) => [...events.flat(), ...(last === null ? [] : [last])]),
  end: fc.oneof(
    { weight: 12, arbitrary: fc.constant<WildEnd>('ends') },
    {
      weight: 4,
      arbitrary: fc.constantFrom<WildEnd>(
        'breaks off',
        'throws',
        'throws nothing',
        'hangs',
        'hangs, deaf',
        'never ends',
      ),
    },
  ),
});

/** What can be thrown as well as an error. */
const NOTHING: unknown = undefined;

/** Models that misbehave in any way there is. */
export const wildBehaviour: fc.Arbitrary<WildBehaviour> = fc.record({
  answers: fc.array(wildAnswer, { minLength: 1, maxLength: 4 }),
  isInventive: fc.boolean(),
  isNarrow: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  contextTokens: fc.constantFrom(0, 3_000, 200_000),
});

/** The model of a behaviour. `stop` ends answers that never end, once the test is over. */
export function wildModel(behaviour: WildBehaviour): AgentModel & { calls: ModelCall[]; stop(): void } {
  const calls: ModelCall[] = [];
  const over = new AbortController();
  let said = 0;
  return {
    providerID: 'test',
    modelID: 'wild',
    contextTokens: behaviour.contextTokens,
    maxOutputTokens: 300,
    calls,
    stop: () => over.abort(),
    model: {
      async stream(call, sink, signal) {
        calls.push(structuredClone(call));
        if (behaviour.isNarrow && calls.length % 3 !== 0)
          return sink.push({ type: 'error', error: new DragomanError('context-overflow', 'Too long.') });
        const { events, end } = behaviour.answers[calls.length % behaviour.answers.length]!;
        for (const one of events) {
          const isCall = behaviour.isInventive && one.type === 'tool-input-delta' && one.delta.endsWith('"same"}');
          sink.push(isCall ? { ...one, delta: `{"text":"${said++}"}` } : one);
        }
        switch (end) {
          case 'ends':
            return sink.push({ type: 'finish', finishReason: 'stop' });
          case 'breaks off':
            return;
          case 'throws':
            throw new TypeError('x is not a function');
          case 'throws nothing':
            throw NOTHING;
          case 'hangs':
            return untilAborted(signal);
          case 'hangs, deaf':
            return untilAborted(over.signal);
          case 'never ends':
            sink.push({ type: 'text-start', id: 'endless' });
            for (let word = 0; !signal.aborted && !over.signal.aborted; word++) {
              sink.push({ type: 'text-delta', id: 'endless', delta: `word ${word} `.padEnd(2_000, String(word)) });
              await nextRound();
            }
        }
      },
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const parameters = z.object({ text: z.string().optional() });
const never = new Promise<never>(() => {});

/** Tools that are no better than the model. */
export const wildTools: readonly Tool.Info[] = [
  Tool.define({
    id: 'echo',
    description: 'Says it again.',
    parameters,
    isReadOnly: true,
    execute: async ({ text: said = '' }) => ({ title: said, output: said }),
  }),
  Tool.define({ id: 'write', description: 'Writes.', parameters, execute: async () => ({ title: '', output: '' }) }),
  Tool.define({ id: 'guarded', description: 'Asks.', parameters, execute: async () => ({ title: '', output: 'x' }) }),
  Tool.define({
    id: 'fails',
    description: 'Fails.',
    parameters,
    execute: async ({ text: said }) => {
      if (said === undefined) throw NOTHING;
      throw new ToolError('');
    },
  }),
  Tool.define({
    id: 'hangs',
    description: 'Waits for ever.',
    parameters,
    isReadOnly: true,
    execute: (_input, { abort }) =>
      new Promise((_resolve, reject) => abort.addEventListener('abort', () => reject(abort.reason as Error))),
  }),
  Tool.define({ id: 'deaf', description: 'Waits and does not obey.', parameters, execute: () => never }),
  Tool.define({
    id: 'huge',
    description: 'Says much.',
    parameters,
    isReadOnly: true,
    execute: async () => ({ title: '', output: 'line\n'.repeat(20_000) }),
  }),
  Tool.define({
    id: 'odd',
    description: 'Returns what it should not.',
    parameters,
    execute: async ({ text: said }) => {
      const metadata: Record<string, unknown> = { big: 1n };
      metadata['self'] = metadata;
      if (said === undefined) return undefined as never;
      return { title: undefined as never, output: said, metadata, attachments: [{ mime: 5, url: null } as never] };
    },
  }),
];

/** Limits so small that nobody waits for them. */
export const wildSettings: TurnSettings = {
  loop: { threshold: 3, action: 'stop' },
  budget: { steps: 10, tokens: 50_000, cost: 1, compactions: 3, wallMs: 1_500 },
  stream: { firstEventMs: 10, idleMs: 10 },
  toolMs: 8,
  retry: { retries: 1, firstDelayMs: 1, maxDelayMs: 1 },
  compaction: { auto: true, threshold: 1 },
  graceMs: 2,
};
