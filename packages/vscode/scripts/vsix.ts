import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packVsix } from './pack-vsix.ts';

/**
 * `npm run vsix`: packages/vscode/dragoman.vsix, ready to be installed. To be published, it needs `DRAGOMAN_REPOSITORY`, the
 * https address of the public repository, for the pictures of its README.
 */
const vsix = fileURLToPath(new URL('../dragoman.vsix', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dragoman-vsix-'));
try {
  const { bytes } = await packVsix({ folder, vsix, repository: process.env['DRAGOMAN_REPOSITORY'] });
  process.stderr.write(`dragoman: ${vsix}: ${(bytes / 1e6).toFixed(1)} MB\n`);
} catch (error) {
  process.stderr.write(`dragoman: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
