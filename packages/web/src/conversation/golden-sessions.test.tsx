import { type ContentBlock, foldHubEvents, rowMaker, rowsOf, type SessionView } from '@dragoman/protocol';
import { uapFixtures } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { commonWords } from '../words/common-words.ts';
import { linesOf, renderSession } from '../render.fixture.tsx';

const fixtures = uapFixtures();

function viewOf(name: string): SessionView {
  return foldHubEvents(fixtures.find((fixture) => fixture.name === name)!.events)!;
}

function told(name: string, options: { isAllOpen?: boolean } = {}): string[] {
  return linesOf(renderSession(viewOf(name), options));
}

describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
  'the golden session %s',
  (_name, fixture) => {
    const view = foldHubEvents(fixture.events)!;
    const lines = linesOf(renderSession(view, { isAllOpen: true })).join('\n');
    const blocks: ContentBlock[] = fixture.messages.flatMap(({ content }) => content);

    test('shows every call with its status in words [UAP-06, UAP-36]', () => {
      const isDenied = (id: string) =>
        view.approvals.some(({ toolUseId, decided }) => toolUseId === id && decided?.reply.type === 'rejected');
      const statuses = Object.entries(fixture.tools).map(
        ([id, status]) => commonWords.en.callStatus[isDenied(id) ? 'Denied' : status],
      );
      for (const status of new Set(statuses)) expect(lines).toContain(status);
    });

    test('shows the answer, and thinking folded with what was thought inside [UAP-06, UAP-36]', () => {
      const said = blocks.flatMap((block) =>
        block.type === 'text' ? wordsIn(block.text) : block.type === 'thinking' ? wordsIn(block.thinking) : [],
      );
      const thoughts = blocks.filter(({ type }) => type === 'thinking').length;
      expect(said.filter((word) => !lines.includes(word))).toEqual([]);
      expect(lines.match(/^Thought|^Thinking/gm) ?? []).toHaveLength(thoughts);
    });

    test('has the same rows whether it was followed event by event or read at once [UAP-06]', () => {
      const makeRows = rowMaker();
      let followed: SessionView | undefined;
      let rows = makeRows(foldHubEvents(fixture.events.slice(0, 1))!);
      for (const event of fixture.events) {
        followed = foldHubEvents([event], followed);
        rows = makeRows(followed!);
      }
      expect(rows).toEqual(rowsOf(view));
    });
  },
);

test('a session with a tool call is a prompt, a folded thought, a card with its arguments and its status, and the answer [UAP-06, UAP-10, UAP-36]', () => {
  expect(told('example')).toEqual([
    'Prompt by Ada',
    'Ada',
    'src 里有什么？',
    'Thought for 2 s',
    '用户想要查看文件...',
    'ls',
    './src',
    '2.0 s',
    'Done',
    '目录中包含 index.ts 和 utils.ts。',
    '7.0 s',
  ]);
});

test('an approval that was given is told in its card: what, by whom [UAP-06, UAP-36]', () => {
  expect(told('approval-allowed', { isAllOpen: true })).toEqual([
    'Prompt by Ada',
    'Ada',
    'Clean up.',
    'Run',
    'rm -r build',
    '1.0 s',
    'Done',
    'Input',
    'rm -r build',
    'Allow once · Ada',
    'Output',
    'removed',
    '2.5 s',
  ]);
});

test('calls of a task are inside of its card, with their own status [UAP-06]', () => {
  expect(told('nested-calls', { isAllOpen: true })).toEqual([
    'Prompt by Ada',
    'Ada',
    'Where is the door?',
    'Task',
    'explore: find the door',
    '2 calls',
    '2.5 s',
    'Done',
    'Search',
    'door',
    '500 ms',
    'Done',
    'Output',
    'door.ts:1',
    'Find files',
    'door',
    '500 ms',
    'Failed',
    'Output',
    'no match',
    'The agent sees this error and may try another approach.',
    'Output',
    'It is in door.ts.',
    'In door.ts.',
    '4.0 s',
  ]);
});

test('a turn that failed says why and what helps, once [UAP-06]', () => {
  expect(told('failed-turn')).toEqual([
    'Prompt by Ada',
    'Ada',
    'Hello?',
    'The turn failed',
    'The agent wants a login.',
    'How to fix it',
    'Run on that machine: example login',
    'unauthenticated',
    '1.0 s',
  ]);
});

test('what two steps used is one line at the end of the turn [UAP-06]', () => {
  expect(told('usage')).toEqual([
    'Prompt by Ada',
    'Ada',
    'Think.',
    'Hm.',
    'Done.',
    '2.5 s · 2.1K in · 800 from cache · 70 out · $0.75',
  ]);
});

test('text that looks like markup is shown as it was written [UAP-06]', () => {
  expect(told('hostile-text', { isAllOpen: true })).toEqual([
    'Prompt by Ada',
    'Ada',
    '<b>Hi</b> & bye x (javascript:alert(1))',
    String.raw`\ a`,
    'The agent remembers nothing of before.',
    'Thought',
    '</details> ```` <at user_id="all"></at>',
    'Before',
    'html',
    '</details><script>alert(1)</script>',
    '# not a heading',
    'Run',
    'echo "```"',
    '500 ms',
    'Done',
    'Input',
    'echo "```"',
    'Output',
    '```\n````\n</details>\nred␀',
    '3.0 s',
  ]);
});

/** Words that mean themselves in Markdown. */
function wordsIn(text: string): string[] {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .slice(0, 200);
}
