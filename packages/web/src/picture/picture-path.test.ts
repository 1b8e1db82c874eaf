import { expect, test } from 'vitest';
import { picturePath } from './picture-path.ts';

test.each([
  ['docs/plan.png', 'docs/plan.png'],
  ['./plan.JPG', './plan.JPG'],
  ['/home/ada/app/plan.webp', '/home/ada/app/plan.webp'],
  ['file:///home/ada/my%20plan.svg', '/home/ada/my plan.svg'],
  ['file://localhost/a.png', '/a.png'],
  ['file:///C:/app/a.png', 'C:/app/a.png'],
  ['C:\\app\\a.png', 'C:\\app\\a.png'],
  ['my plan.png', 'my plan.png'],
  ['50%.png', '50%.png'],
  ['图.avif', '图.avif'],
  ['a.png?raw=1', 'a.png'],
  ['a.gif#dark', 'a.gif'],
  ['x.png.d/a.jpeg', 'x.png.d/a.jpeg'],
  ['../a.png', '../a.png'],
])('%s names the picture %s', (target, path) => {
  expect(picturePath(target)).toBe(path);
});

test.each([
  'https://example.com/a.png',
  'HTTP://example.com/a.png',
  '//example.com/a.png',
  '\\\\server\\a.png',
  'file://server/a.png',
  'javascript:a.png',
  'data:image/svg+xml,<svg>.svg',
  'blob:a.png',
  'sandbox:/mnt/a.png',
  'docs/plan.pdf',
  '.png',
  '',
  `${'a'.repeat(5000)}.png`,
])('%s is none of the session', (target) => {
  expect(picturePath(target)).toBeUndefined();
});

test('an image without an address is none', () => {
  expect(picturePath(null)).toBeUndefined();
});
