import { type RipgrepRetrieval, retrieveByRipgrep } from './retrieve-by-ripgrep.ts';

const MAX_FOLDERS = 8;

/** One answer for each folder, one below the other; each says which folder it is about. */
export async function retrieveFromFolders({
  folders,
  ...retrieval
}: Omit<RipgrepRetrieval, 'root'> & { folders: readonly string[] }): Promise<string> {
  if (folders.length === 0) return 'codebase-retrieval (local rg): no folder is open in the editor';
  const answers: string[] = [];
  for (const root of folders.slice(0, MAX_FOLDERS)) answers.push(await retrieveByRipgrep({ ...retrieval, root }));
  const leftOut = folders.slice(MAX_FOLDERS);
  if (leftOut.length > 0) answers.push(`(not searched: ${leftOut.join(', ')})\n`);
  return answers.join('\n');
}
