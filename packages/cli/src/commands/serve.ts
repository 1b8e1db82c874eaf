import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ConfigOverride, newTokenText } from '@dragoman/server';
import { type CommonOptions, openSetup, type Setup } from '../load-setup.ts';
import { howToRun } from '../how-to-run.ts';
import { settleMemory } from '../settle-memory.ts';
import { startServer } from '../start-server.ts';
import { untilInterrupted } from '../until-interrupted.ts';
import { VERSION } from '../version.ts';

export interface ServeOptions extends CommonOptions {
  host?: string;
  port?: string;
  token?: string;
  json?: boolean;
}

const STARTER = `{
  // Dragoman's configuration. Your editor completes and checks it; the server reads it again when you save it.
  "$schema": "./dragoman.schema.json",
}
`;

/** Starts the server and stays until it is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  const interrupted = untilInterrupted();
  const setup = openSetup(options, toOverrides(options));
  putStarter(setup);
  const given = options.token ?? (process.env['DRAGOMAN_TOKEN'] || undefined);
  const token = given ?? (options.json === true ? newTokenText().text : undefined);

  const server = await startServer(setup, token);
  if (options.json === true) process.stdout.write(`${JSON.stringify({ url: server.url, token })}\n`);
  else process.stdout.write(welcome(server.url, await server.createLoginLink(), setup));

  settleMemory();
  await interrupted.promise;
  await server.stop();
}

function toOverrides({ host, port }: ServeOptions): ConfigOverride[] {
  return [
    ...(host === undefined ? [] : [{ path: ['server', 'host'], value: host, source: '--host' }]),
    ...(port === undefined
      ? []
      : [{ path: ['server', 'port'], value: /^-?\d+$/.test(port) ? Number(port) : port, source: '--port' }]),
  ];
}

/** The schema beside the configuration is what lets an editor help; a first configuration is there to be edited. */
function putStarter({ folder, source }: Setup): void {
  const published = fileURLToPath(new URL('../../dragoman.schema.json', import.meta.url));
  const isCurrent = existsSync(folder.schemaFile) && readFileSync(folder.schemaFile).equals(readFileSync(published));
  if (!isCurrent) copyFileSync(published, folder.schemaFile);
  if (source.file === folder.configFile && !existsSync(folder.configFile))
    writeFileSync(folder.configFile, STARTER, { flag: 'wx' });
}

function welcome(url: string, link: string, setup: Setup): string {
  return [
    '',
    `  Dragoman ${VERSION} is ready.`,
    '',
    `  Address    ${url}`,
    `  Log in     ${link}`,
    '             (works once, within an hour)',
    `  Settings   ${setup.source.file}`,
    `  A token    ${howToRun('token create laptop')}`,
    '',
    '  Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}
