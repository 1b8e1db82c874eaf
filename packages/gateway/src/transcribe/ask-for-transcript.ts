import type { Target } from '../routing/target.ts';
import { optional } from '../optional.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { readText } from '../upstreams/http-caller.ts';
import { httpUpstream, type UpstreamRegistry } from '../upstreams/upstream-registry.ts';
import { audioName } from './audio-name.ts';

/** Something that was said, as it was recorded. */
export interface Recording {
  bytes: Uint8Array;
  mediaType: string;
  name: string;
}

/** Sends a recording to a provider that speaks OpenAI's protocol, and gives back its answer in the form that the fields ask for. */
export async function askForTranscript(
  recording: Recording,
  fields: readonly (readonly [name: string, text: string])[],
  transcriber: Target,
  upstreams: UpstreamRegistry,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  const file = new Blob([new Uint8Array(recording.bytes)], { type: recording.mediaType });
  form.set('file', file, audioName(recording.name, recording.mediaType));
  form.set('model', transcriber.model);
  for (const [name, text] of fields) form.append(name, text);
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  const { target, path } = besideChat(transcriber, '/audio/transcriptions');
  const type = encoded.headers.get('content-type');
  const headers = { accept: 'application/json, text/plain', ...optional('content-type', type) };
  const upstream = await httpUpstream(target.provider.type);
  const answer = await upstreams.http.send(upstream, target, { path, headers, body }, signal);
  return readText(answer);
}
