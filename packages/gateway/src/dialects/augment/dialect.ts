import type { Dialect } from '../dialect.ts';
import type { AugmentContext } from './decode-request.ts';
import { encodeAugmentError } from './encode-error.ts';
import { encodeAugmentResponse } from './encode-response.ts';
import { encodeAugmentStream } from './encode-stream.ts';
import { AUGMENT_SETTING_NAMES } from './setting-names.ts';

/** The protocol of Augment's clients. */
export const augmentDialect: Dialect<AugmentContext> = {
  name: 'augment',
  settingNames: AUGMENT_SETTING_NAMES,
  streamHeaders: {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-content-type-options': 'nosniff',
  },
  encodeStream: encodeAugmentStream,
  encodeResponse: encodeAugmentResponse,
  encodeError: encodeAugmentError,
};
