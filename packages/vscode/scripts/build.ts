import { fileURLToPath } from 'node:url';
import { bundleExtension } from './bundle-extension.ts';
import { bundleServer } from './bundle-server.ts';

/** `node build.ts extension` builds the extension alone, for a quick try; without a word, the server too. */
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
await bundleExtension(`${dist}extension.cjs`);
if (process.argv[2] !== 'extension') await bundleServer(`${dist}server`);
