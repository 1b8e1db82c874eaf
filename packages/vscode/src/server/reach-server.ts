import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import { ownSetting } from '../settings/own-setting.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import { choosePort } from './choose-port.ts';
import { endServer } from './end-server.ts';
import { findServer, type FoundServer, personsHome } from './find-server.ts';
import { type Lease, takeLease } from './lease.ts';
import type { RunningServer } from './server-link.ts';
import { type ServerProgram, serverPrograms } from './server-programs.ts';
import { foreignToken, ownToken } from './server-token.ts';
import { serverWords } from './server-words.ts';
import { logFile, startServer } from './start-server.ts';
import { writeConfiguration } from './write-configuration.ts';

/** What finding and starting a server needs of the extension. */
export interface ReachParts {
  context: Pick<vscode.ExtensionContext, 'globalState' | 'secrets' | 'globalStorageUri' | 'extensionPath'>;
  settings: Pick<SettingsStore, 'serverSettings'>;
  log: Pick<vscode.LogOutputChannel, 'info' | 'warn'>;
  env?: NodeJS.ProcessEnv;
}

/** A server that this window holds. */
export interface Attached {
  server: RunningServer;
  /** Missing with a server from before there were leases. */
  lease?: Lease;
  /** Of a server that this editor started, in this window or another. */
  own?: { home: string; found: FoundServer };
}

const PORT = 'dragoman.port';
const STARTED_FROM = 'dragoman.startedFrom';
/** How long a server stays without a window. */
const IDLE_SECONDS = 60;

/**
 * The server of this window, in the order in which a person would want it: the one they named, one that runs already,
 * one that can be started: on the given port, or the one that was kept, or a new one.
 */
export async function reachServer(parts: ReachParts, signal: AbortSignal, port?: number): Promise<Attached> {
  const named = namedUrl();
  if (named !== undefined) return reachNamed(parts, named);
  const token = await ownToken(parts.context.secrets, parts.context.globalStorageUri.fsPath);
  const homes = ownHomes(parts.context.globalStorageUri.fsPath, token);
  const running =
    (await reachPersons(parts, signal)) ?? (await firstOf(homes, (home) => reachOwn(parts, home, token, signal)));
  if (running !== undefined) return running;
  for (const home of homes) {
    const started = await start(parts, { home, token, port }, signal);
    if (started !== undefined) return started;
  }
  throw new DragomanError('unavailable', serverWords.now().noOwn);
}

