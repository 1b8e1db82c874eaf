import { readdirSync, readFileSync } from 'node:fs';
import { foldEvent, foldSession, type LoggedEvent, type SessionState } from '@dragoman/protocol';
import { describe, expect, test } from 'vitest';
import { PromptBuilder } from '../prompt/prompt-builder.ts';
import { testStore } from '../session/session.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';
import { cutDeltas, frozen, joinDeltas } from './chunking.fixture.ts';
import { expectEnclosed, expectSettled, expectValid, expectWellFormed } from './well-formed.fixture.ts';

const FOLDER = new URL('recordings/', import.meta.url);

function readLines<Value>(name: string): Value[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Value);
}

const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.state.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length));

test('there are recordings', () => {
  expect(names.length).toBeGreaterThan(7);
});

describe.each(names)('the recorded session "%s"', (name) => {
  const events = frozen(readLines<LoggedEvent>(`${name}.jsonl`));
  const [live] = readLines<SessionState>(`${name}.state.jsonl`);

  test('adds up to the state it had, however its deltas are cut [FR-19, NFR-04]', () => {
    for (const cut of [
      events,
      joinDeltas(events),
      ...[[1], [2, 3], [5, 1, 9]].map((sizes) => cutDeltas(events, sizes)),
    ]) {
      const state = frozen(foldSession(frozen(cut)))!;
      expect(JSON.parse(JSON.stringify(state))).toEqual(live);
    }
  });

  test('is what the schema says, and has nothing open [NFR-04, FR-04]', () => {
    expectValid(events, live!);
    expectSettled(live!);
    expectEnclosed(events.map(({ event }) => event));
    expect(events[0]!.event.type).toBe('session-created');
  });

  test('gives a well-formed prompt at every moment [FR-22, ACC-06]', () => {
    const prompts = new PromptBuilder(live!.info.model);
    let state: SessionState | undefined;
    for (const logged of events) {
      state = foldEvent(state, logged);
      expectWellFormed(prompts.build('You are a coding agent.', state));
    }
    expect(state!.seq).toBe(live!.seq);
  });

  test('is opened again as it was', async () => {
    const store = new SessionStore(await testStore());
    await store.create(live!.info, events[0]!);
    await store.append(live!.info.id, events.slice(1));
    await store.release(live!.info.id);
    const session = await Session.open(store, live!.info.id);
    expect(session.state).toEqual(live);
  });
});
