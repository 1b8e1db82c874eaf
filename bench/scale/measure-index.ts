import { globSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConsoleClient, createConsoleClient } from '@dragoman/protocol/console';
import { generateTree } from '../context/generate-tree.ts';
import { runSql } from '../../testkit/src/store-location.ts';
import { middle } from '../hub/measure-crowd.ts';
import type { SharedServers } from './shared-servers.ts';

/** What code costs that is indexed and asked about. CPU in ms. */
export interface IndexCosts {
  sourceMb: number;
  /** For one MB: the server's threads, its main thread, the database. */
  indexing: { build: number; server: number; database: number };
  /** For one question. */
  question: { search: number; server: number; database: number; tookMs: number };
  /** What a server that only answers has more than before, for one MB of source. */
  memoryMb: number;
  /** The first questions to servers that never saw the code: about a folder, about half as much, and with more of others' code beside it. */
  firstElsewhere: { whole: FirstQuestion; half: FirstQuestion; besideOthers: FirstQuestion };
}

/** What the first question cost a server that has nothing of the index. */
interface FirstQuestion {
  tookMs: number;
  /** Of the index. */
  fetchedMb: number;
}

/** A folder before the one that is measured: what starts with the first one is started then. */
const FIRST_SHARE = 0.1;
/** How much other code there is at last, for one that is asked about. */
const OTHERS_SHARE = 2;
/** What is done in the background, such as storing the index, is over by then. */
const SETTLE_MS = 5_000;

/** One server indexes a folder, answers questions about it, and then another one is asked. */
export async function measureIndex(
  { servers, database, databaseUrl, folder, serve }: SharedServers,
  { files, bytes, questions }: { files: number; bytes: number; questions: number },
): Promise<IndexCosts> {
  const first = makeTree(join(folder, 'first'), files * FIRST_SHARE, bytes * FIRST_SHARE);
  const tree = makeTree(join(folder, 'tree'), files, bytes);
  const server = servers[0]!;
  const client = createConsoleClient(server);
  const count = () => {
    const read = () => ({ all: server.cpuMs(), main: server.mainCpuMs(), database: database.cpuMs() });
    const from = read();
    return (per: number) => {
      const now = read();
      const main = (now.main - from.main) / per;
      return {
        server: main,
        threads: (now.all - from.all) / per - main,
        database: (now.database - from.database) / per,
      };
    };
  };

  const index = async ({ root }: Tree) => {
    const { id } = await client.addWorkspace({ root });
    await untilReady(client, id);
    return id;
  };
  const ask = async (asked: ConsoleClient, id: string, { names }: Tree, at: number) => {
    const startedAt = performance.now();
    const question = questionAbout(names[(at * 7_919) % names.length]!);
    const { places } = await asked.searchCode({ workspaceId: id, question });
    if (places.length === 0) throw new Error(`Nothing was found for: ${question}`);
    return performance.now() - startedAt;
  };

  const firstId = await index(first);
  for (let at = 0; at < questions; at++) await ask(client, firstId, first, at);
  await pause(SETTLE_MS);
  const indexed = count();
  const id = await index(tree);
  const { threads: build, ...indexing } = indexed(tree.mb);

  for (let at = 0; at < questions; at++) await ask(client, id, tree, at);
  const answered = count();
  const took: number[] = [];
  for (let at = 0; at < questions; at++) took.push(await ask(client, id, tree, questions + at));
  const { threads: search, ...answering } = answered(questions);

  // Another server has started its threads with the small folder when it is asked about the large one.
  const another = await serve('another');
  const other = createConsoleClient(another);
  for (let at = 0; at < questions; at++) await ask(other, firstId, first, at);
  await pause(SETTLE_MS);
  const beforeMb = another.rssMb();
  for (let at = 0; at < questions; at++) await ask(other, id, tree, at);
  await pause(SETTLE_MS);
  const memoryMb = (another.rssMb() - beforeMb) / tree.mb;

  const half = makeTree(join(folder, 'half'), files / 2, bytes / 2);
  const halfId = await index(half);
  // All servers are on this machine: the folders count as those of another one, so nobody looks through them.
  await runSql(databaseUrl, "update context_workspaces set host = 'another machine'");
  await pause(SETTLE_MS);
  const askFirst = async (name: string, askedId: string, asked: Tree): Promise<FirstQuestion> => {
    const cold = await serve(name);
    const coldClient = createConsoleClient(cold);
    await ask(coldClient, firstId, first, 0); // Its threads are started with the small folder.
    const before = fetchedMb(join(folder, name));
    const tookMs = await ask(coldClient, askedId, asked, 0);
    return { tookMs, fetchedMb: fetchedMb(join(folder, name)) - before };
  };
  const ofHalf = await askFirst('cold-half', halfId, half);
  const ofWhole = await askFirst('cold-whole', id, tree);
  await index(makeTree(join(folder, 'others'), files * OTHERS_SHARE, bytes * OTHERS_SHARE));
  await pause(SETTLE_MS);
  const besideOthers = await askFirst('cold-beside-others', id, tree);
  return {
    sourceMb: tree.mb,
    indexing: { build, ...indexing },
    question: { search, ...answering, tookMs: middle(took) },
    memoryMb,
    firstElsewhere: { whole: ofWhole, half: ofHalf, besideOthers },
  };
}

/** Source on the disk. */
interface Tree {
  root: string;
  names: readonly string[];
  mb: number;
}

function makeTree(root: string, files: number, bytes: number): Tree {
  generateTree(root, files, bytes);
  const names = globSync('**/*.{ts,py,go}', { cwd: root });
  return { root, names, mb: names.reduce((sum, name) => sum + statSync(join(root, name)).size, 0) / 1e6 };
}

/** What a server has of the index. */
function fetchedMb(home: string): number {
  return globSync('index/*.seg', { cwd: home }).reduce((sum, name) => sum + statSync(join(home, name)).size, 0) / 1e6;
}

async function untilReady(client: ConsoleClient, id: string): Promise<void> {
  for (;;) {
    const { workspaces } = await client.listWorkspaces();
    const workspace = workspaces.find((one) => one.id === id);
    if (workspace?.state === 'ready') return;
    if (workspace?.state === 'problem') throw new Error(workspace.problem);
    await pause(100);
  }
}

/** In the words of a file's name. */
function questionAbout(name: string): string {
  return `where do we ${basename(name)
    .split('.')[0]!
    .replaceAll(/_\d+$|_/g, ' ')}`;
}
