import { expect, test } from 'vitest';
import { resourceKind } from './resource-kind.ts';

test.each([
  ['text/html; charset=utf-8', '<p>', { kind: 'page', mime: 'text/html' }],
  ['application/xhtml+xml', '<p/>', { kind: 'page', mime: 'application/xhtml+xml' }],
  ['', '<!DOCTYPE html><p>', { kind: 'page', mime: 'text/html' }],
  ['', 'words', { kind: 'text', mime: 'text/plain' }],
  ['application/octet-stream', 'words', { kind: 'text', mime: 'text/plain' }],
  ['application/json', '{}', { kind: 'text', mime: 'application/json' }],
  ['application/vnd.api+json', '{}', { kind: 'text', mime: 'application/vnd.api+json' }],
  ['image/svg+xml', '<svg/>', { kind: 'text', mime: 'image/svg+xml' }],
  ['application/x-yaml', 'a: 1', { kind: 'text', mime: 'application/x-yaml' }],
  ['image/png', '\x89PNG\r\n\x1a\n0000', { kind: 'media', mime: 'image/png' }],
  ['application/octet-stream', '\xff\xd8\xff\xe0', { kind: 'media', mime: 'image/jpeg' }],
  ['image/gif', 'GIF89a', { kind: 'media', mime: 'image/gif' }],
  ['image/webp', 'RIFF0000WEBPVP8', { kind: 'media', mime: 'image/webp' }],
  ['text/plain', '%PDF-1.7', { kind: 'media', mime: 'application/pdf' }],
  ['image/png', 'no picture at all', { kind: 'binary', mime: 'image/png' }],
  ['application/zip', 'PK', { kind: 'binary', mime: 'application/zip' }],
  ['', '\x00\x01', { kind: 'binary', mime: 'application/octet-stream' }],
] as const)('a resource told to be "%s" that begins with %j', (contentType, start, expected) => {
  expect(resourceKind(contentType, Buffer.from(start, 'latin1'))).toEqual(expected);
});
