import type { HttpUpstream } from '../upstream.ts';
import { decodeOllamaResponse, decodeOllamaStream } from './decode-stream.ts';
import { encodeOllamaRequest } from './encode-request.ts';
import { OLLAMA_FATES } from './fates.ts';

/** A local Ollama, in its own protocol; it needs no key, but one in front of it or ollama.com may. */
export const ollamaUpstream: HttpUpstream = {
  defaultBaseUrl: 'http://127.0.0.1:11434',
  authorize: (key) => ({ authorization: `Bearer ${key}` }),
  fates: OLLAMA_FATES,
  encodeRequest: encodeOllamaRequest,
  decodeStream: (sink) => decodeOllamaStream(sink),
  decodeResponse: (body, sink) => decodeOllamaResponse(body, sink),
};
