import type { ContentBlock, RunnerEvent } from '@dragoman/protocol';

const WORDS = 'some words that anybody would say,\n';

/** What an agent told in a session that was going on for long, batch by batch: long texts, and very many short ones. */
export function* largeSession(): Generator<RunnerEvent[]> {
  yield [
    { type: 'agent-updated', agentSessionId: 'agent', title: 'some words' },
    { type: 'turn-started', turnId: 't' },
  ];
  for (let at = 0; at < 6; at++) {
    yield [
      stop(`text-${at}`, { type: 'text', text: WORDS.repeat(50_000) }),
      stop(`use-${at}`, { type: 'tool_use', id: `c-${at}`, name: 'write', input: { content: WORDS.repeat(20_000) } }),
      stop(`result-${at}`, {
        type: 'tool_result',
        tool_use_id: `c-${at}`,
        content: `[${'{"a":"b"},'.repeat(150_000)}1]`,
      }),
    ];
  }
  for (let at = 0; at < 10; at++)
    yield Array.from({ length: 2_000 }, (_, number) => stop(`${at}-${number}`, { type: 'text', text: WORDS }));
  for (let at = 0; at < 4; at++)
    yield Array.from({ length: 60 }, (_, number): RunnerEvent => {
      const call = { name: 'bash', input: { command: WORDS.repeat(6_000) } };
      const options = [{ id: 'y', name: 'Yes', kind: 'allow_once' as const }];
      return { type: 'approval-asked', approval: { id: `${at}-${number}`, title: 'bash', options, call } };
    });
}

function stop(blockId: string, block: ContentBlock): RunnerEvent {
  return { type: 'block-stop', messageId: `m-${blockId}`, role: 'assistant', blockId, block };
}
