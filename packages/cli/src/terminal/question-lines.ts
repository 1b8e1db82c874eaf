import { type AskedPart, inWrittenOrder, type PermissionSubject, plainlyShown, shownChange } from '@dragoman/protocol';
import { cleanLine, cleanText } from './clean-text.ts';
import { isDestructive } from './is-destructive.ts';
import type { Paint } from './paint.ts';
import { showDiff } from './show-diff.ts';
import { breakLine, wrapText } from './wrap-text.ts';

/** What a question is about. */
export interface QuestionSubject {
  title: string;
  /** Why it is asked. */
  reason: string;
  /** Whole, with all its lines, where a command is asked about. */
  command?: string;
  /** Its other arguments, each by its name. */
  fields?: readonly Pick<AskedPart, 'label' | 'text'>[];
  /** What is not allowed already, and why. */
  subjects: readonly (PermissionSubject & { reason?: string })[];
  /** Unified, of a change. */
  diff?: string;
}

interface LineContext {
  paint: Paint;
  width: number;
}

/**
 * Everything that decides, in lines: the whole command, its other arguments, each part of it that is not allowed already,
 * and what would change. Nothing is left out, however much there is, and no word is drawn in the place of another.
 */
export function questionLines(question: QuestionSubject, context: LineContext): string[] {
  const { title, reason, command, fields = [], subjects, diff } = question;
  const { paint, width } = context;
  const told = cleanLine(plainlyShown(title));
  const head = wrapText(told, width, '? ').map((line) => paint(['bold', 'yellow'], line));
  const why = reason.trim() === '' ? [] : reasonLines(reason, width, '  ', paint);
  const isCommandTold = command === undefined || told.endsWith(` ${plainlyShown(command).trim()}`);
  const text = isCommandTold ? [] : markedLines('  $ ', command.trim(), width);
  const others = fields.flatMap(({ label, text: value }) => markedLines(`  ${cleanLine(label ?? '')}: `, value, width));
  const [only, ...more] = subjects;
  const isSubjectTold =
    only !== undefined &&
    more.length === 0 &&
    (command === undefined ? told.endsWith(` ${only.value}`) : only.value === command.trim());
  const change = diff === undefined ? [] : changeLines(diff, context);
  const asked = isSubjectTold ? [] : subjectsLines(question, context);
  return [...head, ...why, ...text, ...others, ...asked, ...change].map(inWrittenOrder);
}

function changeLines(diff: string, { paint, width }: LineContext): string[] {
  return showDiff(shownChange(diff), { paint, width: width - 2, isWhole: true }).map((line) => `  ${line}`);
}

function subjectsLines({ subjects, command, reason }: QuestionSubject, { paint, width }: LineContext): string[] {
  const lines = subjects.flatMap(({ kind, value, reason: own = reason }) => {
    const marked = markedLines(SUBJECT_MARKS[kind], value, width);
    const shown = kind === 'command' && isDestructive(value) ? marked.map((line) => paint('red', line)) : marked;
    return own === reason ? shown : [...shown, ...reasonLines(own, width, '    ', paint)];
  });
  return [...(command === undefined || lines.length === 0 ? [] : [paint('dim', '  needs approval:')]), ...lines];
}

const SUBJECT_MARKS: Record<PermissionSubject['kind'], string> = {
  command: '  $ ',
  path: '  ',
  host: '  ',
  name: '  ',
};

function reasonLines(reason: string, width: number, indent: string, paint: Paint): string[] {
  return wrapText(cleanLine(plainlyShown(reason)), width, indent).map((line) => paint('dim', line));
}

function markedLines(mark: string, text: string, width: number): string[] {
  return cleanText(plainlyShown(text))
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line, index) => breakLine(line, width, index === 0 ? mark : ' '.repeat(mark.length)));
}
