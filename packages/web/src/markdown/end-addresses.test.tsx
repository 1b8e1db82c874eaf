import { expect, test } from 'vitest';
import { endAddresses } from './end-addresses.ts';
import { readBlock } from './read-block.ts';

const addressesIn = (text: string) =>
  [...JSON.stringify(readBlock(text, false)).matchAll(/"target":"([^"]*)"/g)].map(([, target]) => target);

test.for([
  [
    '（飞书：https://open.feishu.cn/app；Lark：https://open.larksuite.com/app），点击「创建」',
    ['https://open.feishu.cn/app', 'https://open.larksuite.com/app'],
  ],
  ['见 https://a.b/c，然后。', ['https://a.b/c']],
  ['**https://a.b/c**，然后', ['https://a.b/c']],
  ['an image: src="https://a.b/c.png"> here', ['https://a.b/c.png']],
  ['[这里](https://a.b/c)，然后', ['https://a.b/c']],
  ['see https://a.b/c, then', ['https://a.b/c']],
  ['`https://a.b/c，` 然后', []],
] as const)('an address ends before a quote and before Chinese punctuation: %s', ([text, addresses]) => {
  expect(addressesIn(text)).toEqual(addresses);
});

test('a text without such an end, and what stands in code, stays as it was written', () => {
  for (const text of [
    'see https://a.b/c_(d), "quoted" and 中文。',
    '```\nhttps://a.b/c，\n```\n',
    '[https://a.b，](https://a.b)',
  ])
    expect(endAddresses(text)).toBe(text);
});
