import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { blobOf } from '../index/blobs/blob.fixture.ts';
import { gitRepository } from '../index/commits/git-repository.fixture.ts';
import { type ContextDoor, openContextDoor, toWire, viewOf } from './context-door.fixture.ts';

const shape = blobOf(
  'src/shape.ts',
  '/** A thing with an area. */\nexport interface Shape {\n  area(): number;\n}\n\nexport function sumAreas(shapes: Shape[]): number {\n  return shapes.reduce((sum, shape) => sum + shape.area(), 0);\n}\n',
);
const mail = blobOf('mail/send.py', 'def send_mail(message):\n    """Delivers a message."""\n    return message\n');
const names = [shape.blobName, mail.blobName];
const upload = (door: ContextDoor) => door.ask('/batch-upload', { blobs: [toWire(shape), toWire(mail)] });
const pathsOf = (answer: Record<string, unknown>) => (answer['results'] as { path: string }[]).map(({ path }) => path);

test('COMPAT-07 COMPAT-08 a question is answered with ranked places, at the root and under /gateway', async () => {
  const door = await openContextDoor();
  await upload(door);

  for (const path of ['/search', '/codebase_search', '/gateway/search', '/gateway/codebase_search']) {
    const answer = await door.ask(path, { query: 'sum the areas of shapes', limit: 1 });
    expect(answer).toEqual({
      status: 200,
      results: [
        {
          path: 'src/shape.ts',
          start: expect.any(Number),
          end: expect.any(Number),
          symbol: expect.any(String),
          score: expect.any(Number),
          text: expect.stringContaining('sumAreas'),
        },
      ],
    });
  }
});

test('COMPAT-09 a symbol is answered with the place that defines it, and an unknown one with none', async () => {
  const door = await openContextDoor();
  await upload(door);

  for (const path of ['/find_symbol', '/gateway/find_symbol']) {
    expect(await door.ask(path, { name: 'sumAreas' })).toEqual({
      status: 200,
      results: [
        {
          path: 'src/shape.ts',
          start: 6,
          end: 8,
          symbol: 'sumAreas',
          score: expect.any(Number),
          text: 'export function sumAreas(shapes: Shape[]): number {\n  return shapes.reduce((sum, shape) => sum + shape.area(), 0);\n}',
        },
      ],
    });
    expect(await door.ask(path, { name: 'noSuchThing' })).toEqual({ status: 200, results: [] });
  }
});

test('COMPAT-05 a question is answered with code as one text, within the length', async () => {
  const door = await openContextDoor();
  await upload(door);

  for (const path of ['/context', '/gateway/context']) {
    const { status, context } = await door.ask(path, { query: 'deliver a message by mail' });
    expect(status).toBe(200);
    expect(context).toContain('def send_mail(message):');
  }
  const { context } = await door.ask('/context', { query: 'deliver a message by mail', max_output_length: 60 });
  expect((context as string).length).toBeLessThanOrEqual(60);
});

test('COMPAT-10 facts about the synced files are told, with root and recent changes where they are of a folder here', async () => {
  const repository = gitRepository();
  repository.commit('First', { [shape.path]: shape.content, [mail.path]: mail.content });
  const workspaces = [{ id: 'wsp_1', name: 'shapes', root: repository.root, view: async () => viewOf(names) }];
  const [here, elsewhere] = [await openContextDoor({ workspaces }), await openContextDoor()];
  await upload(here);
  await upload(elsewhere);
  const facts = {
    files: 2,
    bytes: Buffer.byteLength(shape.content) + Buffer.byteLength(mail.content),
    languages: [
      { name: 'typescript', files: 1, bytes: Buffer.byteLength(shape.content) },
      { name: 'python', files: 1, bytes: Buffer.byteLength(mail.content) },
    ],
    tree: 'mail/ (1 file)\nsrc/ (1 file)',
  };

  for (const path of ['/workspace_context', '/gateway/workspace_context']) {
    const answer = await here.ask(path, { workspace: 'shapes' });
    expect(answer).toEqual({
      status: 200,
      id: 'wsp_1',
      name: 'shapes',
      root: repository.root,
      ...facts,
      languages: expect.arrayContaining(facts.languages),
      recent_changes: [
        {
          sha: expect.stringMatching(/^[0-9a-f]{40}$/),
          time: '2026-01-02T03:04:05+00:00',
          author: 'Ada',
          subject: 'First',
          paths: ['mail/send.py', 'src/shape.ts'],
        },
      ],
      workspaces: [{ id: 'wsp_1', name: 'shapes', root: repository.root }],
    });
  }
  expect(await elsewhere.ask('/workspace_context', {})).toMatchObject({
    status: 200,
    root: null,
    files: 2,
    tree: facts.tree,
    recent_changes: [],
    workspaces: [],
  });
});

test('without folders on this machine, what a client synced last is searched, and before any checkpoint all that was uploaded', async () => {
  const door = await openContextDoor();
  await upload(door);
  const find = async () => pathsOf(await door.ask('/search', { query: 'message shape' })).sort();

  expect(await find()).toEqual(['mail/send.py', 'src/shape.ts']);
  await door.ask('/checkpoint-blobs', { blobs: { added_blobs: [mail.blobName] } });
  expect(await find()).toEqual(['mail/send.py']);
  await door.ask('/checkpoint-blobs', { blobs: { added_blobs: names } });
  expect(await find()).toEqual(['mail/send.py', 'src/shape.ts']);
});

