import { createInterface } from 'node:readline/promises';
import { DragomanError } from '@dragoman/protocol';
import { dataFolder, findProgram, nearestWord, openDataFolder } from '@dragoman/server/base';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Client } from '../connect/client.ts';
import { CLIENTS } from '../connect/clients.ts';
import { planConnection, planUndo, thisMachine, writeConnection, writeUndo } from '../connect/connect-client.ts';
import { ConnectionRecords } from '../connect/connection-records.ts';
import { openTokenDesk, type ServerOptions, type TokenDesk } from '../connect/token-desk.ts';
import { tryCall } from '../connect/try-call.ts';
import { formatMoment } from '../format-moment.ts';
import { formatTable } from '../format-table.ts';
import { howToRun } from '../how-to-run.ts';
import { print, printError, printJson } from '../terminal/print.ts';

export interface ConnectOptions extends ServerOptions {
  model?: string;
  undo?: boolean;
  print?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Stands for a token that is not made yet. */
const TOKEN_TO_COME = 'DGM_…';
const USUAL_MODEL = 'default';
const OFFLINE = 'offline/offline';

/** Sets a client up so that it asks this server, or takes that back; without a client, lists them. */
export async function connect(id: string | undefined, options: ConnectOptions): Promise<void> {
  if (id === undefined) return listClients(options);
  const client = findClient(id);
  if (options.undo === true) return disconnect(client, options);
  const records = openRecords();
  const before = records.read(client.id);
  if (before !== undefined && options.print !== true)
    throw new DragomanError(
      'conflict',
      `${client.title} is connected to ${before.url} already. Take that back first with: ${howToRun(`connect ${client.id} --undo`)}`,
    );

  const desk = await openTokenDesk(options);
  const model = options.model ?? usualModel(await desk.models());
  const around = thisMachine();
  const preview = planConnection(client, { url: desk.url, token: TOKEN_TO_COME, model }, around);
  for (const { path, before: old, after } of preview) print(patchOf(path, old, after));
  if (client.note !== undefined) printError(client.note);
  if (options.print === true) return;
  await agree(
    options,
    `Write these changes and create a token named "${client.title}" with the role ${client.tokenRole}?`,
  );

  const { id: tokenId, text: token } = await desk.create(client.title, client.tokenRole);
  const connection = { url: desk.url, token, model };
  try {
    writeConnection(planConnection(client, connection, around), token, records, {
      client: client.id,
      url: desk.url,
      model,
      connectedAt: Date.now(),
      tokenId,
      tokenStart: token.slice(0, 12),
      isRemote: desk.isRemote,
    });
  } catch (error) {
    await desk.revoke(tokenId);
    throw error;
  }
  print(`${client.title} is connected. Undo it with: ${howToRun(`connect ${client.id} --undo`)}`);
  if (!desk.isRunning) {
    printError(`The server is not running, so the connection was not tested. Start it with: ${howToRun('serve')}`);
    return;
  }
  const { isWell, said } = await tryCall(client.dialect, connection);
  if (isWell) print(`Test call to "${model}" as ${client.title} succeeded: ${said}`);
  else {
    printError(`Test call to "${model}" as ${client.title} failed: ${said}`);
    process.exitCode = 1;
  }
}

async function disconnect(client: Client, options: ConnectOptions): Promise<void> {
  const records = openRecords();
  const record = records.read(client.id);
  if (record === undefined)
    throw new DragomanError(
      'not-found',
      `${client.title} was not connected with this command, so there is nothing to undo.`,
    );
  const plans = planUndo(record);
  for (const { path, before, after } of plans) print(patchOf(path, before, after));
  if (options.print === true) return;
  await agree(options, 'Write these changes and revoke the token?');
  const desk = await deskOf(record.isRemote, record.url, options);
  writeUndo(plans);
  await desk.revoke(record.tokenId);
  records.remove(client.id);
  print(`Restored the settings of ${client.title} and revoked its token.`);
  for (const { path, kept } of plans)
    if (kept.length > 0)
      printError(`${path}: ${kept.join(', ')} has changed since then and was left alone; check it yourself.`);
}

/** The server that made the token: it alone can revoke it. */
function deskOf(isRemote: boolean, url: string, options: ConnectOptions): Promise<TokenDesk> {
  return openTokenDesk(isRemote ? { ...options, server: options.server ?? url } : options);
}

function listClients(options: ConnectOptions): void {
  const records = openRecords();
  const around = thisMachine();
  const clients = CLIENTS.map((client) => {
    const record = records.read(client.id);
    return {
      client: client.id,
      title: client.title,
      isInstalled:
        client.programs.some((program) => findProgram(program) !== undefined) || around.exists(client.folder(around)),
      ...(record === undefined ? {} : { url: record.url, model: record.model, connectedAt: record.connectedAt }),
    };
  });
  if (options.json === true) {
    printJson(clients, 2);
    return;
  }
  print(
    formatTable(
      ['client', 'is', 'installed', 'connected'],
      clients.map(({ client, title, isInstalled, url, connectedAt }) => [
        client,
        title,
        isInstalled ? 'yes' : 'not seen',
        url === undefined ? 'no' : `${url} since ${formatMoment(connectedAt!)}`,
      ]),
    ),
  );
  printError(`Connect one with: ${howToRun('connect CLIENT')}`);
}

/** The route `default`, where there is one. */
function usualModel(names: readonly string[]): string {
  return names.includes(USUAL_MODEL) ? USUAL_MODEL : (names.find((name) => name !== OFFLINE) ?? OFFLINE);
}

function findClient(id: string): Client {
  const found = CLIENTS.find((client) => client.id === id.toLowerCase());
  if (found !== undefined) return found;
  const ids = CLIENTS.map((client) => client.id);
  const near = nearestWord(id, ids);
  throw new DragomanError(
    'bad-request',
    `There is no client ${JSON.stringify(id)} to connect${near === undefined ? '' : `; did you mean "${near}"`}. Known are: ${ids.join(', ')}`,
  );
}

function openRecords(): ConnectionRecords {
  const folder = dataFolder(process.env);
  openDataFolder(folder);
  return new ConnectionRecords(folder.path);
}

/** The change of a file, as it is shown before it is made. Tokens are not shown. */
function patchOf(path: string, before: string | undefined, after: string | undefined): string {
  const hide = (text: string) => text.replace(/(DGM_[A-Z2-7]{4})[A-Z2-7]{36}/g, '$1…');
  const [from, to] = [before === undefined ? '/dev/null' : path, after === undefined ? '/dev/null' : path];
  if (before === after) return `${path} is unchanged.`;
  return createTwoFilesPatch(from, to, hide(before ?? ''), hide(after ?? ''), undefined, undefined, {
    context: 2,
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}

async function agree({ yes }: ConnectOptions, question: string): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY)
    throw new DragomanError(
      'bad-request',
      'This needs confirmation, and there is no terminal to ask in. Nothing was written. Use --yes to confirm.',
    );
  printError(`${question} [y/N] `, '');
  const lines = createInterface({ input: process.stdin });
  try {
    const answer = await lines.question('');
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new DragomanError('cancelled', 'Nothing was written.');
  } finally {
    lines.close();
  }
}
