import type { HttpUpstream } from '../upstream.ts';
import { decodeGeminiResponse, decodeGeminiStream } from './decode-stream.ts';
import { encodeGeminiRequest } from './encode-request.ts';

/** Google's Gemini API. Vertex AI speaks it too, behind a base address that ends in `/publishers/google`. */
export const geminiUpstream: HttpUpstream = {
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  authorize: (key) => ({ 'x-goog-api-key': key }),
  encodeRequest: encodeGeminiRequest,
  decodeStream: (sink) => decodeGeminiStream(sink),
  decodeResponse: (body, sink) => decodeGeminiResponse(body, sink),
};
