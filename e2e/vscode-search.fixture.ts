import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files below these folders that hold a text, in any of the forms in which it could lie there unseen. */
export function filesWith(text: string, folders: readonly string[]): string[] {
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le'), ...base64Forms(text)];
  return folders.flatMap(filesBelow).filter((path) => {
    const content = orGone(() => readFileSync(path));
    return content !== undefined && forms.some((form) => content.includes(form));
  });
}

/** Every file of a folder with its content, to be compared with what it was. */
export function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder).map((path) => [path, orGone(() => readFileSync(path, 'base64')) ?? 'gone']),
  );
}

/** As base64 it looks different at each of the three places it can begin. */
function base64Forms(text: string): Buffer[] {
  return ['', 'x', 'xx'].map((before) => {
    const whole = Buffer.from(before + text).toString('base64');
    return Buffer.from(whole.slice(before === '' ? 0 : 4, Math.floor((before.length + text.length) / 3) * 4));
  });
}

/** Editor and browser are at work in these folders: what is listed may be gone a moment later. */
function filesBelow(folder: string): string[] {
  const entries: Dirent[] = orGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function orGone<Content>(look: () => Content): Content | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
