import { expect, test } from 'vitest';
import { validateCard } from './validate-card.ts';

type Json = Record<string, unknown>;

const plain = (content: string): Json => ({ tag: 'plain_text', content });
const callback = (value: Json): Json[] => [{ type: 'callback', value }];
const button = (more: Json = {}): Json => ({
  tag: 'button',
  text: plain('Go'),
  behaviors: callback({ a: 1 }),
  ...more,
});
const card = (...elements: Json[]): Json => ({ schema: '2.0', config: { update_multi: true }, body: { elements } });

/** Where the problems are, and what they are called. */
function problems(value: unknown): string[] {
  return validateCard(value).map(({ code, path }) => `${code} ${path}`);
}

test('a card with all that ours are made of is taken', () => {
  const rich = {
    schema: '2.0',
    config: {
      streaming_mode: true,
      streaming_config: { print_frequency_ms: { default: 70 }, print_step: { default: 2 }, print_strategy: 'fast' },
      summary: { content: 'Working' },
      update_multi: true,
      width_mode: 'fill',
    },
    header: { title: plain('Title'), subtitle: plain('more'), template: 'blue', padding: '12px' },
    body: {
      direction: 'vertical',
      vertical_spacing: '8px',
      elements: [
        { tag: 'markdown', element_id: 'answer', content: '**Hello**', text_size: 'normal' },
        {
          tag: 'collapsible_panel',
          element_id: 'think_1',
          expanded: false,
          header: {
            title: { tag: 'markdown', content: '<font color="grey">Thought</font>' },
            vertical_align: 'center',
            icon: { tag: 'standard_icon', token: 'down-small-ccm_outlined', color: 'grey', size: '16px 16px' },
            icon_position: 'right',
            icon_expanded_angle: -180,
          },
          border: { color: 'grey', corner_radius: '5px' },
          padding: '8px 8px 8px 8px',
          elements: [{ tag: 'markdown', content: 'hm' }],
        },
        { tag: 'hr', margin: '0px' },
        {
          tag: 'column_set',
          flex_mode: 'flow',
          columns: [{ tag: 'column', width: 'weighted', weight: 1, elements: [button()] }],
        },
        {
          tag: 'form',
          name: 'ask',
          elements: [
            { tag: 'input', name: 'why', input_type: 'multiline_text', rows: 3, max_length: 1000, label: plain('Why') },
            { tag: 'select_static', name: 'pick', options: [{ text: plain('One'), value: '1' }], initial_option: '1' },
            button({ name: 'send', form_action_type: 'submit', type: 'primary' }),
          ],
        },
      ],
    },
  };

  expect(validateCard(rich)).toEqual([]);
});

test('what is no card of version 2.0 is refused', () => {
  expect(problems({})).toEqual(['300307 ']);
  expect(problems({ elements: [] })).toEqual(['300303 schema', '200220 elements', '200220 body.elements']);
  expect(problems({ ...card(), config: { update_multi: false } })).toEqual(['300302 config.update_multi']);
  expect(problems({ ...card(), config: { wide_screen_mode: true } })).toEqual(['200220 config.wide_screen_mode']);
  expect(problems({ ...card(), header: { template: 'pink', title: plain('a') } })).toEqual(['200220 header.template']);
});

test('components of version 1, unknown ones and unknown fields are refused by name', () => {
  expect(validateCard(card({ tag: 'note', elements: [] }))[0]).toMatchObject({
    messageCode: 200861,
    path: 'body.elements[0]',
  });
  expect(validateCard(card({ tag: 'action', actions: [] }))[0]).toMatchObject({ messageCode: 200861 });
  expect(problems(card({ tag: 'marquee' }))).toEqual(['200220 body.elements[0]']);
  expect(problems(card({ tag: 'markdown', content: 'a', color: 'red' }))).toEqual(['200220 body.elements[0].color']);
  expect(problems(card({ tag: 'markdown' }))).toEqual(['200220 body.elements[0].content']);
  expect(problems(card(plain('alone')))).toEqual(['200220 body.elements[0]']);
});

test('an element id begins with a letter, is short, and there once', () => {
  const text = (id: string): Json => ({ tag: 'markdown', content: 'a', element_id: id });

  expect(problems(card(text('a'), text('B_9'), text('a'.repeat(20))))).toEqual([]);
  expect(problems(card(text('1a'), text('a-b'), text('a'.repeat(21))))).toEqual([
    '200220 body.elements[0].element_id',
    '200220 body.elements[1].element_id',
    '200220 body.elements[2].element_id',
  ]);
  const nested = { tag: 'div', text: { ...plain('b'), element_id: 'same' } };
  expect(problems(card(text('same'), nested))).toEqual(['300301 body.elements[1].text.element_id']);
});

test('a card holds 200 elements with those inside of others, 5 tables and 30 KB', () => {
  const texts = (count: number): Json[] => Array.from({ length: count }, () => ({ tag: 'markdown', content: 'a' }));
  const table = '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n';

  expect(problems(card(...texts(200)))).toEqual([]);
  expect(problems(card(...texts(199), button()))).toEqual(['300305 body']);
  expect(problems(card({ tag: 'markdown', content: table.repeat(5) }))).toEqual([]);
  expect(problems(card({ tag: 'markdown', content: table.repeat(6) }))).toEqual(['300305 body']);
  expect(problems(card({ tag: 'markdown', content: `\`\`\`\n${table.repeat(6)}\`\`\`` }))).toEqual([]);
  expect(problems(card({ tag: 'markdown', content: '长'.repeat(10_000) }))).toEqual([]);
  expect(problems(card({ tag: 'markdown', content: '长'.repeat(10_300) }))).toEqual(['200860 ']);
});

test('buttons do something, forms can be sent, and stand where they may', () => {
  const input = { tag: 'input', name: 'why' };
  const submit = button({ name: 'send', form_action_type: 'submit' });
  const form = { tag: 'form', name: 'f', elements: [input, submit] };

  expect(problems(card(button({ behaviors: [] })))).toEqual(['200220 body.elements[0].behaviors']);
  expect(problems(card(button({ value: { a: 1 } })))).toEqual(['200220 body.elements[0].value']);
  expect(problems(card(button({ behaviors: [{ type: 'open_url', default_url: 'javascript:x' }] })))).toEqual([
    '200220 body.elements[0].behaviors[0].default_url',
  ]);
  expect(problems(card({ tag: 'form', name: 'f', elements: [input] }))).toEqual(['200220 body.elements[0]']);
  expect(problems(card({ ...form, elements: [input, input, submit] }))).toEqual([
    '200220 body.elements[0].elements[1].name',
  ]);
  const panel = { tag: 'collapsible_panel', header: { title: plain('p') }, elements: [form] };
  expect(problems(card(panel))).toEqual(['200220 body.elements[0].elements[0]']);
});
