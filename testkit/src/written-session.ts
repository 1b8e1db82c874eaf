import {
  type ContentBlock,
  type ContentBlockOf,
  foldHubEvents,
  type HubEvent,
  type LoggedHubEvent,
  type SessionView,
  type TurnEnd,
} from '@dragoman/protocol';

/** When everything in it happened. */
const START = 1_800_000_000_000;

/** A session that a test writes, event by event. */
export function sessionOf() {
  const events: LoggedHubEvent[] = [];
  let folded: SessionView | undefined;
  const made = { prompts: 0, blocks: 0, turns: 0 };
  const by = { type: 'user', userId: 'usr_ada', name: 'Ada', channel: 'web' } as const;
  const add = (event: HubEvent) => void events.push({ seq: events.length + 1, at: START + events.length * 500, event });
  add({
    type: 'session-created',
    session: { id: 'ses_1', title: 'A session', agent: 'example', runnerId: 'rnr_1', folder: '/project', by },
  });
  add({ type: 'agent-state', state: 'ready' });

  const queue = (text: string): string => {
    const id = `pmt_${++made.prompts}`;
    add({ type: 'prompt-queued', prompt: { id, content: [{ type: 'text', text }], delivery: 'queue', by } });
    return id;
  };
  const block = (
    role: 'assistant' | 'user' | 'agent',
    content: ContentBlock,
    { messageId }: { messageId?: string } = {},
  ) => {
    const blockId = `blk_${++made.blocks}`;
    add({ type: 'block-stop', messageId: messageId ?? `msg_${blockId}`, role, blockId, block: content });
  };
  const finish = (id: string, content: string, more: Partial<ContentBlockOf<'tool_result'>> = {}) =>
    block('user', { type: 'tool_result', tool_use_id: id, content, ...more });
  return {
    add,
    block,
    finish,
    /** A prompt, and the turn it begins. */
    turn(text: string) {
      const promptId = queue(text);
      add({ type: 'turn-started', turnId: `trn_${++made.turns}`, promptId });
    },
    steer(text: string) {
      add({ type: 'prompt-taken', promptId: queue(text), turnId: `trn_${made.turns}` });
    },
    endTurn(reason: TurnEnd['reason'] = 'done', error?: TurnEnd['error']) {
      add({ type: 'turn-finished', turnId: `trn_${made.turns}`, reason, ...(error !== undefined && { error }) });
    },
    say(text: string) {
      block('assistant', { type: 'text', text });
    },
    open(blockId: string, content: ContentBlock) {
      add({ type: 'block-start', messageId: `msg_${blockId}`, role: 'assistant', blockId, block: content });
    },
    call(
      id: string,
      name: string,
      more: Partial<ContentBlockOf<'tool_use'>> = {},
      { isRunning = false }: { isRunning?: boolean } = {},
    ) {
      block('assistant', { type: 'tool_use', id, name, input: {}, ...more });
      if (!isRunning) finish(id, `result of ${id}`);
    },
    /** As it is now. What did not change since it was last asked for is the same. */
    view(): SessionView {
      folded = foldHubEvents(events, folded)!;
      return folded;
    },
  };
}
