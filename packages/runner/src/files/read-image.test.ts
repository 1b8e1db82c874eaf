import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imagePieceSchema } from '@dragoman/protocol/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AllowedFolders } from '../folders/allowed-folders.ts';
import { FileDesk } from './file-desk.ts';
import { folderWith } from './folder-with.fixture.ts';
import { imageTypeOf } from './image-type.ts';
import { readSessionImage } from './read-image.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
const SVG =
  '<?xml version="1.0"?>\n<!-- a > b --><!DOCTYPE svg [<!ENTITY a "b">]>\n<svg xmlns="http://www.w3.org/2000/svg"/>';

test('the kind of an image is told by its bytes, whatever its name says', () => {
  const kinds: [string | Buffer, string, string | undefined][] = [
    [PNG, 'a.jpg', 'image/png'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'a', 'image/jpeg'],
    ['GIF89a', 'a.gif', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'a.webp', 'image/webp'],
    ['\0\0\0\x1cftypavif\0\0\0\0', 'a.avif', 'image/avif'],
    ['\0\0\0\x18ftypmif1\0\0\0\0miafavif', 'a.avif', 'image/avif'],
    ['\0\0\0\x18ftypmp42\0\0\0\0isommp42', 'a.avif', undefined],
    [SVG, 'a.svg', 'image/svg+xml'],
    ['\u{feff}<svg>', 'A.SVG', 'image/svg+xml'],
    [SVG, 'a.png', undefined],
    ['<html><svg></svg></html>', 'a.svg', undefined],
    ['<!doctype html><svg>', 'a.svg', 'image/svg+xml'],
    ['<!-- <svg>', 'a.svg', undefined],
    ['<script>alert(1)</script>', 'a.png', undefined],
    ['\x89PNG', 'a.png', undefined],
    ['RIFF', 'a.webp', undefined],
    ['', 'a.png', undefined],
  ];
  for (const [head, name, type] of kinds)
    expect([name, imageTypeOf(typeof head === 'string' ? Buffer.from(head) : head, name)]).toEqual([name, type]);
});

test('any bytes are told apart without a fault', () => {
  const piece = fc.constantFrom('<!--', '-->', '<?', '<!DOCTYPE', '[', ']>', '>', '<svg', ' ', '\0', 'ftyp', 'avif');
  const head = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    fc.array(piece, { maxLength: 600 }).map((pieces) => Buffer.from(pieces.join(''))),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.concat([Buffer.from('\0\0\0\x20ftyp'), bytes])),
  );
  fc.assert(
    fc.property(head, (bytes) => {
      expect([undefined, 'image/svg+xml', 'image/avif', 'image/png']).toContain(imageTypeOf(bytes, 'a.svg'));
    }),
  );
});

test('an image is given in pieces that tell when the file has changed', async () => {
  const large = Buffer.concat([PNG, Buffer.alloc(1_500_000, 7)]);
  const root = folderWith({ 'docs/plan.png': large, 'icon.svg': SVG });

  const first = await readSessionImage(root, 'docs/plan.png', 0);
  const second = await readSessionImage(root, './docs//plan.png', 1024 * 1024);
  expect(imagePieceSchema.strict().parse(first)).toMatchObject({ mediaType: 'image/png', size: large.length });
  expect(Buffer.concat([first, second].map(({ data }) => Buffer.from(data, 'base64'))).equals(large)).toBe(true);
  expect(second.version).toBe(first.version);
  expect((await readSessionImage(root, 'docs/plan.png', 99_999_999)).data).toBe('');

  writeFileSync(join(root, 'docs/plan.png'), Buffer.concat([large, PNG]));
  expect((await readSessionImage(root, 'docs/plan.png', 0)).version).not.toBe(first.version);
  expect(await readSessionImage(root, 'icon.svg', 0)).toMatchObject({ mediaType: 'image/svg+xml' });
});

