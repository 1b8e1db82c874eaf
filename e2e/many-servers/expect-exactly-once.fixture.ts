import { foldHubEvents, type HubEventOf, type HubEventType, type LoggedHubEvent } from '@dragoman/protocol';
import { readSql } from '@dragoman/testkit';
import { expect } from 'vitest';
import { answersIn, promptsIn, upTo, wholeLog } from '../two-hubs.fixture.ts';
import { BLOCKS, type CountingSession } from './counting-session.fixture.ts';
import type { ManyServers } from './many-servers.fixture.ts';
import type { ModelCalls } from './model-calls.fixture.ts';
import { soon, untilAcknowledged } from './until-acknowledged.fixture.ts';
import type { Uploads } from './uploads.fixture.ts';

/** Holds a session against what servers said they have, what its reader saw, and what its agents noted. */
export async function expectSessionOnce({ client }: ManyServers, session: CountingSession): Promise<void> {
  const log = await untilAcknowledged(() => wholeLog(client, session.id));
  const turns = expectPrompts(session, log);
  expectBlocks(session, log, turns);
  expectApprovals(session, log, turns);
  if (session.reader !== undefined)
    expect(session.reader.view, 'the reader sees what is in the log').toEqual(foldHubEvents(log));
}

/** By the prompt: whether its turn came to its end. */
type Turns = ReadonlyMap<string, { isDone: boolean }>;

/** Every prompt that was accepted is there once, had one turn, and was given to an agent at most once. */
function expectPrompts({ accepted, folder }: CountingSession, log: readonly LoggedHubEvent[]): Turns {
  const started = eventsOf(log, 'turn-started');
  const finished = eventsOf(log, 'turn-finished');
  const queued = eventsOf(log, 'prompt-queued').map(({ prompt }) => prompt.id);
  expect(queued, 'accepted prompts are there once').toEqual(accepted);
  expect(
    started.map(({ promptId }) => promptId),
    'accepted prompts had one turn each',
  ).toEqual(accepted);
  expect(
    finished.map(({ turnId }) => turnId),
    'turns ended once',
  ).toEqual(started.map(({ turnId }) => turnId));
  const otherwise = finished.filter(({ reason }) => reason !== 'done' && reason !== 'interrupted');
  expect(otherwise, 'turns that were neither done nor interrupted').toEqual([]);

  const turns = new Map(started.map(({ promptId }, at) => [promptId!, { isDone: finished[at]!.reason === 'done' }]));
  const given = promptsIn(folder);
  expect([...new Set(given)], 'agents were given a prompt once').toEqual(given);
  const done = accepted.filter((id) => turns.get(id)!.isDone);
  expect(
    given.filter((id) => turns.get(id)?.isDone === true),
    'what was done was given',
  ).toEqual(done);
  return turns;
}

/** Of a turn that was done every block is there once and in order; of one that was interrupted those until then. */
function expectBlocks({ accepted }: CountingSession, log: readonly LoggedHubEvent[], turns: Turns): void {
  const said = eventsOf(log, 'block-stop').flatMap(({ role, block }) =>
    role === 'assistant' && block.type === 'text' ? [block.text] : [],
  );
  const expected = accepted.flatMap((id) => {
    const last = turns.get(id)!.isDone ? BLOCKS : said.filter((text) => text.startsWith(`${id} `)).length;
    return upTo(last).map((number) => `${id} ${number}`);
  });
  expect(said, 'each block is there once, in order').toEqual(expected);
}

