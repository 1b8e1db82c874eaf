import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { editConfig, parseJsoncDocument } from '@dragoman/server/beside';
import { PROVIDER } from '../settings/server-settings.ts';
import { serverWords } from './server-words.ts';

/** What the settings panel decides; the rest of the file is whatever the person wrote there, or set in the console. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  providers: [PROVIDER],
  routes: ['default', '*'],
  retrieval: ['engine', 'editorFolders'],
  augment: ['systemPromptBase', 'baseUrl', 'token'],
};

/**
 * Puts what the settings panel says into the server's configuration file. No key is in it, and yet it is for one person
 * alone. A file that cannot be changed without loss is refused and left as it is.
 */
export async function writeConfiguration(file: string, configuration: object): Promise<void> {
  const before = await readText(file);
  const text = changeConfiguration(file, before ?? '', configuration);
  // A disk that is full has room for what is there already.
  if (text === before) return chmod(file, 0o600);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // A server that reads it at this moment gets the old one or the new one, never half of one.
  const fresh = `${file}.${randomUUID()}`;
  try {
    await writeFile(fresh, text, { mode: 0o600 });
    await chmod(fresh, 0o600);
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new DragomanError('data-folder', serverWords.now().configurationUnwritten(file, why), { cause: error });
  }
}

/** What the panel decides is replaced, or gone where it says nothing of it; everything else stays, to the letter. */
export function changeConfiguration(file: string, text: string, given: object): string {
  const [problem] = parseJsoncDocument(text, file).problems;
  if (problem !== undefined) throw refusal(file, describe(problem));
  const sections = new Map<string, unknown>(Object.entries(given));
  const changes = [...new Set([...Object.keys(OWN), ...sections.keys()])].flatMap((section) => {
    const values = new Map<string, unknown>(Object.entries((sections.get(section) as object | undefined) ?? {}));
    const names = new Set([...(OWN[section] ?? []), ...values.keys()]);
    return [...names].map((name) => ({ path: [section, name], value: values.get(name) }));
  });
  try {
    return editConfig(text, changes);
  } catch (error) {
    throw refusal(file, error instanceof Error ? error.message : String(error));
  }
}

function describe({ place, message }: ReturnType<typeof parseJsoncDocument>['problems'][number]): string {
  return 'line' in place ? `line ${place.line}, column ${place.column}: ${message}` : message;
}

function refusal(file: string, why: string): DragomanError {
  return new DragomanError('config-invalid', serverWords.now().configurationKept(file, why));
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
