import fc from 'fast-check';
import type { Actor } from '../uap/approval.ts';
import type { ApprovalOption, ContentBlock, ContentBlockOf, PromptBlock } from '../uap/content-block.ts';
import type { HubEvent, LoggedHubEvent } from './hub-event.ts';
import { joinEvents } from './join-events.ts';

export const ada: Actor = { type: 'user', userId: 'usr_1', name: 'Ada', channel: 'web' };

/** The first event of a session. */
export const created: HubEvent = {
  type: 'session-created',
  session: { id: 'ses_1', title: 'A test', agent: 'echo', runnerId: 'rnr_1', folder: '/p', by: ada },
};

/** Numbers the events from 1; the event with the number n happened at 10 n. */
export function numbered(events: readonly HubEvent[]): LoggedHubEvent[] {
  return events.map((event, index) => ({ seq: index + 1, at: (index + 1) * 10, event }));
}

const oneOf = <const Value>(...values: Value[]) => fc.constantFrom(...values);
const blockId = oneOf('b1', 'b2', 'b3', 'b4', 'b5', 'b6');
const callId = oneOf('call_1', 'call_2', 'call_3');
const words = oneOf('', 'a', 'bc', '字', '\n');
const amount = fc.option(oneOf(0, 1, 0.1, 0.7), { nil: undefined });

const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('thinking' as const), thinking: words }),
  fc.record({ type: fc.constant('tool_use' as const), id: callId, name: oneOf('ls'), input: fc.constant({}) }),
  fc.record({
    type: fc.constant('tool_result' as const),
    tool_use_id: callId,
    content: words,
    is_error: fc.option(fc.boolean(), { nil: undefined }),
  }),
  fc.record({ type: fc.constant('plan' as const), entries: fc.constant<ContentBlockOf<'plan'>['entries']>([]) }),
  fc.record({ type: fc.constant('usage' as const), input_tokens: amount, cost_usd: amount, context_used: amount }),
  fc.record({ type: fc.constant('notice' as const), text: words }),
);

const ofBlock = { messageId: oneOf('m1', 'm2', 'm3'), role: oneOf('assistant', 'user', 'agent'), blockId, block };
const turnId = oneOf('t1', 't2', 't3');
const promptId = oneOf('p1', 'p2', 'p3');
const approvalId = oneOf('a1', 'a2', 'a3');
const rest: fc.Arbitrary<HubEvent>[] = [
  fc.record({ type: oneOf('turn-started'), turnId, promptId: fc.option(promptId, { nil: undefined }) }),
  fc.record({ type: oneOf('turn-finished'), turnId, reason: oneOf('done', 'cancelled') }),
  fc.record({
    type: oneOf('prompt-queued'),
    prompt: fc.record({
      id: promptId,
      content: fc.constant<PromptBlock[]>([{ type: 'text', text: 'Go on.' }]),
      delivery: oneOf('queue', 'steer'),
      by: fc.constant(ada),
    }),
  }),
  fc.record({ type: oneOf('prompt-taken'), promptId, turnId }),
  fc.record({ type: oneOf('prompt-withdrawn'), promptId, by: fc.constant(ada) }),
  fc.record({
    type: oneOf('approval-asked'),
    approval: fc.record({
      id: approvalId,
      title: oneOf('May I?'),
      options: fc.constant<ApprovalOption[]>([]),
      toolUseId: callId,
    }),
  }),
  fc.record({ type: oneOf('approval-withdrawn'), approvalId }),
  fc.record({
    type: oneOf('approval-decided'),
    approvalId,
    reply: fc.constant({ type: 'rejected' as const }),
    by: fc.constant(ada),
  }),
  fc.record({ type: oneOf('reverted'), messageId: promptId, files: fc.constant<string[]>([]) }),
  fc.record({ type: oneOf('agent-state'), state: oneOf('starting', 'ready', 'stopped', 'failed') }),
  fc.record({ type: oneOf('agent-updated'), title: oneOf('One', 'Two'), model: oneOf('m', undefined) }),
  fc.record({ type: oneOf('session-updated'), title: oneOf('Mine'), by: fc.constant(ada) }),
];

const start = fc.record({ type: oneOf('block-start'), ...ofBlock });
const delta = fc.record({ type: oneOf('block-delta'), blockId, delta: words });
const stop = fc.record({ type: oneOf('block-stop'), ...ofBlock });

/** Events in any order, also in one that no agent would think of: blocks that are opened twice, results before their calls. */
export const anyEvents: fc.Arbitrary<HubEvent[]> = fc
  .array(fc.oneof(start, delta, delta, delta, stop, ...rest), { maxLength: 60, size: 'max' })
  .map((events) => [created, ...events]);

/**
 * What a hub keeps: batches of events, joined, with whole blocks in the place of their pieces. It remembers what readers that
 * were there all the time have seen.
 */
export class LogInMemory {
  #rows: LoggedHubEvent[] = [];
  readonly seen: LoggedHubEvent[] = [];

  append(batch: readonly LoggedHubEvent[]): void {
    for (const logged of joinEvents(batch)) {
      this.seen.push(logged);
      this.#rows.push(logged);
      if (logged.event.type === 'block-stop') this.#join(logged.event.blockId);
      if (logged.event.type === 'turn-finished')
        for (const { event } of this.#rows) if (event.type === 'block-start') this.#join(event.blockId);
    }
  }

  /** What a reader gets that has everything up to a number. */
  readAfter(seq: number): LoggedHubEvent[] {
    return this.#rows.filter((row) => row.seq > seq);
  }

  #join(blockId: string): void {
    const isOfBlock = ({ event }: LoggedHubEvent) => 'blockId' in event && event.blockId === blockId;
    const joined = joinEvents(this.#rows.filter(isOfBlock));
    this.#rows = [...this.#rows.filter((row) => !isOfBlock(row)), ...joined].toSorted((one, two) => one.seq - two.seq);
  }
}
