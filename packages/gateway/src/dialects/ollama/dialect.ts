import type { Dialect } from '../dialect.ts';
import type { OllamaContext } from './decode-request.ts';
import { encodeOllamaError } from './encode-error.ts';
import { encodeOllamaResponse } from './encode-response.ts';
import { encodeOllamaStream } from './encode-stream.ts';
import { OLLAMA_SETTING_NAMES } from './setting-names.ts';

/** Ollama's own protocol, as its clients speak it. */
export const ollamaDialect: Dialect<OllamaContext> = {
  name: 'ollama',
  settingNames: OLLAMA_SETTING_NAMES,
  streamHeaders: {
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-content-type-options': 'nosniff',
  },
  eventGap: '\n',
  encodeStream: encodeOllamaStream,
  encodeResponse: encodeOllamaResponse,
  encodeBreak: (error) => `${JSON.stringify(encodeOllamaError(error))}\n`,
  encodeError: encodeOllamaError,
};
