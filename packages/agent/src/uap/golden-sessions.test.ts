import { setImmediate as nextRound } from 'node:timers/promises';
import type { AgentMessage, ContentBlock, ContentBlockOf, LoggedEvent, ModelEvent } from '@dragoman/protocol';
import { tempFolder, type UapFixture, uapFixtures } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { scriptSettings } from '../faults/scripted-turns.fixture.ts';
import { createWorking } from '../faults/working-session.fixture.ts';
import { scriptedModel } from '../scripted-model.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import { testStore } from '../session/session.fixture.ts';
import { Tool, ToolError } from '../tools/tool.ts';
import { encodeLog } from './blocks.fixture.ts';

/** Sessions that a model and tools alone can play; the others are about people, time and what other agents do. */
const PLAYABLE = [
  'error-result',
  'example',
  'hostile-text',
  'interleaved-blocks',
  'live-tool-output',
  'long',
  'parallel-calls',
];

/** An agent of ours has the last word in every turn; where the golden one has not, this is it, and not looked at. */
const LAST_WORD = '(last word)';

test.each(uapFixtures().filter(({ name }) => PLAYABLE.includes(name)))(
  'the native agent tells the golden session "$name" [UAP-01, UAP-18]',
  async (golden) => {
    const log = await play(golden);
    const { reader } = encodeLog(log);

    const callIds = callsIn(golden.messages).map(({ id }) => id);
    const ours = reader.messages();
    const names = new Map(callsIn(ours).map(({ id }, at) => [id, callIds[at]!]));
    expect(plain(ours, names)).toEqual(plain(golden.messages));
  },
);

test('every golden session that is to be played is there', () => {
  const names = uapFixtures().map(({ name }) => name);

  expect(names).toEqual(expect.arrayContaining(PLAYABLE));
});

async function play({ messages }: UapFixture): Promise<LoggedEvent[]> {
  const store = new SessionStore(await testStore());
  const turns = turnsIn(messages);
  const runner = await createWorking({
    store,
    model: scriptedModel(turns.flatMap(({ answers }) => answers.map(answerEvents))),
    tools: goldenTools(messages),
    settings: { ...scriptSettings, budget: { steps: 100, compactions: 1 } },
    outputFolder: tempFolder(),
  });
  const log: LoggedEvent[] = await store.read(runner.id);
  runner.subscribe({ event: (logged) => log.push(logged) });
  for (const { prompt } of turns) {
    await runner.prompt({ text: prompt });
    await runner.idle();
  }
  await runner.close();
  return log;
}

/** Each prompt with the answers to it, the last of which has no calls. */
function turnsIn(messages: readonly AgentMessage[]): { prompt: string; answers: ContentBlock[][] }[] {
  const turns: { prompt: string; answers: ContentBlock[][] }[] = [];
  for (const { role, content } of messages) {
    if (role === 'user' && content[0]?.type === 'text') turns.push({ prompt: content[0].text, answers: [] });
    if (role === 'assistant') turns.at(-1)!.answers.push(content);
  }
  for (const { answers } of turns)
    if (answers.at(-1)!.some(({ type }) => type === 'tool_use')) answers.push([{ type: 'text', text: LAST_WORD }]);
  return turns;
}

function answerEvents(blocks: readonly ContentBlock[]): ModelEvent[] {
  const hasCalls = blocks.some(({ type }) => type === 'tool_use');
  return [
    ...blocks.flatMap((block, at): ModelEvent[] => {
      const id = `${at}`;
      if (block.type === 'text' || block.type === 'thinking') {
        const kind = block.type === 'text' ? 'text' : 'reasoning';
        const text = block.type === 'text' ? block.text : block.thinking;
        const middle = Math.ceil(text.length / 2);
        return [
          { type: `${kind}-start`, id },
          { type: `${kind}-delta`, id, delta: text.slice(0, middle) },
          { type: `${kind}-delta`, id, delta: text.slice(middle) },
          { type: `${kind}-end`, id },
        ];
      }
      if (block.type !== 'tool_use') return [];
      return [
        { type: 'tool-input-start', id: block.id, toolName: block.name },
        { type: 'tool-input-delta', id: block.id, delta: JSON.stringify(block.input) },
        { type: 'tool-input-end', id: block.id },
      ];
    }),
    { type: 'finish', finishReason: hasCalls ? 'tool-calls' : 'stop', usage: { inputTokens: 10, outputTokens: 5 } },
  ];
}

/** Tools that return what the golden results say, in the order in which they came. */
function goldenTools(messages: readonly AgentMessage[]): Tool.Info[] {
  const results = messages.flatMap(({ content }) =>
    content.filter((block): block is ContentBlockOf<'tool_result'> => block.type === 'tool_result'),
  );
  const ended = new Map(results.map(({ tool_use_id: id }) => [id, Promise.withResolvers<void>()]));
  return [...new Set(callsIn(messages).map(({ name }) => name))].map((name) =>
    Tool.define({
      id: name,
      description: name,
      parameters: z.looseObject({}),
      isReadOnly: true,
      async execute(_input, { callID }) {
        const at = results.findIndex(({ tool_use_id: id }) => id === callID);
        await ended.get(results[at - 1]?.tool_use_id ?? '')?.promise;
        await nextRound();
        ended.get(callID)!.resolve();
        const { content, is_error: isError } = results[at]!;
        if (isError === true) throw new ToolError(content);
        return { title: '', output: content };
      },
    }),
  );
}

function callsIn(messages: readonly AgentMessage[]): ContentBlockOf<'tool_use'>[] {
  return messages.flatMap(({ content }) =>
    content.filter((block): block is ContentBlockOf<'tool_use'> => block.type === 'tool_use'),
  );
}

/** The protocol alone: without prompts, without what the agent program says, and without what a reader may ignore. */
function plain(messages: readonly AgentMessage[], names: ReadonlyMap<string, string> = new Map()): AgentMessage[] {
  const named = (id: string) => names.get(id) ?? id;
  const joined: AgentMessage[] = [];
  for (const { role, content } of messages) {
    const blocks = content.flatMap((block): ContentBlock[] => {
      if (block.type === 'tool_use')
        return [{ type: 'tool_use', id: named(block.id), name: block.name, input: block.input }];
      if (block.type === 'tool_result') return [{ ...block, tool_use_id: named(block.tool_use_id) }];
      const isSaid = role === 'assistant' && !(block.type === 'text' && block.text === LAST_WORD);
      return isSaid ? [block] : [];
    });
    const last = joined.at(-1);
    // Results may come in one message or in several.
    if (role === 'user' && last?.role === 'user') last.content.push(...blocks);
    else if (blocks.length > 0) joined.push({ role, content: blocks });
  }
  return joined;
}
