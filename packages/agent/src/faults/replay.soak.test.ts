import { foldEvent, foldSession, type LoggedEvent, type ModelCall, type SessionState } from '@dragoman/protocol';
import { rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PromptBuilder } from '../prompt/prompt-builder.ts';
import { SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';
import { testStore } from '../session/session.fixture.ts';
import { cutDeltas, frozen, joinDeltas } from './chunking.fixture.ts';
import {
  type ScriptedSession,
  scriptedSession,
  scriptModel,
  scriptSettings,
  scriptTools,
} from './scripted-turns.fixture.ts';
import { expectEnclosed, expectSettled, expectValid, expectWellFormed } from './well-formed.fixture.ts';
import { createWorking } from './working-session.fixture.ts';

interface Played {
  /** Every event as it happened, deltas as they came. */
  events: LoggedEvent[];
  state: SessionState;
  calls: ModelCall[];
}

async function play(script: ScriptedSession, store: SessionStore, outputFolder: string): Promise<Played> {
  const model = scriptModel(script, () => void runner.abort());
  let asked = 0;
  const runner = await createWorking({
    store,
    model,
    tools: scriptTools,
    settings: scriptSettings,
    outputFolder,
    approver: async () => (asked++ % 2 === 0 ? { decision: 'once' } : { decision: 'reject', feedback: 'not now' }),
  });
  const events: LoggedEvent[] = await store.read(runner.id);
  runner.subscribe({ event: (logged) => events.push(logged) });
  for (const prompt of script.prompts) await runner.prompt(prompt);
  await runner.idle();
  runner.resume(); // What was cancelled left the others waiting.
  await runner.idle();
  await runner.close();
  return { events, state: runner.state, calls: model.calls };
}

test('whatever happens in a session, its log adds up to the same state however it is cut, and everything in it is valid [NFR-04, FR-19, FR-04]', async () => {
  const store = new SessionStore(await testStore());
  const folder = tempFolder();
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(scriptedSession, sizes, fc.nat(), async (script, cuts, at) => {
      const { events, state } = await play(script, store, folder);
      frozen(events);

      expect(foldSession(events)).toEqual(state);
      expect(foldSession(joinDeltas(events))).toEqual(state);
      expect(foldSession(cutDeltas(events, cuts))).toEqual(state);

      // One by one, from a state that nobody may change and that was written down and read again on the way.
      const pause = at % events.length;
      let step: SessionState | undefined;
      for (const [index, logged] of events.entries()) {
        step = frozen(foldEvent(step, logged));
        if (index === pause) step = JSON.parse(JSON.stringify(step)) as SessionState;
      }
      expect(step).toEqual(state);

      const stored = await store.read(state.info.id);
      expect(foldSession(stored)).toEqual(state);
      expect(joinDeltas(stored)).toEqual(joinDeltas(events));
      expectValid(stored, state);
      expectSettled(state);
      expectEnclosed(events.map(({ event }) => event));

      const again = await Session.open(store, state.info.id);
      expect(again.state).toEqual(state);
      await again.close();
    }),
    { seed: 19, numRuns: rounds(1_500), endOnFailure: true },
  );
});

test('at every moment of a session a prompt can be made that any provider takes [FR-22, ACC-06]', async () => {
  const store = new SessionStore(await testStore());
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(scriptedSession, async (script) => {
      const { events, calls } = await play(script, store, folder);

      for (const { prompt } of calls) expectWellFormed(prompt);
      const models = [
        { providerID: 'test', modelID: 'script' },
        { providerID: 'test', modelID: 'another' },
      ].map((model) => new PromptBuilder(model));
      let state: SessionState | undefined;
      for (const logged of events) {
        state = foldEvent(state, logged);
        for (const prompts of models) expectWellFormed(prompts.build('You are a test.', state));
      }
      expect(calls.length).toBeGreaterThan(0);
    }),
    { seed: 22, numRuns: rounds(500), endOnFailure: true },
  );
});
