import { type BackendEvent, type ContentBlock, foldHubEvents, type HubEvent, rowsOf } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallIds } from './call-ids.ts';

const created: HubEvent = {
  type: 'session-created',
  session: {
    id: 'ses_1',
    title: 'A test',
    agent: 'a',
    runnerId: 'rnr_1',
    folder: '/p',
    by: { type: 'user', userId: 'usr_1', name: 'Ada', channel: 'web' },
  },
};
const use = (id: string, path: string, more = {}): ContentBlock => ({
  type: 'tool_use',
  id,
  name: 'edit',
  input: { path },
  ...more,
});
const result = (tool_use_id: string, content: string, is_error = false): ContentBlock => ({
  type: 'tool_result',
  tool_use_id,
  content,
  is_error,
});
const stop = (blockId: string, block: ContentBlock): BackendEvent => {
  const role = block.type === 'tool_result' ? 'user' : 'assistant';
  return { type: 'block-stop', messageId: `m ${blockId}`, role, blockId, block };
};

/** The cards that every screen draws: what each was called with, how it stands and what came of it. */
function cardsOf(events: readonly HubEvent[]): (string | undefined)[][] {
  const view = foldHubEvents([created, ...events].map((event, index) => ({ seq: index + 1, at: index + 1, event })))!;
  return rowsOf(view).flatMap((row) =>
    row.type === 'call'
      ? [[row.call.use.block.input['path'] as string, row.call.tool?.status, row.call.result?.block.content]]
      : row.type === 'result'
        ? [['a result alone']]
        : [],
  );
}

test('UAP-12 a call whose id was used before is a card of its own with its own result, in another turn and in the same', () => {
  const ids = new CallIds(false);
  const turn = (id: string, ...events: BackendEvent[]): HubEvent[] => {
    const told = events.map((event) => ids.unique(event));
    ids.endTurn();
    return [{ type: 'turn-started', turnId: id }, ...told, { type: 'turn-finished', turnId: id, reason: 'done' }];
  };

  expect(
    cardsOf([
      ...turn('t1', stop('b1', use('call_1', 'src1')), stop('b2', result('call_1', 'out1'))),
      ...turn('t2', stop('b3', use('call_1', 'src2')), stop('b4', result('call_1', 'out2', true))),
      ...turn('t3', stop('b5', use('call_1', 'src3'))),
      ...turn(
        't4',
        stop('b6', use('call_1', 'src4')),
        stop('b7', result('call_1', 'out4')),
        stop('b8', use('call_1', 'src5')),
        stop('b9', result('call_1', 'out5')),
        stop('b10', result('call_1', 'out5, all of it')),
      ),
    ]),
  ).toEqual([
    ['src1', 'Success', 'out1'],
    ['src2', 'Error', 'out2'],
    ['src3', 'Interrupted', undefined],
    ['src4', 'Success', 'out4'],
    ['src5', 'Success', 'out5, all of it'],
  ]);
});

test('UAP-12 what refers to an id means its latest call: approvals, calls inside it, and a block that is told again', () => {
  const ids = new CallIds(false);
  ids.unique(stop('b1', use('call_1', 'src1')));
  ids.endTurn();
  const approval = { id: 'a1', title: 'May I?', options: [], toolUseId: 'call_1' };

  expect(
    [
      stop('b2', use('call_1', 'src2')),
      { type: 'approval-asked' as const, approval },
      stop('b3', use('call_2', 'inside', { parent_tool_use_id: 'call_1' })),
      stop('b2', use('call_1', 'src2', { title: 'now known' })),
      stop('b4', { type: 'approval', id: 'a2', title: 'And this?', options: [], tool_use_id: 'call_1' }),
    ].map((event) => ids.unique(event)),
  ).toEqual([
    stop('b2', use('call_1~b2', 'src2')),
    { type: 'approval-asked', approval: { ...approval, toolUseId: 'call_1~b2' } },
    stop('b3', use('call_2', 'inside', { parent_tool_use_id: 'call_1~b2' })),
    stop('b2', use('call_1~b2', 'src2', { title: 'now known' })),
    stop('b4', { type: 'approval', id: 'a2', title: 'And this?', options: [], tool_use_id: 'call_1~b2' }),
  ]);
});

test('UAP-12 whatever ids an agent uses again, every call is a card with the result that came for it, restarts included', () => {
  const call = fc.record({
    id: fc.constantFrom('call_1', 'call_2', 'call_3'),
    outcome: fc.constantFrom('Success', 'Error', 'none'),
    isStreamed: fc.boolean(),
  });
  const turn = fc.record({ calls: fc.uniqueArray(call, { selector: ({ id }) => id }), isAfterRestart: fc.boolean() });

  fc.assert(
    fc.property(fc.array(turn, { maxLength: 5 }), (turns) => {
      const events: HubEvent[] = [];
      const cards: (string | undefined)[][] = [];
      let ids = new CallIds(false);
      for (const [at, { calls, isAfterRestart }] of turns.entries()) {
        if (isAfterRestart) ids = new CallIds(true);
        const told: BackendEvent[] = [];
        for (const [index, { id, isStreamed }] of calls.entries()) {
          const event = stop(`b${at}.${index}`, use(id, `${at} ${id}`));
          if (isStreamed) told.push({ ...event, type: 'block-start' } as BackendEvent);
          told.push(event);
        }
        for (const [index, { id, outcome, isStreamed }] of calls.entries()) {
          cards.push([
            `${at} ${id}`,
            outcome === 'none' ? 'Interrupted' : outcome,
            outcome === 'none' ? undefined : `${at} out ${id}`,
          ]);
          if (outcome === 'none') continue;
          const event = stop(`r${at}.${index}`, result(id, `${at} out ${id}`, outcome === 'Error'));
          if (isStreamed) told.push({ ...event, type: 'block-start', block: result(id, '') } as BackendEvent);
          told.push(event);
        }
        events.push({ type: 'turn-started', turnId: `t${at}` });
        events.push(...told.map((event) => ids.unique(event)));
        events.push({ type: 'turn-finished', turnId: `t${at}`, reason: 'done' });
        ids.endTurn();
      }

      expect(cardsOf(events)).toEqual(cards);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('that an agent uses ids again is told once, with the first of them', () => {
  const told: string[] = [];
  const ids = new CallIds(false, (agentId) => told.push(agentId));

  ids.unique(stop('b1', use('call_1', 'a')));
  ids.unique(stop('b2', use('call_2', 'b')));
  expect(told).toEqual([]);
  ids.unique(stop('b3', use('call_1', 'c')));
  ids.unique(stop('b4', use('call_2', 'd')));
  ids.unique(stop('b5', use('call_1', 'e')));
  expect(told).toEqual(['call_1']);
});
