import { shellCall } from './clients/shell-call.ts';
import type { Script } from './upstream/scripted-upstreams.ts';

/** What goes on between a client with tools and the model, and what the person at the client reads in the end. */
export interface Scenario {
  script: Omit<Script, 'hasTools'>;
  reads: readonly string[];
}

/** The model repeats what the tools have just answered. */
export const tellResults: Script['steps'][number] = ({ results }) => `The tools said: ${results.at(-1)!.join(' and ')}`;

const inWords = [() => 'The word is plum.'];
const plum = ['The word is plum.'];

export const SCENARIOS = {
  'answers in words': { script: { steps: inWords }, reads: plum },
  'runs a tool': {
    script: { steps: [(asked) => [shellCall(asked, 'cat fruit.txt')], tellResults] },
    reads: ['melon-4711'],
  },
  'runs two tools at once': {
    script: { steps: [(asked) => [shellCall(asked, 'cat fruit.txt'), shellCall(asked, 'cat bird.txt')], tellResults] },
    reads: ['melon-4711', 'heron-0815'],
  },
  'comes through a 429': { script: { steps: inWords, trouble: '429 once' }, reads: plum },
  'comes through a cut': { script: { steps: inWords, trouble: 'cut once' }, reads: plum },
} satisfies Record<string, Scenario>;

/** It is told, or the client goes on asking; nobody takes it for an answer. */
export const FAILURE: Omit<Script, 'hasTools'> = { steps: inWords, trouble: '500' };