test('a folder is named by its name, path or id, and of several without a name all are searched', async () => {
  const workspaces = [
    { id: 'wsp_1', name: 'shapes', root: '/home/ada/shapes', view: async () => viewOf([shape.blobName]) },
    { id: 'wsp_2', name: 'mail', root: '/home/ada/mail', view: async () => viewOf([mail.blobName, 'f'.repeat(64)]) },
  ];
  const door = await openContextDoor({ workspaces });
  await upload(door);
  const find = async (workspace?: string) => door.ask('/search', { query: 'message shape', workspace });

  for (const named of ['mail', 'wsp_2', '/home/ada/mail', '/home/ada/mail/', `/home/ada/mail${'/\\'.repeat(2_000)}`])
    expect(pathsOf(await find(named))).toEqual(['mail/send.py']);
  for (const named of [undefined, '']) {
    const results = (await find(named))['results'] as { path: string; workspace: string }[];
    expect(results.map(({ path, workspace }) => `${workspace}: ${path}`).sort()).toEqual([
      'mail: mail/send.py',
      'shapes: src/shape.ts',
    ]);
  }
  expect(await find('nowhere')).toMatchObject({
    status: 400,
    error: {
      message:
        'workspace: "nowhere" is not one of yours; expected "shapes", "mail". A folder becomes one with the command "dragoman index FOLDER", or on the Context page of the console.',
    },
  });
  expect(await door.ask('/workspace_context', {})).toMatchObject({ name: 'shapes', files: 1 });
});

test('a folder that nobody indexed is not taken in by a question, and it is said how it can be', async () => {
  const door = await openContextDoor();
  const root = tempFolder();

  for (const path of ['/search', '/codebase_search', '/context', '/workspace_context'])
    expect(await door.ask(path, { query: 'anything', workspace: root })).toMatchObject({
      status: 400,
      error: {
        message: `workspace: ${JSON.stringify(root)} is not one of yours; there is none. A folder becomes one with the command "dragoman index FOLDER", or on the Context page of the console.`,
      },
    });
});

test('a body of the wrong shape is refused with the field, and a limit out of range is brought into it', async () => {
  const door = await openContextDoor();
  await upload(door);
  const refusal = async (path: string, body: unknown) => {
    const { status, error } = await door.ask(path, body);
    return `${status as number} ${(error as { message: string }).message}`;
  };

  expect(await refusal('/search', {})).toBe('400 query: expected the question, as text');
  expect(await refusal('/search', { query: ' ' })).toBe('400 query: it is empty');
  expect(await refusal('/codebase_search', { query: 'x', limit: 'many' })).toMatch(/^400 limit: /);
  expect(await refusal('/find_symbol', { name: 7 })).toBe('400 name: expected the name of a symbol');
  expect(await refusal('/context', { query: 'x', max_output_length: {} })).toMatch(/^400 max_output_length: /);
  expect(await refusal('/workspace_context', { workspace: 7 })).toMatch(/^400 workspace: /);
  for (const path of ['/search', '/codebase_search', '/find_symbol', '/context', '/workspace_context'])
    expect(await refusal(path, { query: 'x', name: 'x', workspace: `${'/'.repeat(4_096)}x` })).toBe(
      '400 workspace: it is longer than any path',
    );
  for (const limit of [0, -3, 1e9, 1.7, null])
    expect(await door.ask('/search', { query: 'shape', limit })).toMatchObject({ status: 200 });
});

test('who has synced nothing gets no places, and is told so', async () => {
  const door = await openContextDoor();

  expect(await door.ask('/search', { query: 'shape' })).toEqual({ status: 200, results: [] });
  expect(await door.ask('/find_symbol', { name: 'Shape' })).toEqual({ status: 200, results: [] });
  expect(await door.ask('/context', { query: 'shape' })).toEqual({
    status: 200,
    context: 'Nothing can be found: no files are synced.\n',
  });
  expect(await door.ask('/workspace_context', {})).toMatchObject({ status: 200, files: 0, languages: [], tree: '' });
});

test('a viewer may search', async () => {
  const door = await openContextDoor();
  await upload(door);
  const asViewer = { authorization: `Bearer ${door.tokenOf.viewer}` };

  for (const [path, body] of [
    ['/search', { query: 'shape' }],
    ['/codebase_search', { query: 'shape' }],
    ['/find_symbol', { name: 'Shape' }],
    ['/context', { query: 'shape' }],
    ['/workspace_context', {}],
  ] as const)
    expect(await door.ask(path, body, asViewer)).toMatchObject({ status: 200 });
  expect(await door.ask('/search', { query: 'shape' }, { authorization: 'none' })).toMatchObject({ status: 401 });
});

test('a name that two workspaces have is refused with both paths; each is found by its path', async () => {
  const workspaces = ['/home/ada/one/app', '/home/ada/two/app'].map((root, number) => ({
    id: `wsp_${number}`,
    name: 'app',
    root,
    view: async () => viewOf([]),
  }));
  const door = await openContextDoor({ workspaces });

  expect(await door.ask('/search', { query: 'x', workspace: 'app' })).toMatchObject({
    status: 400,
    error: {
      message: 'workspace: 2 are named "app"; expected one of their paths, "/home/ada/one/app", "/home/ada/two/app".',
    },
  });
  for (const { root, id } of workspaces)
    for (const workspace of [root, `${root}/`, id])
      expect(await door.ask('/workspace_context', { workspace })).toMatchObject({ status: 200, root });
});
