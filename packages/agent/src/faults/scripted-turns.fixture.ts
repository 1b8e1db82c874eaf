import { setImmediate as nextRound } from 'node:timers/promises';
import { DragomanError, type ModelCall, type ModelEvent, type ModelSink } from '@dragoman/protocol';
import fc from 'fast-check';
import { z } from 'zod';
import type { AgentModel } from '../agent-model.ts';
import { Tool, ToolError } from '../tools/tool.ts';
import type { TurnSettings } from '../turn/turn-settings.ts';

/** What the model says in one answer; blocks are told apart by their place in the list. */
export interface ScriptedAnswer {
  blocks: ScriptedBlock[];
  /** Which block goes on next, by place: this is how they interleave. */
  order: number[];
  end: 'finish' | 'try-again' | 'refused' | 'filtered' | 'called-off';
}

export type ScriptedBlock =
  | { kind: 'text' | 'reasoning'; deltas: string[] }
  | { kind: 'tool-input'; tool: string; input: string };

/** A session from its first prompt on: what is said, and what the person does meanwhile. */
export interface ScriptedSession {
  prompts: { text: string; delivery: 'queue' | 'steer' }[];
  answers: ScriptedAnswer[];
  /** The context is small: it has to be shortened on the way. */
  isSmall: boolean;
}

const delta = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
  fc.constantFrom('word ', '\n', '```', '\ud83d', '\ude00', '\u0000', '"', '漢字'),
);
const block: fc.Arbitrary<ScriptedBlock> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('text' as const, 'reasoning' as const),
    deltas: fc.array(delta, { maxLength: 6 }),
  }),
  fc.record({
    kind: fc.constant('tool-input' as const),
    tool: fc.constantFrom('echo', 'echo', 'write', 'fails', 'guarded', 'long', 'nosuch', 'Echo'),
    input: fc.oneof(
      fc.record({ text: fc.string({ maxLength: 10 }) }).map((input) => JSON.stringify(input)),
      fc.constantFrom('', '{', '[]', 'null', '{"text":5}', '{"text":"x","more":{"a":[1,null]}}'),
    ),
  }),
);
const answer: fc.Arbitrary<ScriptedAnswer> = fc.record({
  blocks: fc.array(block, { maxLength: 5 }),
  order: fc.array(fc.nat({ max: 4 }), { maxLength: 12 }),
  end: fc.oneof(
    { weight: 8, arbitrary: fc.constant('finish' as const) },
    { weight: 2, arbitrary: fc.constant('try-again' as const) },
    { weight: 1, arbitrary: fc.constantFrom('refused' as const, 'filtered' as const, 'called-off' as const) },
  ),
});

