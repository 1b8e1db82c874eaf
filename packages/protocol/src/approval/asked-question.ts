import { isShellTool, isSubjectKnown, needsSubjects } from '../permission/subject-tools.ts';
import { unreadableText } from '../permission/unreadable-command.ts';
import type { SessionView } from '../hub/session-view.ts';
import type { Approval } from '../uap/approval.ts';
import type { ApprovalOption } from '../uap/content-block.ts';
import { visibleMarks } from './visible-marks.ts';

/** One thing that a person has to see before a yes. Its text is whole, and nothing in it is hidden. */
export interface AskedPart {
  type: 'title' | 'command' | 'field' | 'subject' | 'change' | 'reason';
  text: string;
  /** Of a field its name, of a change its file; of a file that a command reads or writes just that. */
  label?: string;
  /** Of a subject: why it is asked about. */
  why?: string;
  /** It explains or repeats: what would be done is told without it. */
  isAside?: true;
}

/** Everything that a question is about. */
export interface AskedQuestion {
  parts: readonly AskedPart[];
  /** Whether the parts say all that would be done. Where they do not, there is no yes beside them. */
  isWhole: boolean;
}

type Asking = Pick<Approval, 'title' | 'reason' | 'diffs' | 'call' | 'asked' | 'question' | 'toolUseId'>;

const COMMANDS: readonly string[] = ['command', 'cmd', 'script'];
/** Arguments that say what a change says better. */
const CHANGES: ReadonlySet<string> = new Set(
  'oldString newString old_string new_string content new_source patchText patch edits changes diff'.split(' '),
);

/** What a path is called that a command reads or writes. */
export const ASKED_FILE = 'file';

/** In a longer command nothing is looked for: what it has in common with the rest of the question is told twice. */
const MAX_SEARCHED = 20_000;

/**
 * What is asked, for every screen: the whole command, every argument, every subject that is asked about, every change.
 *
 * A screen that has no room for all of it offers no yes. What is shown is the input of the question itself and never what
 * a title makes of it, so that what is seen is what runs.
 */
export function askedAbout({
  title,
  reason = '',
  diffs = [],
  call,
  asked,
  question,
  toolUseId,
}: Asking): AskedQuestion {
  const fields = Object.entries(call?.input ?? {}).filter(([, value]) => value !== undefined);
  const [commandName, command] = commandIn(fields) ?? [];
  const head = plainlyShown(title).trim();
  const line = command !== undefined && command.length <= MAX_SEARCHED ? flat(command) : '';
  const heading = command === undefined ? titled(head) : headingOf(head, call?.name ?? '', line);
  const touched: NonNullable<Approval['asked']> = asked ?? question?.subjects ?? [];
  const tool = question?.tool ?? call?.name ?? '';
  const isShared = isForAll(reason, touched, line);
  const because = plainlyShown(reason).trim();
  const isCut = diffs.some(({ is_cut }) => is_cut === true);
  const isChangeTold = diffs.length > 0 && !isCut;
  const told = fields.flatMap(([name, value]): AskedPart[] => {
    if (name === commandName || (isChangeTold && CHANGES.has(name))) return [];
    const text = valueText(value);
    // A plan is an argument and the reason at once.
    if (text !== undefined && plainlyShown(text).trim() === because) return [];
    return text === undefined ? [] : [{ type: 'field', label: plainlyShown(name), text: plainlyShown(text) }];
  });
  const isReadable = fields.every(([, value]) => valueText(value) !== undefined);
  const changes = diffs.map(({ path, unified }): AskedPart => ({
    type: 'change',
    label: plainlyShown(path),
    text: shownChange(unified),
  }));
  const said = new Set([
    ...(heading.length === 0 || head.includes('\n') ? [] : [head, head.slice(head.indexOf(' ') + 1)]),
    ...told.map(({ text }) => text),
    ...changes.map(({ label }) => label!),
  ]);
  const whole = command?.trim();
  const subjects = touched.flatMap((subject): AskedPart[] => {
    const text = plainlyShown(
      subject.kind === 'command' ? (unreadableText(subject.value) ?? subject.value) : subject.value,
    );
    const why = isShared ? undefined : subject.reason;
    const isPiece = subject.kind === 'command' && line.includes(flat(text));
    const isSame = said.has(text) || text.trim() === whole;
    // What the agent did not tell apart itself is a piece of the command and no more.
    if ((isSame && (why === undefined || why === reason)) || (isPiece && why === undefined)) return [];
    const isAside = isSame || isPiece ? { isAside: true as const } : {};
    const label = subject.kind === 'path' && command !== undefined ? { label: ASKED_FILE } : {};
    return [{ type: 'subject', text, ...label, ...(why === undefined ? {} : { why: plainlyShown(why) }), ...isAside }];
  });
  const isTold = because === '' || subjects.some(({ why }) => why === because);
  // Of a call without arguments only the reason says what it does.
  const isWhy = fields.length > 0 && !fields.some(([, value]) => value === reason);
  const isChangeKnown = !isCut || fields.some(([name]) => CHANGES.has(name));
  // Of an edit its file is not all; of a command all the rest is nothing.
  const isSubjectAll = touched.length > 0 && tool !== 'edit';
  const isSomethingTold =
    fields.length === 0
      ? diffs.length > 0 || because !== '' || !needsSubjects(tool)
      : command !== undefined || tool.toLowerCase() !== 'bash';
  const isCallTold = call !== undefined || toolUseId === undefined;
  return {
    parts: [
      ...heading,
      ...(command === undefined ? [] : [{ type: 'command' as const, text: command }]),
      ...told.filter(({ text }) => heading.length === 0 || text === '' || head !== `${head.split(' ', 1)[0]} ${text}`),
      ...subjects,
      ...changes,
      ...(isTold ? [] : [{ type: 'reason' as const, text: because, ...(isWhy && { isAside: true as const }) }]),
    ],
    isWhole: isReadable && isChangeKnown && isCallTold && (isSubjectAll || isSomethingTold),
  };
}

