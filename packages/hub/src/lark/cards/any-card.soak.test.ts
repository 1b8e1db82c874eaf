import type { ContentBlock, SessionView } from '@dragoman/protocol';
import { rounds, sessionOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyBlock, anyText } from './any-content.fixture.ts';
import { larkRenderer } from './card-renderer.ts';
import { cardIn, cardsIn, wrongIn } from './cards.fixture.ts';

/** Some blocks as an answer, over or still running. */
function answerOf(blocks: readonly ContentBlock[], isOver: boolean): SessionView {
  const session = sessionOf();
  session.turn('go');
  for (const block of blocks) {
    if (block.type === 'tool_result')
      session.block('assistant', { type: 'tool_use', id: 'call_1', name: 'bash', input: {} });
    session.block(block.type === 'tool_result' ? 'user' : 'assistant', block);
  }
  if (isOver) session.endTurn();
  return session.view();
}

test('whatever agents send, each card is one that Lark takes, calls nobody and leads nowhere else [UAP-27]', () => {
  fc.assert(
    fc.property(fc.array(anyBlock, { minLength: 1, maxLength: 2 }), fc.boolean(), (blocks, isOver) => {
      for (const card of cardsIn(answerOf(blocks, isOver))) expect(wrongIn(card)).toEqual([]);
    }),
    { seed: 20_261_101, numRuns: rounds(10_000) },
  );
});

test('whatever is asked or noted, its card is one that Lark takes, calls nobody and leads nowhere else [UAP-33]', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (text, other, isDecided) => {
      const session = sessionOf();
      session.turn(text);
      session.call('call_1', 'bash', { input: { command: other } }, { isRunning: true });
      session.add({
        type: 'approval-asked',
        approval: {
          id: 'apr_1',
          title: text,
          reason: other,
          toolUseId: 'call_1',
          options: [
            { id: other, name: text, kind: 'allow_once' },
            { id: 'no', name: other, kind: 'reject_once' },
          ],
          diffs: [{ path: text, unified: other }],
          question: { tool: 'bash', subjects: [{ kind: 'command', value: 'ls' }] },
          always: [{ tool: text, pattern: other }],
          allowsText: true,
        },
      });
      if (isDecided)
        session.add({
          type: 'approval-decided',
          approvalId: 'apr_1',
          reply: { type: 'rejected', feedback: text },
          by: { type: 'user', userId: 'usr_1', name: other, channel: 'lark' },
        });
      for (const card of cardsIn(session.view(), { language: 'zh' })) expect(wrongIn(card)).toEqual([]);
      const note = larkRenderer.note({ text, buttons: [[{ label: other, action: { type: 'command', text } }]] }, 'en');
      expect(wrongIn(cardIn(note.body))).toEqual([]);
    }),
    { seed: 20_261_102, numRuns: rounds(2000) },
  );
});