/** The setting `dragoman.url` in the form that addresses are compared in. */
export function namedUrl(): string | undefined {
  const text = ownSetting('url');
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new DragomanError('config-invalid', serverWords.now().notAnAddress(text));
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** A person's own server on this machine, whether or not there is a token for it. */
export function findPersons({ env = process.env }: Pick<ReachParts, 'env'>, signal?: AbortSignal) {
  return findServer(personsHome(env), signal);
}

async function reachNamed({ context: { secrets } }: ReachParts, url: string): Promise<Attached> {
  const words = serverWords.now();
  const token = await foreignToken(secrets, url);
  if (token === undefined) throw new DragomanError('unauthenticated', words.tokenMissing(url));
  const server: RunningServer = { url, token, origin: 'setting' };
  const answer = await takeLease(server);
  switch (answer.kind) {
    case 'held':
      return { server, lease: answer.lease };
    case 'without':
      return { server };
    case 'refused':
      throw new DragomanError('unauthenticated', words.tokenRefused(url));
    case 'away':
      throw new DragomanError('unavailable', words.notThere(url, answer.reason), { isRetryable: true });
  }
}

/** It counts only with a token, which the person gave because they want this one; nothing is asked at the start of the editor. */
async function reachPersons(parts: ReachParts, signal: AbortSignal): Promise<Attached | undefined> {
  const found = await findPersons(parts, signal);
  if (found === undefined) return undefined;
  const token = await foreignToken(parts.context.secrets, found.url);
  if (token === undefined) {
    parts.log.info(`A server of yours runs at ${found.url}; the menu of the status item offers to use it.`);
    return undefined;
  }
  const answer = await takeLease({ url: found.url, token });
  if (answer.kind === 'refused') parts.log.warn(serverWords.now().tokenRefused(found.url));
  if (answer.kind !== 'held') return undefined;
  return { server: { url: found.url, token, origin: 'found' }, lease: answer.lease };
}

/**
 * The data folders of this editor's servers. The second one is for a second profile on the same machine (two browsers on
 * one remote host): it has another token, and two that share a folder would end each other's servers for ever.
 */
function ownHomes(storage: string, token: string): string[] {
  const mark = createHash('sha256').update(token).digest('hex').slice(0, 8);
  return [join(storage, 'home'), join(storage, `home-${mark}`)];
}

async function reachOwn(
  { context }: ReachParts,
  home: string,
  token: string,
  signal: AbortSignal,
): Promise<Attached | undefined> {
  const found = await findServer(home, signal);
  if (found === undefined) return undefined;
  const answer = await takeLease({ url: found.url, token });
  if (answer.kind !== 'held') return undefined;
  const own = { home, found };
  const origin = context.globalState.get<RunningServer['origin']>(STARTED_FROM, 'bundled');
  if (origin === 'bundled' && isOlder(found.version, await bundledVersion(context.extensionPath))) {
    // The extension was updated while its server ran.
    answer.lease.close();
    await endServer(home, found, { signal });
    return undefined;
  }
  return { server: { url: found.url, token, origin, logFile: logFile(home) }, lease: answer.lease, own };
}

/** Nothing where the folder has a server that refuses our token; it is another profile's. */
async function start(
  parts: ReachParts,
  { home, token, port: before }: { home: string; token: string; port: number | undefined },
  signal: AbortSignal,
): Promise<Attached | undefined> {
  const { globalState, globalStorageUri } = parts.context;
  const configurationFile = join(globalStorageUri.fsPath, 'dragoman.json');
  const { configuration, environment: keys } = await parts.settings.serverSettings();
  await writeConfiguration(configurationFile, configuration);
  const kept = globalState.get<number>(PORT, 0);
  const { program, url } = await startFirst(parts, {
    environment: { home, token, keys, ripgrep: editorsRipgrep() },
    configurationFile,
    port: await choosePort({ before, kept }),
    idleSeconds: Number((parts.env ?? process.env)['DRAGOMAN_EXTENSION_IDLE_SECONDS']) || IDLE_SECONDS,
    signal,
  });
  const found = await findServer(home, signal);
  const answer = found?.url === url ? await takeLease({ url, token }) : undefined;
  if (answer?.kind === 'refused') return undefined;
  if (answer?.kind !== 'held' || found === undefined)
    throw new DragomanError('unavailable', serverWords.now().noOwn, { isRetryable: true });
  const port = Number(new URL(url).port);
  if (port !== kept) await globalState.update(PORT, port);
  await globalState.update(STARTED_FROM, program.origin);
  const server: RunningServer = { url, token, origin: program.origin, logFile: logFile(home) };
  return { server, lease: answer.lease, own: { home, found } };
}

async function startFirst(parts: ReachParts, order: Parameters<typeof startServer>[1]) {
  const programs: ServerProgram[] = serverPrograms({
    serverCommand: ownSetting('serverCommand'),
    searchPath: (parts.env ?? process.env)['PATH'] ?? '',
    bundled: join(parts.context.extensionPath, 'dist', 'server', 'dragoman.js'),
    editor: process.execPath,
  });
  let failure: unknown;
  for (const program of programs) {
    try {
      return { program, ...(await startServer(program, order)) };
    } catch (error) {
      order.signal.throwIfAborted();
      parts.log.warn(error instanceof Error ? error.message : String(error));
      failure = error;
    }
  }
  throw failure;
}

async function bundledVersion(extensionPath: string): Promise<string> {
  try {
    const text = await readFile(join(extensionPath, 'dist', 'server', 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  } catch {
    return '';
  }
}

/** Only forwards: two windows of different versions would otherwise take turns. */
function isOlder(one: string, other: string): boolean {
  const parts = (version: string) => version.split(/[.-]/).slice(0, 3).map(Number);
  const [mine, theirs] = [parts(one), parts(other)];
  const place = mine.findIndex((part, index) => part !== theirs[index]);
  return place >= 0 && (mine[place] ?? 0) < (theirs[place] ?? 0);
}

/** Editors bring a ripgrep along; the server inside the extension has none of its own. */
function editorsRipgrep(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return ['node_modules.asar.unpacked', 'node_modules']
    .map((folder) => join(vscode.env.appRoot ?? '', folder, '@vscode', 'ripgrep', 'bin', name))
    .find((path) => existsSync(path));
}

async function firstOf<Given, Found>(
  list: readonly Given[],
  look: (given: Given) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (const each of list) {
    const found = await look(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
