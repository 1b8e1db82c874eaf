import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { bundleServer } from '../packages/vscode/scripts/bundle-server.ts';

/** Bundles the program once for all end-to-end tests, as it is shipped with the editor's extension. */
export default async function setup(): Promise<void> {
  const folder = join(import.meta.dirname, '../node_modules/.cache/program');
  await bundleServer(folder);
  process.env['DRAGOMAN_PROGRAM'] = join(folder, 'dragoman.js');
  process.env['DRAGOMAN_RIPGREP'] ??= rgPath; // The editor brings one along, too.
}
