import { delimiter } from 'node:path';
import { findProgram } from '@dragoman/server/base';
import { ToolError } from '../tool.ts';

/** The shell that commands are written for: `bash`, else `sh`, from the folders of `path`. */
export function findShell(path: string = process.env['PATH'] ?? ''): string {
  const shell = findProgram('bash', path) ?? findProgram('sh', path);
  if (shell !== undefined) return shell;
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  throw new ToolError(
    `No shell was found: neither "bash" nor "sh" is in the folders of PATH (${folders.length} looked at). ` +
      'Commands cannot be run here; use the other tools, and ask the user to install bash or to set the shell.',
  );
}
