import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { serverPrograms } from './server-programs.ts';

const places = { serverCommand: '', searchPath: '', bundled: '/ext/dist/server/dragoman.js', editor: '/app/editor' };
const bundled = { origin: 'bundled', command: '/app/editor', args: ['/ext/dist/server/dragoman.js'], isEditor: true };

test('without a dragoman on the search path the copy in the extension is the only program', () => {
  expect(serverPrograms({ ...places, searchPath: tempFolder() })).toEqual([bundled]);
});

test('the dragoman of the person comes first, and the copy in the extension if it cannot be started', () => {
  const folder = program('dragoman');
  expect(serverPrograms({ ...places, searchPath: `/nowhere${delimiter}${folder}` })).toEqual([
    { origin: 'path', command: join(folder, 'dragoman'), args: [], isEditor: false },
    bundled,
  ]);
});

test('on Windows the script that npm installed is run by Node itself, without a shell', () => {
  const folder = program('node.exe', 'node_modules/@dragoman/cli/bin/dragoman.js');
  expect(serverPrograms({ ...places, searchPath: folder, platform: 'win32' })).toEqual([
    {
      origin: 'path',
      command: join(folder, 'node.exe'),
      args: [join(folder, 'node_modules/@dragoman/cli/bin/dragoman.js')],
      isEditor: false,
    },
    bundled,
  ]);
});

test('a program of the workspace is never found: what is not a whole path does not count', () => {
  const folder = program('dragoman');
  const before = process.cwd();
  process.chdir(folder);
  try {
    expect(serverPrograms({ ...places, searchPath: ['.', '', 'bin'].join(delimiter) })).toEqual([bundled]);
    expect(() => serverPrograms({ ...places, serverCommand: './dragoman' })).toThrow('full path');
  } finally {
    process.chdir(before);
  }
});

test('a program that was set is the only one', () => {
  const command = join(program('mine'), 'mine');
  expect(serverPrograms({ ...places, searchPath: program('dragoman'), serverCommand: command })).toEqual([
    { origin: 'path', command, args: [], isEditor: false },
  ]);
});

function program(...names: string[]): string {
  const folder = tempFolder();
  for (const name of names) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