/** Every answer that was accepted is there once, and reached the agent once where its turn was done. */
function expectApprovals({ decided, folder }: CountingSession, log: readonly LoggedHubEvent[], turns: Turns): void {
  const settled = eventsOf(log, 'approval-decided');
  const inLog = settled.map(({ approvalId }) => approvalId);
  const withdrawn = eventsOf(log, 'approval-withdrawn').map(({ approvalId }) => approvalId);
  expect([...new Set(inLog)], 'approvals are answered once').toEqual(inLog);
  // What still waits when its turn is interrupted is called off, and that is no answer of a person.
  const answered = settled.filter(({ reply }) => reply.type === 'selected').map(({ approvalId }) => approvalId);
  expect(
    decided.filter((id) => !answered.includes(id)),
    'accepted answers that are missing',
  ).toEqual([]);
  const asked = eventsOf(log, 'approval-asked').map(({ approval }) => approval.id);
  expect(
    asked.filter((id) => !inLog.includes(id) && !withdrawn.includes(id)),
    'approvals that are still open',
  ).toEqual([]);

  const heard = answersIn(folder);
  expect([...new Set(heard)], 'agents heard an answer once').toEqual(heard);
  const ofDone = answered.filter((id) => turns.get(promptOf(id))?.isDone === true).map((id) => `${id} a`);
  expect(
    ofDone.filter((answer) => !heard.includes(answer)),
    'answers that an agent did not hear',
  ).toEqual([]);
}

/** The agent names its approvals by the prompt and the block. */
function promptOf(approvalId: string): string {
  return approvalId.slice(0, approvalId.lastIndexOf('-'));
}

/** Every call that was answered has one usage record, and the budget is what the records add up to. */
export async function expectUsageOnce({ databaseUrl }: ManyServers, calls: ModelCalls): Promise<void> {
  const counts = async () => {
    const rows = await readSql<{ number: number; records: number }>(
      databaseUrl,
      'select input_tokens::int as number, count(*)::int as records from usage_log where input_tokens is not null group by 1',
    );
    return new Map(rows.map(({ number, records }) => [number, records]));
  };
  // Records of a server that was killed are stored by the next one in its folder.
  await expect
    .poll(async () => {
      const stored = await counts();
      return calls.answered.filter((number) => !stored.has(number));
    }, soon)
    .toEqual([]);
  const twice = [...(await counts())].filter(([, records]) => records !== 1);
  expect(twice, 'calls with more than one usage record').toEqual([]);

  // One statement, so that no record comes in between.
  const [sums] = await readSql<Sums>(
    databaseUrl,
    `select * from
       (select sum(input_tokens + output_tokens)::float8 as tokens, sum(cost_micros)::float8 as micros from usage_log) as recorded,
       (select sum(tokens)::float8 as spent_tokens, sum(micros)::float8 as spent_micros, sum(unknown_calls)::int as unknown_calls,
               sum(requests)::int as requests from budget_spent) as spent`,
  );
  const { tokens, micros, requests, ...spent } = sums!;
  expect(spent, 'the budget is what the records add up to').toEqual({
    spent_tokens: tokens,
    spent_micros: micros,
    unknown_calls: 0,
  });
  expect(requests, 'calls in the budget').toBeGreaterThanOrEqual(calls.answered.length);
  expect(requests, 'calls in the budget').toBeLessThanOrEqual(calls.made);
}

/** What the records and the budget add up to. */
interface Sums {
  tokens: number;
  micros: number;
  spent_tokens: number;
  spent_micros: number;
  unknown_calls: number;
  requests: number;
}

/** Every file that was uploaded is there once and found, and every question found what was uploaded before it. */
export async function expectUploadsOnce({ databaseUrl }: ManyServers, uploads: Uploads): Promise<void> {
  expect(uploads.wrongAnswers).toEqual([]);
  await expect.poll(() => uploads.missing(), soon).toEqual({ unknown_memory_names: [], nonindexed_blob_names: [] });
  const stored = await readSql<{ name: string }>(databaseUrl, 'select name from context_blobs');
  expect(stored.map(({ name }) => name).toSorted()).toEqual(uploads.accepted.toSorted());
}

function eventsOf<Type extends HubEventType>(log: readonly LoggedHubEvent[], type: Type): HubEventOf<Type>[] {
  return log.flatMap(({ event }) => (event.type === type ? [event as HubEventOf<Type>] : []));
}
