import { userValue, writeUserValue } from '../settings/borrowed-settings.ts';
import { IGNORED, SETTING, type WrittenNote } from './put-into-text.ts';

/** Whether the setting stays out of Settings Sync. */
export function isIgnored(): boolean {
  return names().includes(SETTING);
}

/** Keeps it out by the editor's own way, for a file that cannot be had. */
export async function ignoreByEditor(): Promise<void> {
  if (!isIgnored()) await writeUserValue(IGNORED, [SETTING, ...names()]);
}

/** The note of what that changes, to be kept before. */
export function withIgnored(note: WrittenNote): WrittenNote {
  if (isIgnored()) return note;
  const before = userValue(IGNORED);
  const texts = {
    ...(before !== undefined && { before: JSON.stringify(before) }),
    after: JSON.stringify([SETTING, ...names()]),
  };
  return { ...note, texts: { ...note.texts, [IGNORED]: texts } };
}

/** Takes it off the list again where we put it there. */
export async function stopIgnoringByEditor({ texts }: WrittenNote): Promise<void> {
  const known = texts?.[IGNORED];
  if (known === undefined || !isIgnored()) return;
  const others = names().filter((name) => name !== SETTING);
  await writeUserValue(IGNORED, others.length === 0 && known.before === undefined ? undefined : others);
}

function names(): unknown[] {
  const found = userValue(IGNORED);
  return Array.isArray(found) ? found : [];
}
