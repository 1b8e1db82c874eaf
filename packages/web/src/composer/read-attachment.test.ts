import { expect, test } from 'vitest';
import { MAX_BYTES, MAX_COUNT, refusalOf, refusedOf, toBlock } from './read-attachment.ts';

const png = { type: 'image/png', size: 10 };
const text = { type: 'text/plain', size: 10 };

test('an agent that takes images but no files is given images only', () => {
  expect(refusalOf(png, [], { images: true })).toBeUndefined();
  expect(refusalOf(text, [], { images: true })).toBe('noFiles');
  expect(refusalOf(png, [], {})).toBe('noImages');
});

test('an image for an agent that takes only files goes as a file', () => {
  expect(refusalOf(png, [], { files: true })).toBeUndefined();
});

test('what is empty, too large, too many or too much together is refused with the reason', () => {
  const both = { images: true, files: true };
  expect(refusalOf({ ...text, size: 0 }, [], both)).toBe('empty');
  expect(refusalOf({ ...text, size: MAX_BYTES + 1 }, [], both)).toBe('tooLarge');
  expect(
    refusalOf(
      text,
      Array.from({ length: MAX_COUNT }, () => text),
      both,
    ),
  ).toBe('tooMany');
  expect(refusalOf({ ...text, size: MAX_BYTES }, Array(4).fill({ size: MAX_BYTES }), both)).toBe('tooMuch');
});

test('an image becomes an image block, anything else a file with its name', () => {
  const read = { id: 1, name: 'a.png', size: 3, mediaType: 'image/png', data: 'AAAA', previewUrl: undefined };
  expect(toBlock({ ...read, isImage: true })).toEqual({ type: 'image', media_type: 'image/png', data: 'AAAA' });
  expect(toBlock({ ...read, isImage: false })).toEqual({
    type: 'file',
    name: 'a.png',
    media_type: 'image/png',
    data: 'AAAA',
  });
});

test('what is attached already may not fit an agent that is chosen later', () => {
  const read = { id: 1, name: 'a.png', size: 3, mediaType: 'image/png', data: 'AAAA', previewUrl: undefined };
  const [image, file] = [
    { ...read, isImage: true },
    { ...read, isImage: false },
  ];
  expect(refusedOf([image, file], { images: true, files: true })).toBeUndefined();
  expect(refusedOf([image, file], { images: true })).toBe('noFiles');
  expect(refusedOf([image], {})).toBe('noImages');
  expect(refusedOf([image], { files: true })).toBeUndefined();
  expect(toBlock(image, { files: true })).toMatchObject({ type: 'file', name: 'a.png' });
  expect(refusedOf([], {})).toBeUndefined();
});
