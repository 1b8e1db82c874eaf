import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ToolError } from '../tool.ts';

/** The shell that commands are written for: `bash`, else `sh`, from the folders of `path`. */
export function findShell(path: string = process.env['PATH'] ?? ''): string {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  for (const name of ['bash', 'sh'])
    for (const folder of folders)
      for (const file of process.platform === 'win32' ? [join(folder, `${name}.exe`)] : [join(folder, name)])
        if (isProgram(file)) return file;
  throw new ToolError(
    `No shell was found: neither "bash" nor "sh" is in the folders of PATH (${folders.length} looked at). ` +
      'Commands cannot be run here; use the other tools, and ask the user to install bash or to set the shell.',
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