/** Sessions of every kind that a well-behaved model and a busy person make. */
export const scriptedSession: fc.Arbitrary<ScriptedSession> = fc.record({
  prompts: fc.array(
    fc.record({
      text: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `do ${text}`),
      delivery: fc.constantFrom('queue' as const, 'steer' as const),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
  isSmall: fc.boolean(),
});

/** A model that answers by the script; when that is used up it says that it is done. `callOff` ends the turn. */
export function scriptModel(script: ScriptedSession, callOff: () => void): AgentModel & { calls: ModelCall[] } {
  const calls: ModelCall[] = [];
  let told = 0;
  return {
    providerID: 'test',
    modelID: 'script',
    contextTokens: script.isSmall ? 900 : 200_000,
    maxOutputTokens: 200,
    price: { input: 1, output: 2 },
    calls,
    model: {
      async stream(call, sink, signal) {
        calls.push(structuredClone(call));
        if (call.tools.length === 0) return say(sink, '## Goal\nGo on.');
        const next = script.answers[told++];
        if (next === undefined) return say(sink, 'done');
        tell(next, `${told}`, sink);
        await nextRound(); // What was said so far may be stored here, or not.
        if (next.end === 'called-off') callOff();
        const event = signal.aborted
          ? ({ type: 'error', error: new DragomanError('cancelled', 'Called off.') } as const)
          : ENDS[next.end];
        sink.push(event);
      },
    },
  };
}

const finish = (finishReason: 'stop' | 'content-filter'): ModelEvent => ({
  type: 'finish',
  finishReason,
  usage: { inputTokens: 100, outputTokens: 20, reasoningTokens: 5, cacheReadTokens: 50 },
});
const ENDS: Record<ScriptedAnswer['end'], ModelEvent> = {
  finish: finish('stop'),
  filtered: finish('content-filter'),
  'try-again': { type: 'error', error: new DragomanError('unavailable', 'Busy.', { isRetryable: true }) },
  refused: { type: 'error', error: new DragomanError('bad-request', 'No.') },
  'called-off': finish('stop'),
};

function say(sink: ModelSink, text: string): void {
  sink.push({ type: 'text-start', id: 't' });
  sink.push({ type: 'text-delta', id: 't', delta: text });
  sink.push({ type: 'text-end', id: 't' });
  sink.push(finish('stop'));
}

/** Tells the blocks interleaved as `order` says, and then what is left of each. */
function tell({ blocks, order }: ScriptedAnswer, prefix: string, sink: ModelSink): void {
  const queues = blocks.map((one, index) => eventsOf(one, `${prefix}-${index}`));
  for (const place of order) {
    const event = queues[place % Math.max(1, queues.length)]?.shift();
    if (event !== undefined) sink.push(event);
  }
  for (const queue of queues) for (const event of queue) sink.push(event);
}

function eventsOf(one: ScriptedBlock, id: string): ModelEvent[] {
  if (one.kind === 'tool-input')
    return [
      { type: 'tool-input-start', id, toolName: one.tool },
      ...one.input.split('').map((piece): ModelEvent => ({ type: 'tool-input-delta', id, delta: piece })),
      { type: 'tool-input-end', id, providerMetadata: { test: { signature: id } } },
    ];
  return [
    { type: `${one.kind}-start`, id },
    ...one.deltas.map((piece): ModelEvent => ({ type: `${one.kind as 'text'}-delta`, id, delta: piece })),
    { type: `${one.kind}-end`, id, providerMetadata: { test: { signature: id } } },
  ];
}

const parameters = z.object({ text: z.string() });

/** Tools with every kind of outcome. */
export const scriptTools: readonly Tool.Info[] = [
  Tool.define({
    id: 'echo',
    description: 'Says it again.',
    parameters,
    isReadOnly: true,
    execute: async ({ text }, { metadata }) => {
      metadata({ title: `echo ${text}`, metadata: { length: text.length } });
      await nextRound();
      return { title: text, output: text, metadata: { length: text.length } };
    },
  }),
  Tool.define({
    id: 'write',
    description: 'Writes it.',
    parameters,
    execute: async ({ text }) => ({
      title: text,
      output: 'written',
      attachments: [{ mime: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AAAA' }],
    }),
  }),
  Tool.define({
    id: 'fails',
    description: 'Fails.',
    parameters,
    isReadOnly: true,
    execute: async ({ text }) => {
      throw text.length % 2 === 0 ? new ToolError('It cannot be done.') : new TypeError('x is not a function');
    },
  }),
  Tool.define({
    id: 'guarded',
    description: 'Asks first.',
    parameters,
    execute: async () => ({ title: '', output: '' }),
  }),
  Tool.define({
    id: 'long',
    description: 'Says much.',
    parameters,
    isReadOnly: true,
    execute: async ({ text }) => ({ title: text, output: `${text}\n${'lorem ipsum '.repeat(500)}` }),
  }),
];

export const scriptSettings: TurnSettings = {
  loop: { threshold: 3, action: 'stop' },
  budget: { steps: 20, compactions: 10 },
  stream: { firstEventMs: 60_000, idleMs: 60_000 },
  toolMs: 60_000,
  retry: { retries: 3, firstDelayMs: 1, maxDelayMs: 1 },
  compaction: { auto: true, threshold: 1 },
};
