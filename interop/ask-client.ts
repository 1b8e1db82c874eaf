import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { type Client, type Ran, runClient } from './clients/run-client.ts';
import type { Script, ScriptedUpstreams } from './upstream/scripted-upstreams.ts';

/** Long enough for clients that wait between attempts. Some go on asking a service that fails for as long as one lets them. */
const PATIENCE_MS = { usual: 150_000, failing: 25_000 };

/** What the model can only know from a tool that really ran. */
const FILES = { 'fruit.txt': 'melon-4711', 'bird.txt': 'heron-0815' };

/** Whom a client asks: an address, a token for it, and the services in the end. */
export interface Whom {
  url: string;
  token: string;
  upstreams: ScriptedUpstreams;
}

export interface Asking extends Ran {
  /** What the real service would have refused. */
  refusals: readonly string[];
  /** How often the model was asked. */
  asked: number;
  /** Where the client worked. */
  folder: string;
}

/** Asks a client something, in a home that is new where none is given, and in a folder with files to read. */
export async function askClient(
  { url, token, upstreams }: Whom,
  client: Client,
  script: Omit<Script, 'hasTools'>,
  home = tempFolder(),
): Promise<Asking> {
  const folder = tempFolder();
  mkdirSync(join(folder, '.git'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), `${text}\n`);
  const { word, conversation } = upstreams.expect({ hasTools: true, ...script });
  const prompt = `Please do what you are told. ${word}`;
  const patience = script.trouble === '500' ? PATIENCE_MS.failing : PATIENCE_MS.usual;
  const ran = await runClient(client, { url, token, home, folder, prompt }, patience);
  return { ...ran, refusals: conversation.refusals, asked: conversation.asked, folder };
}