/** Whether each part of a command is asked about, and all for this reason; it is told once then, and no part again. */
function isForAll(reason: string, asked: NonNullable<Approval['asked']>, line: string): boolean {
  if (asked.length === 0 || asked.some((subject) => subject.reason !== reason)) return false;
  const longestFirst = asked.map(({ value }) => flat(value)).toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, value) => left.replace(value, ''), line);
  return line !== '' && !/[\p{L}\p{N}]/u.test(rest);
}

/** The parts as one text; without `hasAsides` only what would be done. */
export function askedText(parts: readonly AskedPart[], { hasAsides = true, between = '\n' } = {}): string {
  return parts
    .filter(({ isAside }) => hasAsides || isAside !== true)
    .map(({ label, text, why }) => {
      const lead = label === undefined ? '' : text.includes('\n') ? `${label}:\n` : `${label}: `;
      return `${lead}${text}${why === undefined || !hasAsides ? '' : `\n${why}`}`;
    })
    .join(between);
}

/** Whether an option may be offered: where not all is shown, only a no. */
export function mayAnswer({ kind }: Pick<ApprovalOption, 'kind'>, isWhole: boolean): boolean {
  return isWhole || kind.startsWith('reject');
}

/** What "always" saves here, each in a line; nothing where only the agent itself remembers. */
export function savedRules({
  always = [],
  question,
  options,
}: Pick<Approval, 'always' | 'question' | 'options'>): string[] {
  if (question === undefined || !isSubjectKnown(question)) return [];
  if (!options.some(({ kind }) => kind.startsWith('allow'))) return [];
  return always.map(({ tool, kind, pattern }) => {
    const isFile = kind === 'path' && isShellTool(tool);
    return plainlyShown(isFile ? `${tool} (${ASKED_FILE}) ${pattern}` : `${tool} ${pattern}`);
  });
}

/** Whether the agent asks which answer is right, and not whether it may do something. */
export function isChoice({ options, allowsText }: Pick<Approval, 'options' | 'allowsText'>): boolean {
  return options.length === 0 ? allowsText === true : options.every(({ kind }) => kind === 'answer');
}

/** The question with the call that it is about, where only the session tells that: agents of other versions name it alone. */
export function knownCall<Asked extends Pick<Approval, 'call' | 'toolUseId'>>(
  approval: Asked,
  { messages }: Pick<SessionView, 'messages'>,
): Asked {
  if (approval.call !== undefined || approval.toolUseId === undefined) return approval;
  for (const { blocks } of messages.toReversed())
    for (const { block, isOpen } of blocks)
      if (block.type === 'tool_use' && block.id === approval.toolUseId && !isOpen)
        return { ...approval, call: { name: block.name, input: block.input } };
  return approval;
}

/** What is decided by: every mark that cannot be seen is shown, and so is what a terminal or a font would make of some. */
export function plainlyShown(text: string): string {
  return visibleMarks(text.replaceAll('\r', '\u240d'))
    .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800]/g, byNumber)
    .toWellFormed();
}

/** The same for a change; the ends of lines that Windows writes are no more than that. */
export function shownChange(unified: string): string {
  return visibleMarks(unified.replaceAll(/\r(?!\n)/g, '\u240d'));
}

function byNumber(mark: string): string {
  return `⟨U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

function commandIn(fields: readonly (readonly [string, unknown])[]): [name: string, command: string] | undefined {
  for (const name of COMMANDS) {
    const value = fields.find(([field]) => field === name)?.[1];
    if (typeof value === 'string' && value.trim() !== '') return [name, plainlyShown(value)];
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return [name, plainlyShown(value.map(quoted).join(' '))];
  }
  return undefined;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * The title, where it says more than the command below it: `bash npm test …` does not. Who runs a command elsewhere, such as
 * a tool of an MCP server, is always named.
 */
function headingOf(title: string, name: string, command: string): AskedPart[] {
  if (!isShellTool(name)) return titled(title.includes(name) ? title : `${plainlyShown(name)}: ${title}`);
  const [, lead = '', rest = ''] = /^(\S+?):? ([^]*)$/.exec(title) ?? [];
  const said = [title, isShellTool(lead) ? rest : ''].map((text) => flat(withoutDots(text)));
  return said.some((text) => text !== '' && command.startsWith(text)) ? [] : titled(title);
}

function titled(text: string): AskedPart[] {
  return [{ type: 'title', text }];
}

function withoutDots(title: string): string {
  return title.endsWith('…') ? title.slice(0, -1).trimEnd() : title;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Undefined where it is deeper than anybody can write down. */
function valueText(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  try {
    const line = JSON.stringify(value);
    return line.length <= 80 ? line : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}
