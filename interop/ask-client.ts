import { type Client, type Ran, runClient } from './clients/run-client.ts';
import { startPlace } from './start-place.ts';
import type { ProtocolName, Script } from './upstream/scripted-upstreams.ts';

/** Long enough for clients that wait between attempts. Some go on asking a service that fails for as long as one lets them. */
const PATIENCE_MS = { usual: 150_000, failing: 25_000 };

export interface Asking extends Ran {
  /** What the real service would have refused. */
  refusals: readonly string[];
  /** How often the model was asked. */
  asked: number;
  /** Where the client worked. */
  folder: string;
}

/** Asks a client something, through Dragoman and with a provider of that protocol behind it. */
export async function askClient(
  client: Client,
  protocol: ProtocolName,
  script: Omit<Script, 'hasTools'>,
): Promise<Asking> {
  const { upstreams, ...place } = await startPlace(protocol);
  const { word, conversation } = upstreams.expect({ hasTools: true, ...script });
  const prompt = `Please do what you are told. ${word}`;
  const patience = script.trouble === '500' ? PATIENCE_MS.failing : PATIENCE_MS.usual;
  const ran = await runClient(client, { ...place, prompt }, patience);
  return { ...ran, refusals: conversation.refusals, asked: conversation.asked, folder: place.folder };
}
