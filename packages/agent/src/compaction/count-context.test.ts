import type { AnyPart, AssistantInfo, Message, SessionState, UserInfo } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { PromptBuilder } from '../prompt/prompt-builder.ts';
import { countContext } from './count-context.ts';
import { estimateCallTokens } from './estimate-tokens.ts';

const model = { providerID: 'test', modelID: 'm' };
/** Everything happens in the same millisecond. */
const at = 5;

function user(id: string, part: object): Message<UserInfo> {
  return {
    info: { id, sessionID: 'ses_1', role: 'user', time: { created: at }, agent: 'build', model },
    parts: [{ id: `prt_${id}`, sessionID: 'ses_1', messageID: id, ...part } as AnyPart],
  };
}

function answer(id: string, inputTokens: number, more: Partial<AssistantInfo> = {}, ...parts: object[]): Message {
  return {
    info: {
      id,
      sessionID: 'ses_1',
      role: 'assistant',
      time: { created: at, completed: at },
      parentID: 'msg_0',
      agent: 'build',
      model,
      path: { cwd: '/p', root: '/p' },
      cost: 0,
      costSource: 'computed',
      tokens: { input: inputTokens, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      ...more,
    },
    parts: [{ type: 'text', text: 'said' }, ...parts].map(
      (part, index) => ({ id: `prt_${id}_${index}`, sessionID: 'ses_1', messageID: id, ...part }) as AnyPart,
    ),
  };
}

const asked = user('msg_1', { type: 'text', text: 'go' });
const marker = user('msg_m', { type: 'compaction', auto: true, tailStartID: 'msg_2' });
const summary = answer('msg_s', 9_000, { summary: true });

function count(...messages: Message[]): { tokens: number; estimated: number } {
  const state = { messages, revert: undefined } as unknown as SessionState;
  const prompts = new PromptBuilder(model);
  const prompt = prompts.build('Be good.', state);
  return {
    tokens: countContext(state, prompt, [], prompts.convert),
    estimated: estimateCallTokens({ prompt, tools: [] }),
  };
}

test('what the provider counted is taken, with an estimate of what came since', () => {
  const { tokens } = count(asked, answer('msg_2', 5_000), user('msg_3', { type: 'text', text: 'one two three' }));
  expect(tokens).toBeGreaterThan(5_000);
  expect(tokens).toBeLessThan(5_050);
});

test('where nobody has counted since the view moved, all of it is estimated, however fast that was', () => {
  const untold = count(asked, answer('msg_2', 0));
  expect(untold.tokens).toBe(untold.estimated);
  const moved = count(asked, answer('msg_2', 5_000), marker, summary);
  expect(moved.tokens).toBe(moved.estimated);
  const pruned = count(
    asked,
    answer(
      'msg_2',
      5_000,
      {},
      {
        type: 'tool',
        callID: 'c',
        tool: 'read',
        state: { status: 'completed', input: {}, output: 'x', title: '', time: { start: 1, end: 2, compacted: at } },
      },
    ),
  );
  expect(pruned.tokens).toBe(pruned.estimated);
});

test('an answer after the view moved counts again, also in the same moment; a summary that failed moved nothing', () => {
  expect(count(asked, answer('msg_2', 5_000), marker, summary, answer('msg_4', 700)).tokens).toBe(700);
  const failed = answer('msg_s', 9_000, { summary: true, error: { code: 'model', message: 'no' } });
  expect(count(asked, answer('msg_2', 5_000), marker, failed).tokens).toBe(5_000);
});
