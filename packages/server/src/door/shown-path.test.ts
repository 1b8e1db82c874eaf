import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownPath } from './shown-path.ts';

const TOKEN = `DGM_${'ABCDEFGH'.repeat(5)}`;

test.each([
  ['/v1/images/generations?key=secret', '/v1/images/generations'],
  ['/v1beta/models/claude-sonnet-4-20250514:predict', '/v1beta/models/claude-sonnet-4-20250514:predict'],
  ['/token', '/token'],
  ['/token/', '/token/'],
  ['/token/x/v1/models', '/token/••••••/v1/models'],
  [`/token/${TOKEN}/v1/models`, '/token/••••••/v1/models'],
  [`/v1/${TOKEN}/models`, '/v1/••••••/models'],
  [`/v1/${TOKEN.replace('_', '%5F')}`, '/v1/••••••'],
  [`/v1/key=${TOKEN};a`, '/v1/••••••'],
  [`/v1%2Ftoken%2F${TOKEN}`, '/••••••'],
  ['/v1/sk-proj-abcdefgh12345678/chat', '/v1/••••••/chat'],
  ['/%zz', '/%zz'],
])('%s is told as %s', (url, told) => {
  expect(shownPath(url)).toBe(told);
});

test('wherever a token stands, nothing of it is told', () => {
  const piece = fc.constantFrom('/', '//', '/v1', '/token/', '%2F', ':', '.', '?', 'models', '/%zz/', '/a'.repeat(150));
  fc.assert(
    fc.property(fc.array(piece), fc.array(piece), (before, after) => {
      const url = `/${before.join('')}/${TOKEN}/${after.join('')}`;
      expect(shownPath(url)).not.toContain('ABCDEFGH');
    }),
  );
});
