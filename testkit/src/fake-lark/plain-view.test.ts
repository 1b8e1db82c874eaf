import { expect, test } from 'vitest';
import { plainView } from './plain-view.ts';

test('a card is seen with its panels folded or open, its colours and its buttons', () => {
  const text = (content: string) => ({ tag: 'plain_text', content });
  const panel = (title: string, content: string, more = {}) => ({
    tag: 'collapsible_panel',
    header: { title: { tag: 'markdown', content: title } },
    elements: [{ tag: 'markdown', content }],
    ...more,
  });

  const view = plainView({
    schema: '2.0',
    config: { streaming_mode: true },
    header: { title: text('Turn'), template: 'blue' },
    body: {
      elements: [
        panel('**Thought** for 2 s', 'deep\nthings'),
        panel("<font color='green'>read a.ts</font>", 'content', { expanded: true }),
        { tag: 'markdown', content: 'The **answer**' },
        {
          tag: 'column_set',
          columns: [
            {
              tag: 'column',
              elements: [
                {
                  tag: 'button',
                  element_id: 'b1',
                  text: text('Allow'),
                  type: 'primary',
                  behaviors: [{ type: 'callback', value: { x: 1 } }],
                },
              ],
            },
          ],
        },
      ],
    },
  });

  expect(view).toMatchObject({
    title: 'Turn',
    color: 'blue',
    lines: ['Turn', '▸ Thought for 2 s', '▾ read a.ts', 'content', 'The answer', '[Allow]'],
    allLines: ['Turn', '▾ Thought for 2 s', 'deep', 'things', '▾ read a.ts', 'content', 'The answer', '[Allow]'],
    panels: [
      { title: 'Thought for 2 s', isExpanded: false, color: undefined, lines: ['deep', 'things'] },
      { title: 'read a.ts', isExpanded: true, color: 'green', lines: ['content'] },
    ],
    buttons: [{ text: 'Allow', elementId: 'b1', type: 'primary', isDisabled: false, value: { x: 1 } }],
    mentions: [],
    unknownTags: [],
    summary: '[Generating...]',
    isGenerating: true,
  });
});

test('a person who is called by a card is found wherever it stands', () => {
  const view = plainView({
    body: {
      elements: [
        { tag: 'markdown', content: 'hi <at id=ou_1></at>' },
        { tag: 'div', text: { tag: 'lark_md', content: '<at email=a@b.c></at>' } },
        { tag: 'div', text: { tag: 'plain_text', content: '<at id=ou_2></at>' } },
      ],
    },
  });

  expect(view.mentions).toEqual(['ou_1', 'a@b.c']);
});