test('what is no image, too large, no plain file, a secret or outside of the folder is not given, and it is said why', async () => {
  const root = folderWith({
    'app/page.png': '<!doctype html><script>alert(1)</script>',
    'app/huge.png': PNG,
    'app/.ssh/logo.png': PNG,
    'app/ours.png': PNG,
    'app/.git/x.png': PNG,
    'app-old/out.png': PNG,
  });
  const app = join(root, 'app');
  truncateSync(join(app, 'huge.png'), 10 * 1024 * 1024 + 1);
  execFileSync('mkfifo', [join(app, 'pipe.png')]);
  symlinkSync('../app-old/out.png', join(app, 'link.png'));
  symlinkSync('../app-old', join(app, 'way'));
  symlinkSync('/dev/zero', join(app, 'zero.png'));
  symlinkSync('ours.png', join(app, 'inner.png'));

  const said = (path: string, from = 0) =>
    readSessionImage(app, path, from).then(
      ({ mediaType }) => mediaType,
      (error: Error) => error.message,
    );
  for (const from of [0, 5])
    expect(await said('page.png', from)).toBe(
      'page.png is not an image that can be shown; PNG, JPEG, GIF, WebP, AVIF and SVG can be',
    );
  expect(await said('huge.png')).toBe('huge.png is 10485761 bytes; images of up to 10485760 bytes are shown');
  expect(await said('pipe.png')).toContain('is not a plain file but a pipe, a socket or a device');
  expect(await said('.ssh')).toContain('is a folder');
  for (const path of ['../app-old/out.png', 'link.png', 'way/out.png', 'zero.png', '/etc/x.png', 'a/../../b.png'])
    expect(await said(path)).toBe(`"${path}" is outside the session's folder`);
  expect(await said('.git/x.png')).toContain('belongs to Git');
  expect(await said('a\0.png')).toContain('has a NUL character in it');
  expect(await said('nowhere.png')).toBe('nowhere.png does not exist');
  expect(await said('inner.png')).toBe('image/png');
});

test('a file is found by a name with odd characters', async () => {
  const names = ['my plan.png', 'a "b"\n&.png', '图.png', '100%25.png', '-rf.png', '$(id).png', "it's#1?.png"];
  const root = folderWith(Object.fromEntries(names.map((name) => [name, PNG])));
  for (const name of names)
    expect([name, (await readSessionImage(root, name, 0)).mediaType]).toEqual([name, 'image/png']);
});

test('a whole path inside the folder of the session is read, however the folder is spelled; any other is not', async () => {
  const base = folderWith({ 'code/docs/plan.png': PNG, 'code-old/plan.png': PNG, 'worktrees/.keep': '' });
  symlinkSync('code', join(base, 'alias'));
  const folder = join(base, 'alias');
  const desk = new FileDesk({ folders: new AllowedFolders(() => [base]), worktrees: join(base, 'worktrees') });
  const read = (path: string) =>
    desk.answer({ method: 'read-image', session: { sessionId: 'ses_1', agent: 'a', folder }, path, from: 0 }).then(
      (piece) => imagePieceSchema.parse(piece).mediaType,
      (error: { code: string }) => error.code,
    );

  expect(await read('docs/plan.png')).toBe('image/png');
  expect(await read(join(base, 'alias/docs/plan.png'))).toBe('image/png');
  expect(await read(join(base, 'code/docs/plan.png'))).toBe('image/png');
  for (const path of [join(base, 'code-old/plan.png'), `${base}/code/../code-old/plan.png`, '/etc/passwd'])
    expect([path, await read(path)]).toEqual([path, 'forbidden']);
  await expect(
    desk.answer({ method: 'read-image', session: { sessionId: 's', agent: 'a', folder }, path: 'a.png', from: -1 }),
  ).rejects.toMatchObject({ code: 'bad-request' });
  desk.close();
});

test('a session in a worktree is shown images of its worktree, and by whole path those of the folder it was made from', async () => {
  const base = folderWith({
    'code/a.png': PNG,
    'worktrees/ses_1/code/a.png': Buffer.from('GIF89a'),
    'worktrees/ses_2/code/b.png': PNG,
  });
  const desk = new FileDesk({
    folders: new AllowedFolders(() => [join(base, 'code')]),
    worktrees: join(base, 'worktrees'),
  });
  const cwd = join(base, 'worktrees/ses_1/code');
  const session = { sessionId: 'ses_1', agent: 'a', folder: join(base, 'code'), worktree: true, cwd };
  const read = (path: string) =>
    desk.answer({ method: 'read-image', session, path, from: 0 }).then(
      (piece) => imagePieceSchema.parse(piece).mediaType,
      (error: { code: string }) => error.code,
    );

  expect(await read('a.png')).toBe('image/gif');
  expect(await read(join(cwd, 'a.png'))).toBe('image/gif');
  expect(await read(join(base, 'code/a.png'))).toBe('image/png');
  expect(await read(join(base, 'worktrees/ses_2/code/b.png'))).toBe('forbidden');
  desk.close();
});
