import { shellCall } from './clients/shell-call.ts';
import type { Script } from './upstream/scripted-upstreams.ts';

/** What goes on between a client with tools and the model, and what the person at the client reads in the end. */
export interface Scenario {
  script: Omit<Script, 'hasTools'>;
  reads: readonly string[];
  /** How often the model is asked at least. */
  asks: number;
}

/** The model repeats what the tools have just answered. */
export const tellResults: Script['steps'][number] = ({ results }) => `The tools said: ${results.at(-1)!.join(' and ')}`;

/** The answer of a scenario without tools. */
export const ANSWER = 'The word is plum.';
const inWords = [() => ANSWER];

/** The last one lets the provider fail for good: its target rests afterwards. */
export const SCENARIOS = {
  'answers in words': { script: { steps: inWords }, reads: [ANSWER], asks: 1 },
  'runs a tool': {
    script: { steps: [(asked) => [shellCall(asked, 'cat fruit.txt')], tellResults] },
    reads: ['melon-4711'],
    asks: 2,
  },
  'runs two tools at once': {
    script: { steps: [(asked) => [shellCall(asked, 'cat fruit.txt'), shellCall(asked, 'cat bird.txt')], tellResults] },
    reads: ['melon-4711', 'heron-0815'],
    asks: 2,
  },
  'comes through a 429': { script: { steps: inWords, trouble: '429 once' }, reads: [ANSWER], asks: 2 },
  'comes through a cut': { script: { steps: inWords, trouble: 'cut once' }, reads: [ANSWER], asks: 2 },
  // It is told, or the client goes on asking until it is ended; nobody takes it for an answer.
  'tells of a 500, or goes on asking': { script: { steps: inWords, trouble: '500' }, reads: [], asks: 1 },
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
