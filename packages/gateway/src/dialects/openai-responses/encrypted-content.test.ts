import { boundedJsonParser, type ProviderMetadata } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { openEncryptedContent, toEncryptedContent } from './encrypted-content.ts';

const OPENAI = { openai: { itemId: 'rs_1', encryptedContent: 'gAAA' } };

test("OpenAI's content goes as it is under OpenAI's id, and nothing goes where there is nothing to keep", () => {
  expect(toEncryptedContent(OPENAI, 'rs_1')).toBe('gAAA');
  expect(toEncryptedContent({ openai: { itemId: 'rs_1' } }, 'rs_1')).toBeUndefined();
  expect(toEncryptedContent(undefined, 'rs_1')).toBeUndefined();
});

test.each<[string, ProviderMetadata]>([
  ['rs_1', OPENAI],
  ['rs_2', OPENAI],
  ['rs_1', { ...OPENAI, anthropic: { signature: 'c2ln' } }],
  ['rs_2', { anthropic: { signature: 'c2ln' } }],
  ['rs_2', { openaiChat: { reasoningDetails: [{ type: 'reasoning.text', text: '想' }] } }],
])('under the id %s, %j comes back as it went', (itemId, metadata) => {
  expect(openEncryptedContent(toEncryptedContent(metadata, itemId), itemId, boundedJsonParser())).toEqual(metadata);
});

test('an id without content is worth nothing', () => {
  expect(openEncryptedContent(null, 'rs_1', boundedJsonParser())).toBeUndefined();
  expect(openEncryptedContent('', 'rs_1', boundedJsonParser())).toBeUndefined();
});

test.each(['dragoman.', 'dragoman.%%%', pack([]), pack({ anthropic: 7 }), pack({ anthropic: { deep: nested(200) } })])(
  '%s, which we did not write, breaks nothing',
  (text) => {
    expect(openEncryptedContent(text, 'rs_1', boundedJsonParser())).toBeUndefined();
  },
);

/** A list in a list in a list. */
function nested(depth: number): unknown {
  return depth === 0 ? 0 : [nested(depth - 1)];
}

function pack(value: unknown): string {
  return `dragoman.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
}
