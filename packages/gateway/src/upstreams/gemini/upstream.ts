import type { HttpUpstream } from '../upstream.ts';
import { decodeGeminiResponse, decodeGeminiStream } from './decode-stream.ts';
import { encodeGeminiRequest } from './encode-request.ts';
import { GEMINI_FATES } from './fates.ts';
import { contentPath } from './model-path.ts';

/** Google's Gemini API. Vertex AI speaks it too, behind a base address that ends in `/publishers/google`. */
export const geminiUpstream: HttpUpstream = {
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  relayPath: ({ model }, isStreamed) => contentPath(model, isStreamed),
  authorize: (key) => ({ 'x-goog-api-key': key }),
  fates: GEMINI_FATES,
  encodeRequest: encodeGeminiRequest,
  decodeStream: (sink) => decodeGeminiStream(sink),
  decodeResponse: (body, sink) => decodeGeminiResponse(body, sink),
};
