import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DragomanError } from '@dragoman/protocol';
import { dataFolder, openDataFolder, SecretsFile } from '@dragoman/server/base';
import { print, printError, printJson } from '../terminal/print.ts';

export async function setSecret(name: string): Promise<void> {
  const value = (
    process.stdin.isTTY ? await askUnseen(`Value of ${name} (hidden): `) : await text(process.stdin)
  ).trim();
  if (value === '') throw new DragomanError('bad-request', 'The value is empty. Nothing was saved.');
  openSecrets().set(name, value);
  print(`Saved. Refer to it in dragoman.json as "{secret:${name}}".`);
}

export async function listSecrets(options: { json?: boolean }): Promise<void> {
  const names = [...openSecrets().read().keys()].toSorted();
  if (options.json === true) printJson(names);
  else print(names.length === 0 ? 'No secrets yet.' : names.join('\n'));
}

export async function removeSecret(name: string): Promise<void> {
  if (!openSecrets().remove(name))
    throw new DragomanError('not-found', `There is no secret named ${JSON.stringify(name)}.`);
  print('Removed.');
}

function openSecrets(): SecretsFile {
  const folder = dataFolder(process.env);
  openDataFolder(folder);
  return new SecretsFile(folder.secretsFile);
}

/** The prompt goes to standard error, and what is typed goes nowhere. */
async function askUnseen(prompt: string): Promise<string> {
  printError(prompt, '');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    printError('');
  }
}
