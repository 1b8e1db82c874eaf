import { changedJsonc, parseJsonc, readJsonc, Verbatim } from '../settings/edit-jsonc.ts';
import { isRecord, isSame, type MergeNote } from './merge-setting.ts';

/** The setting of the Augment extension that says where its server is. */
export const SETTING = 'augment.advanced';
/** The editor's list of settings that stay on this machine. */
export const IGNORED = 'settingsSync.ignoredSettings';

/** Each of the two settings as it stood in settings.json, and as we left it. What was not there has no text. */
type SettingTexts = Partial<Record<typeof SETTING | typeof IGNORED, { before?: string; after: string }>>;

/** What undoes both. */
export interface WrittenNote extends MergeNote {
  texts?: SettingTexts;
  /** The whole text, where it had no braces yet. */
  blank?: string;
  /** What the setting was where the file says it in other words: `"augment": { "advanced": … }` is the same to the editor. */
  elsewhere?: { value: unknown };
}

/**
 * Writes our fields into the text of a settings.json, each in its place, and keeps the setting out of Settings Sync: its
 * address and token mean nothing on another machine. Nothing where the text is no settings.json.
 *
 * Under its own name the setting replaces what the file says of it in other words, so that is taken over: only a setting that
 * stands under its own name stays out of Settings Sync.
 */
export function putIntoText(
  text: string,
  fields: Readonly<Record<string, unknown>>,
  earlier: WrittenNote | undefined,
  current: unknown,
): { text: string; note: Pick<WrittenNote, 'texts' | 'blank'> } | undefined {
  if (!isSettings(text)) return undefined;
  const found = readJsonc(text, SETTING);
  const isObject = found !== undefined && isRecord(parseJsonc(found));
  const base = found === undefined && isRecord(current) ? current : new Verbatim('{}');
  let changed = isObject ? text : changedJsonc(isBlank(text) ? withBraces(text) : text, SETTING, base);
  for (const [name, value] of Object.entries(fields))
    changed = changed === undefined ? undefined : changedJsonc(changed, [SETTING, name], value);
  const ignored = changed === undefined ? undefined : ignoreInText(changed);
  if (ignored === undefined) return undefined;
  const note = (name: keyof SettingTexts): SettingTexts => {
    const [before, after] = [readJsonc(text, name)?.text, readJsonc(ignored, name)?.text];
    const known = earlier?.texts?.[name];
    if (after === undefined || (known === undefined && after === before)) return {};
    if (known !== undefined && known.after === before) return { [name]: { ...known, after } };
    // Somebody wrote beside what is ours: the text before that is known no more, only the fields are.
    if (earlier !== undefined && before !== undefined && hasOurs(name, before, earlier))
      return known === undefined ? {} : { [name]: known };
    return { [name]: { ...(before !== undefined && { before }), after } };
  };
  const blank = isBlank(text) ? text : earlier?.blank;
  return {
    text: ignored,
    note: { texts: { ...note(SETTING), ...note(IGNORED) }, ...(blank !== undefined && { blank }) },
  };
}

/** The text with both settings as they were: to the letter where nobody else changed them, field by field where somebody did. */
export function takeOutOfText(text: string, note: WrittenNote): string | undefined {
  if (!isSettings(text)) return undefined;
  const advanced = restored(text, SETTING, note) ?? takeOutFields(text, note);
  if (advanced === undefined) return undefined;
  const changed = restored(advanced, IGNORED, note) ?? stopIgnoring(advanced, note);
  return note.blank !== undefined && changed === withBraces(note.blank) ? note.blank : changed;
}

/** Whether it is one to its last letter. A lone carriage return ends a line for the editor and for nobody else, so such a text is left to it. */
function isSettings(text: string): boolean {
  if (isBlank(text)) return true;
  if (/\r(?!\n)/.test(text)) return false;
  try {
    return isRecord(parseJsonc(new Verbatim(text.replace(/^\uFEFF/, ''))));
  } catch {
    return false;
  }
}

/** Whether there are only space and comments, which is a settings.json too. */
function isBlank(text: string): boolean {
  return !/\r(?!\n)/.test(text) && text.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, '').trim() === '';
}

/** On a line of their own, as a comment may reach to the end of the last one. */
function withBraces(blank: string): string {
  return `${blank}${/[^\s]$/.test(blank) ? '\n' : ''}{}`;
}

/** Nothing where the text is not as we left it. */
function restored(text: string, name: keyof SettingTexts, { texts }: WrittenNote): string | undefined {
  const known = texts?.[name];
  if (known === undefined || readJsonc(text, name)?.text !== known.after) return undefined;
  return changedJsonc(text, name, known.before === undefined ? undefined : new Verbatim(known.before));
}

function takeOutFields(text: string, { before, ours, whole, elsewhere }: WrittenNote): string | undefined {
  const found = readJsonc(text, SETTING);
  const current = found === undefined ? undefined : parseJsonc(found);
  if (!isRecord(current)) return text;
  let changed: string | undefined = text;
  for (const [name, was] of Object.entries(before).toReversed()) {
    if (!Object.hasOwn(current, name) || !(ours[name] ?? []).some((each) => isSame(each, current[name]))) continue;
    changed = changed === undefined ? undefined : changedJsonc(changed, [SETTING, name], was.value);
  }
  const left = changed === undefined ? undefined : readJsonc(changed, SETTING);
  if (changed === undefined || left === undefined) return changed;
  if (elsewhere !== undefined && isSame(parseJsonc(left), elsewhere.value))
    return changedJsonc(changed, SETTING, undefined);
  if (whole === undefined) return changed;
  return isSame(parseJsonc(left), {}) ? changedJsonc(changed, SETTING, whole.value) : changed;
}

/** In front of the others, where no comment of theirs is in the way. */
function ignoreInText(text: string): string | undefined {
  const found = readJsonc(text, IGNORED);
  const names = found === undefined ? undefined : parseJsonc(found);
  if (found === undefined || !Array.isArray(names)) return changedJsonc(text, IGNORED, [SETTING]);
  if (names.includes(SETTING)) return text;
  const ours = `[${JSON.stringify(SETTING)}${names.length === 0 ? '' : ', '}`;
  return changedJsonc(text, IGNORED, new Verbatim(found.text.replace('[', () => ours)));
}

function stopIgnoring(text: string, { texts }: WrittenNote): string | undefined {
  const found = readJsonc(text, IGNORED);
  const names = found === undefined ? undefined : parseJsonc(found);
  if (texts?.[IGNORED] === undefined || !Array.isArray(names)) return text;
  const others = names.filter((name) => name !== SETTING);
  const isEmpty = others.length === 0 && texts[IGNORED].before === undefined;
  return changedJsonc(text, IGNORED, isEmpty ? undefined : others);
}

function hasOurs(name: keyof SettingTexts, text: string, { ours }: WrittenNote): boolean {
  const value = parseJsonc(new Verbatim(text));
  if (name === IGNORED) return Array.isArray(value) && value.includes(SETTING);
  return isRecord(value) && Object.keys(ours).some((each) => ours[each]!.some((one) => isSame(one, value[each])));
}
