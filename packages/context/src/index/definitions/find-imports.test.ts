import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findImports } from './find-imports.ts';

test.each<[path: string, text: string, imports: string[]]>([
  [
    'a.ts',
    `import a, { b } from './a.ts';
import type { C } from "c";
import './side-effect.css';
import {
  d,
} from '../d.ts';
export * from './e.ts';
const f = require('f');
const g = await import('g');
// import of goods
const text = 'no import';
`,
    ['./a.ts', 'c', './side-effect.css', './e.ts', '../d.ts', 'f', 'g'],
  ],
  [
    'a.py',
    'from . import a\nfrom ..b.c import (\n    d,\n)\nimport os, sys as system\n    import lazy\n',
    ['.', '..b.c', 'os', 'sys', 'lazy'],
  ],
  [
    'a.go',
    'package a\n\nimport (\n\t"fmt"\n\tx "example.com/x"\n\t_ "embed"\n)\n\nimport "os"\n',
    ['fmt', 'example.com/x', 'embed', 'os'],
  ],
  [
    'a.rs',
    'use std::io::{self, Read};\npub use crate::a::B as C;\nuse super::*;\nmod inner;\npub(crate) mod other;\nmod here {}\nextern crate alloc;\n',
    ['std::io', 'crate::a::B', 'super', 'inner', 'other', 'alloc'],
  ],
  ['A.java', 'import java.util.List;\nimport static org.junit.Assert.*;\n', ['java.util.List', 'org.junit.Assert.*']],
  ['a.kt', 'import io.ktor.http.*\nimport a.B as C\n', ['io.ktor.http.*', 'a.B']],
  ['a.scala', 'import cats.data.Chain\n  import io.circe._\n', ['cats.data.Chain', 'io.circe._']],
  [
    'a.cs',
    'using System;\nusing static System.Math;\nglobal using Json = Newtonsoft.Json;\n',
    ['System', 'System.Math', 'Newtonsoft.Json'],
  ],
  ['a.c', '#include <stdio.h>\n#  include "curl/curl.h"\n', ['stdio.h', 'curl/curl.h']],
  ['a.rb', "require 'rack'\nrequire_relative \"a/b\"\nautoload :C, 'c'\n", ['rack', 'a/b', 'c']],
  [
    'a.php',
    "<?php\nuse App\\Models\\User;\nuse function a\\b;\nrequire_once __DIR__ . '/vendor/autoload.php';\n",
    ['App\\Models\\User', 'a\\b', '/vendor/autoload.php'],
  ],
  ['a.lua', 'local a = require(\'a.b\')\nlocal c = require "c"\n', ['a.b', 'c']],
  [
    'a.ex',
    'alias Plug.Conn\n  import Plug.Router, only: [get: 2]\nuse GenServer\n',
    ['Plug.Conn', 'Plug.Router', 'GenServer'],
  ],
  ['a.swift', 'import Foundation\n@testable import Vapor\n', ['Foundation', 'Vapor']],
  ['a.hs', 'import Data.Text (Text)\nimport qualified Data.Map as M\n', ['Data.Text', 'Data.Map']],
  ['a.zig', 'const std = @import("std");\nconst a = @import("a.zig").b;\n', ['std', 'a.zig']],
  ['a.sh', 'source "lib/log.sh"\n. ./env.sh\n', ['lib/log.sh', './env.sh']],
  ['a.dart', "import 'package:a/a.dart';\n", ['package:a/a.dart']],
  ['a.proto', 'import "google/protobuf/any.proto";\n', ['google/protobuf/any.proto']],
  ['a.md', 'import "nothing"\n', []],
])('%s names what it imports as it writes it', (path, text, imports) => {
  expect(findImports(path, text)).toEqual(imports);
});

test('what is imported twice is named once', () => {
  expect(findImports('a.py', 'import os\nimport os\n')).toEqual(['os']);
});

test('any text has imports that are not empty', () => {
  const word = fc.constantFrom(
    'import ',
    'from ',
    'use ',
    'require(',
    '"',
    "'",
    '(',
    ')',
    '{',
    '}',
    'a',
    '.',
    ',',
    '\n',
    ' as ',
  );
  fc.assert(
    fc.property(
      fc.constantFrom('a.ts', 'a.py', 'a.go', 'a.rs', 'a.php', 'a.rb', 'a.cs'),
      fc.array(word, { maxLength: 40 }),
      (path, words) => {
        for (const named of findImports(path, words.join(''))) expect(named.trim()).not.toBe('');
      },
    ),
    { seed: 5, numRuns: 1000 },
  );
});
