import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveDragoman, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { type ProtocolName, type ScriptedUpstreams, startScriptedUpstreams } from './upstream/scripted-upstreams.ts';

const PROVIDERS = {
  chat: { type: 'openai-chat', model: 'gpt-6' },
  responses: { type: 'openai-responses', model: 'gpt-6' },
  messages: { type: 'anthropic-messages', model: 'claude-opus-5' },
  gemini: { type: 'gemini', model: 'gemini-3.5-pro' },
} as const;

/** Dragoman, with one provider behind it, and a folder with a file to read. */
export interface StartedPlace {
  upstreams: ScriptedUpstreams;
  url: string;
  token: string;
  home: string;
  folder: string;
}

/** Every model name leads to the scripted provider of that protocol. */
export async function startPlace(protocol: ProtocolName): Promise<StartedPlace> {
  const upstreams = await startScriptedUpstreams();
  onTestFinished(() => upstreams.close());
  const { type, model } = PROVIDERS[protocol];
  const dragoman = tempFolder();
  const targets = [`scripted/${model}`];
  const provider = { type, baseUrl: `${upstreams.url}/${protocol}`, apiKey: 'key-of-the-provider' };
  writeFileSync(
    join(dragoman, 'dragoman.json'),
    JSON.stringify({ providers: { scripted: provider }, routes: { '*': targets, default: targets } }),
  );
  const { url, token } = await serveDragoman([], { home: dragoman });
  const [home, folder] = [tempFolder(), tempFolder()];
  mkdirSync(join(folder, '.git'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), `${text}\n`);
  return { upstreams, url, token, home, folder };
}

/** What the model can only know from a tool that really ran. */
const FILES = { 'fruit.txt': 'melon-4711', 'bird.txt': 'heron-0815' };
