import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { decodePrompt } from './decode-prompt.ts';

function project() {
  const root = tempFolder();
  const cwd = join(root, 'web');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'a.ts'), 'a');
  return { root, cwd };
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const link = (uri: string, name: string): ContentBlock => ({ type: 'resource_link', uri, name });
const base64 = (value: string) => Buffer.from(value).toString('base64');

test('a linked file of the project is named in the text and told with its content', () => {
  const { root, cwd } = project();

  expect(
    decodePrompt([text('Look at '), link(pathToFileURL(join(cwd, 'a.ts')).href, 'a.ts'), text(', please.')], {
      root,
      cwd,
    }),
  ).toEqual({
    text: 'Look at [a.ts](a.ts), please.',
    parts: [
      {
        type: 'file',
        mime: 'text/plain',
        filename: 'web/a.ts',
        url: `data:text/plain;base64,${base64('a')}`,
        source: { type: 'file', path: 'web/a.ts', text: { value: '[a.ts](a.ts)', start: 8, end: 20 } },
      },
    ],
  });
});

test('what is linked elsewhere is only named, for the agent to read', () => {
  const { root, cwd } = project();
  const blocks = [
    text('Read'),
    link('file:///elsewhere/b.ts#L3:9', 'b.ts'),
    link('https://example.com/c', 'c'),
    link(cwd, 'web'),
    link('file://%zz', 'broken'),
    text('now'),
  ];

  expect(decodePrompt(blocks, { root, cwd })).toEqual({
    text: `Read [b.ts](/elsewhere/b.ts#L3:9) [c](https://example.com/c) [web](.) [broken](file://%zz) now`,
    parts: [],
  });
});

test('an embedded file is what the editor has of it, not what is on disk', () => {
  const { root, cwd } = project();
  const uri = `${pathToFileURL(join(cwd, 'a.ts')).href}#L1:2`;
  const blocks: ContentBlock[] = [
    { type: 'resource', resource: { uri, text: 'unsaved', mimeType: 'text/typescript' } },
    { type: 'resource', resource: { uri: 'zed:///agent/thread/1?x=2', blob: 'AAAA' } },
    text('?'),
  ];

  expect(decodePrompt(blocks, { root, cwd })).toEqual({
    text: '[a.ts#L1:2](a.ts#L1:2) [x=2](zed:///agent/thread/1?x=2)?',
    parts: [
      {
        type: 'file',
        mime: 'text/typescript',
        filename: 'a.ts#L1:2',
        url: `data:text/typescript;base64,${base64('unsaved')}`,
        source: { type: 'file', path: 'web/a.ts', text: { value: '[a.ts#L1:2](a.ts#L1:2)', start: 0, end: 22 } },
      },
      {
        type: 'file',
        mime: 'application/octet-stream',
        filename: 'zed:///agent/thread/1?x=2',
        url: 'data:application/octet-stream;base64,AAAA',
        source: { type: 'resource', clientName: 'editor', uri: 'zed:///agent/thread/1?x=2' },
      },
    ],
  });
});

test('texts that follow each other stay apart', () => {
  expect(decodePrompt([text('one'), text('two\n'), text('three')], project()).text).toBe('one\ntwo\nthree');
});
