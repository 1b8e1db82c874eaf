import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

test.each([
  ['src/app.test.tsx', 'typescript'],
  ['lib/App.MJS', 'typescript'],
  ['include/curl/curl.h', 'c'],
  ['a/b.d/Rakefile', 'ruby'],
  ['config.ru', 'ruby'],
  ['.zshrc', 'bash'],
  ['build.gradle.kts', 'kotlin'],
  ['README.md', 'markdown'],
])('%s is %s by its name', (path, language) => {
  expect(languageOf(path)).toBe(language);
});

test('a file without an ending is known by its interpreter', () => {
  expect(languageOf('bin/tool', '#!/usr/bin/env python3')).toBe('python');
  expect(languageOf('bin/tool', '#!/bin/sh')).toBe('bash');
  expect(languageOf('bin/tool', 'sh')).toBeUndefined();
});

test('an included file is PHP when it begins like it', () => {
  expect(languageOf('a.inc', '<?php')).toBe('php');
  expect(languageOf('a.inc', '#include "b.h"')).toBe('cpp');
});

test('other files have no language', () => {
  for (const path of ['package.json', 'a/.gitignore', 'Makefile', 'x.', '.ts'])
    expect(languageOf(path)).toBeUndefined();
});
