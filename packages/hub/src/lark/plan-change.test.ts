import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CardElement } from './cards/card-json.ts';
import { cardBody } from './lark-channel.fixture.ts';
import { planChange } from './plan-change.ts';

const text = (content: string, element_id = 'answer'): CardElement => ({ tag: 'markdown', element_id, content });
const panel = (elements: CardElement[], title = 'Read a.ts'): CardElement => ({
  tag: 'collapsible_panel',
  element_id: 'call',
  expanded: false,
  header: { title: { tag: 'markdown', content: title } },
  elements,
});

test('a text that grew is one text, also inside of a panel', () => {
  expect(planChange(cardBody([text('a')]), cardBody([text('ab')]))).toEqual({
    type: 'text',
    elementId: 'answer',
    content: 'ab',
  });
  expect(planChange(cardBody([panel([text('a')])]), cardBody([panel([text('b')])]))).toEqual({
    type: 'text',
    elementId: 'answer',
    content: 'b',
  });
});

test.each<[string, CardElement[], CardElement[]]>([
  ['two texts', [text('a', 'x'), text('a', 'y')], [text('b', 'x'), text('b', 'y')]],
  ['a new element', [text('a')], [text('a'), { tag: 'hr' }]],
  ['another title of a panel', [panel([])], [panel([], 'Read b.ts')]],
  ['a text without an id', [{ tag: 'markdown', content: 'a' }], [{ tag: 'markdown', content: 'b' }]],
  ['a text that is empty now', [text('a')], [text('')]],
  ['another size', [text('a')], [{ tag: 'markdown', element_id: 'answer', content: 'a', text_size: 'notation' }]],
  ['another kind of element', [text('a')], [{ tag: 'hr' }]],
])('%s needs the whole card', (_, before, after) => {
  expect(planChange(cardBody(before), cardBody(after))).toEqual({ type: 'whole' });
});

test('the summary of a card that does not stream is part of the card; while it streams it is written at the end', () => {
  const [before, after] = [cardBody([text('a')], { summary: 'one' }), cardBody([text('a')], { summary: 'two' })];

  expect(planChange(before, after)).toEqual({ type: 'whole' });
  expect(planChange({ ...before, isStreaming: true }, after)).toEqual({ type: 'none' });
});

test('for any two cards, doing what is planned gives the second one', () => {
  const element = fc.letrec<{ element: CardElement; leaf: CardElement; panel: CardElement }>((tie) => ({
    element: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('panel')),
    leaf: fc.oneof(
      fc
        .record({ content: fc.constantFrom('', 'a', 'ab'), id: fc.constantFrom('x', 'y') })
        .map(({ content, id }) => text(content, id)),
      fc.constant<CardElement>({ tag: 'hr' }),
    ),
    panel: fc.array(tie('element'), { maxLength: 2 }).map((elements) => panel(elements)),
  })).element;
  const elements = fc.array(element, { maxLength: 3 });

  const isSound = (before: CardElement[], after: CardElement[]) => {
    const plan = planChange(cardBody(before), cardBody(after));
    if (plan.type === 'whole') return true;
    if (plan.type === 'none') return isDeepStrictEqual(before, after);
    // Ids are unique in a card that is sent.
    const isUnique = JSON.stringify(after).split(`"element_id":"${plan.elementId}"`).length === 2;
    return !isUnique || isDeepStrictEqual(written(before, plan), after);
  };

  expect(fc.check(fc.property(elements, elements, isSound)).failed).toBe(false);
});

function written(elements: readonly CardElement[], change: { elementId: string; content: string }): CardElement[] {
  return elements.map((element) => {
    if (element.tag === 'markdown' && element.element_id === change.elementId)
      return { ...element, content: change.content };
    return element.tag === 'collapsible_panel' ? { ...element, elements: written(element.elements, change) } : element;
  });
}
