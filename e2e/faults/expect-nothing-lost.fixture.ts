import type { HubEventOf, HubEventType, LoggedHubEvent, OutboxRecord } from '@dragoman/protocol';
import { expect } from 'vitest';
import { type AgentNote, agentNotes, countedText } from './noting-agent.fixture.ts';
import { type FollowedSession, viewOf } from './followed-session.fixture.ts';

/** What a check found, for the report. */
export interface Found {
  blocks: number;
  /** Blocks that the agent was about to say when its runner was killed, and that never reached the runner. */
  unheard: number;
  prompts: number;
  approvals: number;
}

/**
 * Holds a session against what is known for certain: what the agent noted, what lay in the outbox when the runner was
 * killed, what the hub said it accepted, and what a reader saw.
 */
export async function expectNothingLost(session: FollowedSession, inOutbox: ReadonlySet<string>): Promise<Found> {
  const log = await session.log();
  const notes = agentNotes(session.folder);
  const seqs = log.map(({ seq }) => seq);
  expect(seqs, 'numbers rise').toEqual([...new Set(seqs)].toSorted((a, b) => a - b));

  const unheard = expectBlocks(session, log, notes, inOutbox);
  expectPrompts(session, log, notes);
  expectApprovals(session, log, notes);
  await expectViews(session, log);
  return {
    blocks: eventsOf(log, 'block-stop').length,
    unheard,
    prompts: session.accepted.length,
    approvals: eventsOf(log, 'approval-asked').length,
  };
}

/** The whole blocks of the counting agents among records of an outbox, by what they say. */
export function blockTexts(records: readonly OutboxRecord[]): string[] {
  return records.flatMap((record) => ('event' in record ? textOf(record.event) : []));
}

/** Every block is there once and in order; the only ones that may be missing are the last of a process that was killed. */
function expectBlocks(
  { folder }: FollowedSession,
  log: readonly LoggedHubEvent[],
  notes: readonly AgentNote[],
  inOutbox: ReadonlySet<string>,
): number {
  const logged = log.flatMap(({ event }) => textOf(event));
  const isLogged = new Set(logged);
  const said = notes.flatMap((note) =>
    'said' in note ? [{ run: note.run, text: countedText(folder, note.said) }] : [],
  );
  const lost = said.filter(({ text }) => inOutbox.has(text) && !isLogged.has(text));
  expect(lost, 'what was in the outbox is in the log').toEqual([]);
  const heard = said.filter(({ run, text }, index) => {
    if (isLogged.has(text)) return true;
    const wasHeardLater = said.slice(index).some((later) => later.run === run && isLogged.has(later.text));
    return wasHeardLater;
  });
  expect(logged, 'each block once and in order').toEqual(heard.map(({ text }) => text));

  expect(eventsOf(log, 'block-delta'), 'no pieces of blocks').toEqual([]);
  const rows = log.flatMap(({ event }) => ('blockId' in event ? [event.blockId] : []));
  expect(new Set(rows).size, 'one row for a block').toBe(rows.length);
  const unheard = new Set(said.map(({ text }) => text).filter((text) => !isLogged.has(text)));
  for (const { block } of eventsOf(log, 'block-start')) {
    const begun = block.type === 'text' ? block.text : '';
    expect(
      [...unheard].some((text) => text.startsWith(begun)),
      `a block that broke off: ${begun}`,
    ).toBe(true);
  }
  const killedRuns = new Set(said.filter(({ text }) => unheard.has(text)).map(({ run }) => run));
  expect(killedRuns.size, 'blocks are unheard only where a turn was interrupted').toBeLessThanOrEqual(
    eventsOf(log, 'turn-finished').filter(({ reason }) => reason === 'interrupted').length,
  );
  return unheard.size;
}

/** Every prompt that was accepted was queued once and taken once, and the agent was told of it at most once. */
function expectPrompts(session: FollowedSession, log: readonly LoggedHubEvent[], notes: readonly AgentNote[]): void {
  const started = eventsOf(log, 'turn-started');
  const queued = eventsOf(log, 'prompt-queued').map(({ prompt }) => prompt.id);
  const taken = [
    ...started.flatMap(({ promptId }) => promptId ?? []),
    ...eventsOf(log, 'prompt-taken').map(({ promptId }) => promptId),
  ];
  expect(queued.toSorted(), 'accepted prompts are queued once').toEqual(session.accepted.toSorted());
  expect(taken.toSorted(), 'accepted prompts are taken once').toEqual(session.accepted.toSorted());

  const told = notes.flatMap((note) => ('prompt' in note ? note.prompt : 'steer' in note ? note.steer : []));
  expect(new Set(told).size, 'the agent hears a prompt once').toBe(told.length);
  const finished = eventsOf(log, 'turn-finished');
  expect(
    finished.map(({ turnId }) => turnId),
    'each turn ends once',
  ).toEqual(started.map(({ turnId }) => turnId));
  const bad = finished.filter(({ reason }) => reason !== 'done' && reason !== 'interrupted');
  expect(bad, 'turns end well or are interrupted').toEqual([]);
  const done = new Set(finished.filter(({ reason }) => reason === 'done').map(({ turnId }) => turnId));
  for (const { turnId, promptId } of started)
    if (promptId !== undefined && done.has(turnId)) expect(told, 'a turn that was done was told').toContain(promptId);
}

/** Every approval was answered once, and the agent was told what the log says. */
function expectApprovals(session: FollowedSession, log: readonly LoggedHubEvent[], notes: readonly AgentNote[]): void {
  const decided = eventsOf(log, 'approval-decided');
  const withdrawn = new Set(eventsOf(log, 'approval-withdrawn').map(({ approvalId }) => approvalId));
  for (const { approval } of eventsOf(log, 'approval-asked')) {
    const decisions = decided.filter(({ approvalId }) => approvalId === approval.id);
    expect(decisions.length, `decisions on ${approval.id}`).toBeLessThanOrEqual(1);
    expect(decisions.length === 1 || withdrawn.has(approval.id), `${approval.id} waits no more`).toBe(true);
    const counted = session.counted.filter((answer) => answer.startsWith(`${approval.id} `));
    expect(counted.length, `answers to ${approval.id} that were told to count`).toBeLessThanOrEqual(1);
    const reply = decisions[0]?.reply;
    if (counted.length === 1)
      expect(reply, `the answer to ${approval.id}`).toEqual({ type: 'selected', optionId: counted[0]!.split(' ')[1] });
    const told = notes.flatMap((note) => ('answer' in note && note.answer === approval.id ? [note.reply] : []));
    expect(told, `what the agent was told of ${approval.id}`).toEqual(told.length === 0 ? [] : [reply]);
  }
}

/** Who followed, who comes back after an absence, and who reads from the beginning see the same. */
async function expectViews(session: FollowedSession, log: readonly LoggedHubEvent[]): Promise<void> {
  const whole = viewOf(log);
  expect(session.view, 'who followed sees what the log adds up to').toEqual(whole);
  for (const moment of session.moments)
    expect(viewOf(await session.log(moment.seq), moment), `who was away since ${moment.seq}`).toEqual(whole);
}

function eventsOf<Type extends HubEventType>(log: readonly LoggedHubEvent[], type: Type): HubEventOf<Type>[] {
  return log.flatMap(({ event }) => (event.type === type ? [event as HubEventOf<Type>] : []));
}

/** What a whole block of a counting agent says. */
function textOf(event: LoggedHubEvent['event']): string[] {
  return event.type === 'block-stop' && event.role === 'assistant' && event.block.type === 'text'
    ? [event.block.text]
    : [];
}
