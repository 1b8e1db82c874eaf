import { expect, test } from 'vitest';
import type { CardJson } from './card-json.ts';
import { fillCard, imagesOf } from './fill-card.ts';

const image = (url: string) =>
  ({
    tag: 'img',
    element_id: 'a_1',
    img_key: '',
    alt: { tag: 'plain_text', content: 'Image' },
    dragoman_attachment: url,
  }) as const;
const button = (action: number) =>
  ({
    tag: 'button',
    text: { tag: 'plain_text', content: 'Yes' },
    type: 'primary',
    behaviors: [{ type: 'callback', value: { action } }],
  }) as const;
const card = {
  schema: '2.0',
  config: { update_multi: true, width_mode: 'fill' },
  body: {
    elements: [
      { tag: 'form', name: 'f', elements: [button(1)] },
      {
        tag: 'column_set',
        flex_mode: 'flow',
        horizontal_spacing: '8px',
        columns: [{ tag: 'column', width: 'auto', elements: [button(0), image('/api/attachments/att_1')] }],
      },
      image('/api/attachments/att_2'),
    ],
  },
} as unknown as CardJson;

test('buttons get what they bring back and images their keys, wherever they are; an image without one is a line', () => {
  expect(imagesOf(card)).toEqual(['/api/attachments/att_1', '/api/attachments/att_2']);
  const filled = fillCard(card, {
    actionData: (index) => `post.${index}`,
    imageKey: (url) => (url.endsWith('att_1') ? 'img_1' : undefined),
  });
  expect(filled.body.elements).toEqual([
    {
      tag: 'form',
      name: 'f',
      elements: [{ ...button(1), behaviors: [{ type: 'callback', value: { action: 'post.1' } }] }],
    },
    {
      tag: 'column_set',
      flex_mode: 'flow',
      horizontal_spacing: '8px',
      columns: [
        {
          tag: 'column',
          width: 'auto',
          elements: [
            { ...button(0), behaviors: [{ type: 'callback', value: { action: 'post.0' } }] },
            { tag: 'img', element_id: 'a_1', img_key: 'img_1', alt: { tag: 'plain_text', content: 'Image' } },
          ],
        },
      ],
    },
    { tag: 'markdown', element_id: 'a_1', content: '🖼 Image' },
  ]);
});
