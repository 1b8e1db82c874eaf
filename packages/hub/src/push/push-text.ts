import { type PushPayload, visibleMarks } from '@dragoman/protocol';
import type { PushNote } from './push-note.ts';

type Language = PushPayload['language'];

/**
 * What a person is told of a call at most, in columns: it may stand on a locked screen, and phones and desktops cut what is
 * longer without a word.
 */
const CALL_COLUMNS = 80;
const TITLE_CHARS = 120;
const ID_CHARS = 100;

const WORDS: Record<Language, Record<PushPayload['kind'], (what: string) => string>> = {
  en: {
    approval: (what) => `Wants to run: ${what}`,
    failed: () => 'The turn failed.',
    finished: () => 'Finished.',
    test: () => 'Notifications work.',
  },
  zh: {
    approval: (what) => `请求执行：${what}`,
    failed: () => '这一轮失败了。',
    finished: () => '已完成。',
    test: () => '通知功能正常。',
  },
};

/** What is shown of something in a session: its title and what it is about, nothing that was said. */
export function pushText(note: PushNote, session: { id: string; title: string }, language: Language): string {
  const what = note.kind === 'approval' ? (wholeCall(note) ?? shortened(note.title, CALL_COLUMNS)) : '';
  const payload: PushPayload = {
    kind: note.kind,
    title: shortened(session.title, TITLE_CHARS),
    body: WORDS[language][note.kind](what),
    url: `/sessions/${session.id}`,
    tag: session.id,
    language,
    sessionId: session.id,
    ...(note.kind === 'approval' && answerable(note)),
  };
  return JSON.stringify(payload);
}

type ApprovalNote = Extract<PushNote, { kind: 'approval' }>;

/** All that would be done, where it fits. */
function wholeCall({ whole }: ApprovalNote): string | undefined {
  return whole === undefined || whole === '' || columnsOf(whole) > CALL_COLUMNS ? undefined : whole;
}

/** A sign that is no letter of Latin, Greek or Cyrillic may take two columns. */
function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, sign) => sum + (sign.codePointAt(0)! < 0x1100 ? 1 : 2), 0);
}

/**
 * Agents name their questions and options as they like; what does not fit is answered in the console. A yes goes only with
 * all that it allows: beside a text that was cut there is a no, and the way to the session.
 */
function answerable(note: ApprovalNote): Pick<PushPayload, 'approval'> {
  const { approvalId, allow, reject } = note;
  if ([approvalId, allow, reject].some((id) => id !== undefined && id.length > ID_CHARS)) return {};
  const isWhole = wholeCall(note) !== undefined;
  const options = { ...(allow !== undefined && isWhole && { allow }), ...(reject !== undefined && { reject }) };
  return { approval: { id: approvalId, ...options } };
}

/** What is shown when a person tries it out. */
export function testText(language: Language): string {
  const payload: PushPayload = {
    kind: 'test',
    title: 'Dragoman',
    body: WORDS[language].test(''),
    url: '/settings?tab=notifications',
    tag: 'test',
    language,
  };
  return JSON.stringify(payload);
}

/** On one line, and never half of a character. */
function shortened(text: string, chars: number): string {
  const line = visibleMarks(text).replaceAll(/\s+/gu, ' ').trim();
  return line.length <= chars
    ? line
    : `${line
        .slice(0, chars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/u, '')
        .trimEnd()}…`;
}
