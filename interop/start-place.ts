import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveDragoman } from '@dragoman/testkit';
import { afterAll, beforeAll } from 'vitest';
import { type ProtocolName, type ScriptedUpstreams, startScriptedUpstreams } from './upstream/scripted-upstreams.ts';

const PROVIDERS = {
  chat: { type: 'openai-chat', model: 'gpt-6' },
  responses: { type: 'openai-responses', model: 'gpt-6' },
  messages: { type: 'anthropic-messages', model: 'claude-opus-5' },
  gemini: { type: 'gemini', model: 'gemini-3.5-pro' },
} as const;

/** Dragoman with one provider behind it, which answers by scripts. */
export interface StartedPlace {
  upstreams: ScriptedUpstreams;
  url: string;
  token: string;
  /** The folder of its data. */
  data: string;
}

/**
 * Starts Dragoman for the tests of a group and ends it after them. Every model name leads to the scripted provider of that
 * protocol. A target that has failed rests, so a test that lets it fail is the last of its group.
 */
export function placeFor(protocol: ProtocolName): () => StartedPlace {
  let place: StartedPlace;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const data = mkdtempSync(join(tmpdir(), 'dragoman-interop-'));
    ends.push(async () => rmSync(data, { recursive: true, force: true, maxRetries: 5 }));
    const upstreams = await startScriptedUpstreams();
    ends.push(() => upstreams.close());
    const { type, model } = PROVIDERS[protocol];
    const targets = [`scripted/${model}`];
    const provider = { type, baseUrl: `${upstreams.url}/${protocol}`, apiKey: 'key-of-the-provider' };
    writeFileSync(
      join(data, 'dragoman.json'),
      JSON.stringify({ providers: { scripted: provider }, routes: { '*': targets, default: targets } }),
    );
    const { url, token } = await serveDragoman([], { home: data, atEnd: (end) => ends.push(end) });
    place = { upstreams, url, token, data };
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return () => place;
}
