import type { PermissionSubject } from '@dragoman/protocol';
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
  /** What is not allowed already. */
  subjects: readonly PermissionSubject[];
  /** Unified, of a change. */
  diff?: string;
}

interface LineContext {
  paint: Paint;
  width: number;
}

/** Of a long text the beginning and the end are shown, and how much is between. */
interface Ends {
  head: number;
  tail: number;
}
const COMMAND_ENDS: Ends = { head: 80, tail: 20 };
const SUBJECT_ENDS: Ends = { head: 20, tail: 10 };
/** Of those that destroy nothing. */
const MAX_SUBJECTS = 20;

/**
 * Everything that decides, in lines: the whole command, each part of it that is not allowed already, and what would change.
 * Nothing that destroys is left out, however much there is.
 */
export function questionLines(question: QuestionSubject, context: LineContext): string[] {
  const { title, reason, command, subjects, diff } = question;
  const { paint, width } = context;
  const told = cleanLine(title);
  const head = wrapText(told, width, '? ').map((line) => paint(['bold', 'yellow'], line));
  const why = reason.trim() === '' ? [] : wrapText(cleanLine(reason), width, '  ').map((line) => paint('dim', line));
  const isCommandTold = command === undefined || told.endsWith(` ${cleanText(command).trim()}`);
  const text = isCommandTold ? [] : bounded(markedLines('  $ ', command.trim(), width), COMMAND_ENDS, paint);
  const [only, ...others] = subjects;
  const isSubjectTold =
    only !== undefined &&
    others.length === 0 &&
    (command === undefined ? told.endsWith(` ${only.value}`) : only.value === command.trim());
  const change = diff === undefined ? [] : changeLines(diff, context);
  return [...head, ...why, ...text, ...(isSubjectTold ? [] : subjectsLines(subjects, command, context)), ...change];
}

function changeLines(diff: string, { paint, width }: LineContext): string[] {
  return showDiff(diff, { paint, width: width - 2, isWhole: true }).map((line) => `  ${line}`);
}

function subjectsLines(
  subjects: readonly PermissionSubject[],
  command: string | undefined,
  { paint, width }: LineContext,
): string[] {
  const isGrave = ({ kind, value }: PermissionSubject) => kind === 'command' && isDestructive(value);
  let room = MAX_SUBJECTS;
  const shown = subjects.filter((subject) => isGrave(subject) || room-- > 0);
  const left = subjects.length - shown.length;
  const lines = shown.flatMap((subject) => {
    const own = bounded(markedLines(SUBJECT_MARKS[subject.kind], subject.value, width), SUBJECT_ENDS, paint);
    return isGrave(subject) ? own.map((line) => paint('red', line)) : own;
  });
  return [
    ...(command === undefined || shown.length === 0 ? [] : [paint('dim', '  not allowed already:')]),
    ...lines,
    ...(left > 0 ? [paint('yellow', `  … ${left} more …`)] : []),
  ];
}

const SUBJECT_MARKS: Record<PermissionSubject['kind'], string> = {
  command: '  $ ',
  path: '  ',
  host: '  ',
  name: '  ',
};

function markedLines(mark: string, text: string, width: number): string[] {
  return cleanText(text)
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line, index) => breakLine(line, width, index === 0 ? mark : ' '.repeat(mark.length)));
}

function bounded(lines: string[], { head, tail }: Ends, paint: Paint): string[] {
  const left = lines.length - head - tail;
  if (left <= 1) return lines;
  return [...lines.slice(0, head), paint('yellow', `  … ${left} more lines …`), ...lines.slice(-tail)];
}
