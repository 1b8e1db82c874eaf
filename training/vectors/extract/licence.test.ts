import { expect, test } from 'vitest';
import { gitRepository } from '../../../packages/context/src/index/commits/git-repository.fixture.ts';
import { listFiles } from './git-files.ts';
import { judgeLicence, type LicenceVerdict } from './licence.ts';

const MIT = 'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy';
const APACHE = 'Apache License\nVersion 2.0, January 2004';
const GPL = 'GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n\nsee the GNU Affero General Public License';

function judge(files: Record<string, string>): LicenceVerdict {
  const { root, commit } = gitRepository();
  commit('start', { 'src/main.ts': 'export const answer = 42;\n', ...files });
  return judgeLicence(`${root}/.git`, listFiles(`${root}/.git`, 'HEAD'));
}

test.each([
  ['MIT', { LICENSE: MIT }],
  ['MIT', { 'MIT-LICENSE': MIT }],
  ['Apache-2.0', { 'LICENSE.txt': APACHE }],
  ['Apache-2.0, MIT', { 'LICENSE-APACHE': APACHE, 'LICENSE-MIT': MIT }],
  ['BSD', { COPYING: 'Redistribution and use in source and binary forms, with or without' }],
  ['ISC', { LICENCE: 'Permission to use, copy, modify, and/or distribute this software' }],
  ['MulanPSL-2.0', { LICENSE: '木兰宽松许可证, 第2版' }],
  ['Unlicense', { UNLICENSE: 'This is free and unencumbered software released' }],
])('a permissive licence is accepted: %s', (licence, files) => {
  expect(judge(files)).toEqual({ licence });
});

test.each([
  ['AGPL', 'GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3'],
  ['GPL', GPL],
  ['LGPL', 'GNU LESSER GENERAL PUBLIC LICENSE\nVersion 3'],
  ['MPL', 'Mozilla Public License Version 2.0\n… the GNU General Public License'],
  ['SSPL', 'Server Side Public License\nVersion 1'],
  ['BUSL', 'Business Source License 1.1'],
  ['Elastic', 'Elastic License 2.0'],
  ['Creative Commons', 'Creative Commons Attribution-NonCommercial 4.0 International'],
  ['Creative Commons', 'This work is under CC BY-NC 4.0'],
  ['Commons Clause', `${MIT}\n“Commons Clause” License Condition v1.0`],
  ['enterprise', 'The Example Enterprise Edition (EE) license (the “EE License”)'],
])('one that is not permissive is refused: %s', (name, text) => {
  expect(judge({ LICENSE: text })).toEqual({ refused: `LICENSE names ${name}` });
});

test('a second licence that is not permissive is refused, beside the first, in a folder that is read, or at the end of a long text', () => {
  expect(judge({ LICENSE: MIT, 'LICENSE-GPL': GPL })).toEqual({ refused: 'LICENSE-GPL names GPL' });
  expect(judge({ LICENSE: MIT, 'LICENSES/GPL-3.0.txt': GPL })).toEqual({ refused: 'LICENSES/GPL-3.0.txt names GPL' });
  expect(judge({ LICENSE: `${MIT}\n${'and so on '.repeat(5000)}\n${GPL}` })).toEqual({ refused: 'LICENSE names GPL' });
  expect(judge({ LICENSE: MIT, 'ee/LICENSE': GPL, 'ee/billing.ts': 'export const bill = 1;\n' })).toEqual({
    refused: 'ee/LICENSE names GPL',
  });
  expect(
    judge({ LICENSE: MIT, 'docs/LICENSE.md': 'Creative Commons BY-NC-SA 3.0', 'docs/guide.md': '# Guide\n' }),
  ).toEqual({ refused: 'docs/LICENSE.md names Creative Commons' });
});

test('licences of code that is not read do not count', () => {
  expect(
    judge({
      LICENSE: MIT,
      'vendor/other/LICENSE': GPL,
      'vendor/other/index.ts': 'export const other = 1;\n',
      'licenses/LICENSE-other.txt': GPL,
      'LICENSE-THIRD-PARTY': GPL,
      'dist-material/LICENSE-binary': GPL,
      'dist-material/start.sh': 'exec java\n',
      'src/license.ts': '/** The GNU General Public License, among others. */\nexport const all = 1;\n',
    }),
  ).toEqual({ licence: 'MIT' });
});

test('what is not known is refused: no licence file, or one that nobody can name', () => {
  expect(judge({})).toEqual({ refused: 'there is no licence file' });
  expect(judge({ LICENSE: 'You may look at this, but only on Sundays. '.repeat(9) })).toEqual({
    refused: 'LICENSE is a licence that is not known',
  });
  expect(
    judge({ LICENSE: MIT, 'pro/LICENSE': 'Ask us first. '.repeat(20), 'pro/a.ts': 'export const a = 1;\n' }),
  ).toEqual({
    refused: 'pro/LICENSE is a licence that is not known',
  });
  expect(judge({ 'packages/a/LICENSE': MIT, 'packages/a/index.ts': 'export const a = 1;\n' })).toEqual({
    refused: 'there is no licence file',
  });
});

test("Python's licence, which speaks of the GPL, is permissive", () => {
  const text =
    'PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2\n… that was previously distributed under the\nGNU General Public License (GPL), the law';
  expect(judge({ LICENSE: text })).toEqual({ licence: 'Python' });
});
