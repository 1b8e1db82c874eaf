import { expect, test } from 'vitest';
import { type PathTraits, pathTraits } from './path-traits.ts';

const flagsOf = (path: string) =>
  Object.entries(pathTraits(path))
    .filter(([, value]) => value === true)
    .map(([name]) => name)
    .sort();

test.each<[string, (keyof PathTraits)[]]>([
  ['src/net/socket.ts', ['isCode']],
  ['src/net/socket.test.ts', ['isCode', 'isTest']],
  ['tests/test_socket.py', ['isCode', 'isTest']],
  ['src/test/java/SocketTest.java', ['isCode', 'isTest']],
  ['lib/test_functions.bash', ['isCode']],
  ['src/latest/contest.ts', ['isCode']],
  ['examples/hello/main.go', ['isCode', 'isEntry', 'isExample', 'isGeneric']],
  ['docs/guide.md', ['isDocument']],
  ['README.md', ['isDocument']],
  ['benches/parse.rs', ['isBenchmark', 'isCode']],
  ['vendor/a/b.go', ['isCode', 'isForeign']],
  ['api/v1/zz_generated.deepcopy.go', ['isCode', 'isGenerated', 'isLegacy']],
  ['include/net.h', ['isCode', 'isHeader']],
  ['types/net.d.ts', ['isCode', 'isTypesOnly']],
  ['src/index.ts', ['isCode', 'isEntry', 'isGeneric']],
  ['src/Contracts/Cache.php', ['isCode', 'isContract']],
  ['src/win/pipe.c', ['isCode', 'isPlatform']],
  ['data/cities.json', ['isData']],
])('%s is %j', (path, flags) => {
  expect(flagsOf(path)).toEqual(flags);
});

test('a folder with a version says what it is a version of', () => {
  expect(pathTraits('packages/zed/src/v3/types.ts')).toMatchObject({ version: 3, versionOf: 'packages/zed/src/' });
  expect(pathTraits('packages/zed/src/types.ts')).toMatchObject({ version: -1 });
});
