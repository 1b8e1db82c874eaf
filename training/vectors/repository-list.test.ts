import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { fileNameOf, readRepositoryList } from './repository-list.ts';

const COMMIT = '173d6d1d2e28a4697f1ac1d22da68f77ff19a0c9';
const PERMISSIVE =
  /^(Apache-2\.0|MIT|BSD|ISC|MulanPSL-2\.0|Zlib|BSL-1\.0|PostgreSQL|Python|Unlicense|CC0)(, (Apache-2\.0|MIT|BSD|ISC|MulanPSL-2\.0|Zlib|BSL-1\.0|PostgreSQL|Python|Unlicense|CC0))*$/;
/** The retrieval benchmark asks about these; their families are kept out with them. */
const BENCHMARK = `
  abseil/abseil-cpp Aider-AI/aider aio-libs/aiohttp Alamofire/Alamofire apache/commons-lang axios/axios Bash-it/bash-it
  bats-core/bats-core circe/circe colinhacks/zod continuedev/continue curl/curl DapperLib/Dapper echasnovski/mini.nvim
  elixir-ecto/ecto elixir-plug/plug encode/httpx encode/starlette expressjs/express fastapi/fastapi FasterXML/jackson-databind
  fmtlib/fmt folke/lazy.nvim gin-gonic/gin go-chi/chi google/gson guzzle/guzzle haskell/aeson Hejsil/zig-clap http4s/http4s
  JamesNK/Newtonsoft.Json JetBrains/Exposed jgm/pandoc Kotlin/kotlinx.coroutines ktorio/ktor kubernetes/kubernetes
  laravel/framework libuv/libuv MessagePack-CSharp/MessagePack-CSharp MinishLab/model2vec neovim/nvim-lspconfig
  neuecc/MessagePack-CSharp nlohmann/json nvim-mini/mini.nvim nvim-telescope/telescope.nvim nvm-sh/nvm pallets/click
  pallets/flask phoenixframework/phoenix psf/requests pydantic/pydantic rack/rack rails/rails ReactiveX/RxSwift redis/redis
  reduxjs/redux Seldaek/monolog serde-rs/serde sinatra/sinatra SnapKit/SnapKit sourcegraph/zoekt spf13/cobra tokio-rs/axum
  tokio-rs/tokio trpc/trpc typelevel/cats vapor/vapor vitest-dev/vitest xmonad/xmonad ziglang/zig zigtools/zls
`
  .toLowerCase()
  .trim()
  .split(/\s+/);
const FAMILIES = /trpc|vitest|aider|^continue|\/continue$|zoekt|kubernetes|k8s/i;

function listOf(...lines: string[]): string {
  const file = join(tempFolder(), 'list.tsv');
  writeFileSync(file, lines.join('\n'));
  return file;
}

test('a list names repositories at GitHub, by address and by path, with commit, licence and role', () => {
  const file = listOf(
    'name\tcommit\tlicence\trole',
    '# ours',
    `owner/name\t${COMMIT}\tMIT\ttrain`,
    'https://example.org/team/tool.git\t\t\theld-out',
    'git@example.org:team/other.git',
    '',
    '/srv/code/shop\t\town',
    '../beside\r',
  );

  expect(readRepositoryList(file)).toEqual([
    { name: 'owner/name', source: 'https://github.com/owner/name.git', commit: COMMIT, licence: 'MIT', role: 'train' },
    {
      name: 'https://example.org/team/tool.git',
      source: 'https://example.org/team/tool.git',
      commit: undefined,
      licence: undefined,
      role: 'held-out',
    },
    {
      name: 'git@example.org:team/other.git',
      source: 'git@example.org:team/other.git',
      commit: undefined,
      licence: undefined,
      role: 'train',
    },
    { name: '/srv/code/shop', source: '/srv/code/shop', commit: undefined, licence: 'own', role: 'train' },
    { name: '../beside', source: join(file, '../../beside'), commit: undefined, licence: undefined, role: 'train' },
  ]);
});

test.each([
  ['owner/name\tmain', ':1: "main" is no commit; expected its 40 hexadecimal digits, or nothing for the newest'],
  ['owner/name\t\tMIT\ttest', ':1: "test" is no role; expected train or held-out'],
  ['nothing', ':1: "nothing" is no repository; expected owner/name, an address, or a path that begins with / or .'],
  ['owner/name\t\t\t\tmore', ':1: 5 columns; expected name, commit, licence, role'],
  ['owner/name\nother/name\nowner/name', ':3: owner/name is on line 1 already'],
  ['./beta\n../alpha\n./alpha/../beta', ':3: ./alpha/../beta is on line 1 already'],
  [
    'owner/name\n/owner/name',
    ':2: the files of /owner/name would be called owner+name, as those of line 1; name it by another path or address',
  ],
])('a mistake in a list is told with its line: %j', (text, told) => {
  const file = listOf(text);
  expect(() => readRepositoryList(file)).toThrow(file + told);
});

test.each([
  ['owner/name', 'owner+name'],
  ['https://example.org/team/tool.git', 'example.org+team+tool'],
  ['/srv/code/shop/', 'srv+code+shop'],
  ['/srv/code/shop.git', 'srv+code+shop.git'],
])('files of %s are called %s', (name, expected) => {
  const [repository] = readRepositoryList(listOf(name));
  expect(fileNameOf(repository!)).toBe(expected);
});

test('folders of one name in two places are two repositories', () => {
  const file = listOf('../beta', './beta');
  const [beside, inside] = readRepositoryList(file).map(fileNameOf);

  expect(beside).toMatch(/\+beta$/);
  expect(inside).toMatch(/\+beta$/);
  expect(inside).not.toBe(beside);
});

test.each(['name', 'name\tcommit', 'name\tcommit\tlicence\trole', 'name\t\t'])(
  'a head needs no more columns than the list has: %j',
  (head) => {
    expect(readRepositoryList(listOf(head, 'owner/name')).map(({ name }) => name)).toEqual(['owner/name']);
  },
);

test('the shipped list has at least 300 repositories to train with, each with a commit and a permissive licence', () => {
  const repositories = readRepositoryList();

  expect(repositories.filter(({ role }) => role === 'train').length).toBeGreaterThanOrEqual(300);
  expect(repositories.filter(({ role }) => role === 'held-out').length).toBeGreaterThanOrEqual(12);
  expect(repositories.filter(({ commit }) => commit === undefined)).toEqual([]);
  expect(repositories.filter(({ licence }) => !PERMISSIVE.test(licence ?? ''))).toEqual([]);
  const names = repositories.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
});

test('no repository of the retrieval benchmark or of its families is on the shipped list', () => {
  const names = readRepositoryList().map(({ name }) => name.toLowerCase());

  expect(names.filter((name) => BENCHMARK.includes(name) || FAMILIES.test(name))).toEqual([]);
});
