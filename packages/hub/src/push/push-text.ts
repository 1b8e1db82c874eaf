import type { PushPayload } from '@dragoman/protocol';
import type { PushNote } from './push-note.ts';

type Language = PushPayload['language'];

/** What a person is told of a call at most; it may stand on a locked screen. */
const CALL_CHARS = 80;
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
  const what = note.kind === 'approval' ? shortened(note.title, CALL_CHARS) : '';
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

/** Agents name their questions and options as they like; what does not fit is answered in the console. */
function answerable({
  approvalId,
  allow,
  reject,
}: Extract<PushNote, { kind: 'approval' }>): Pick<PushPayload, 'approval'> {
  if ([approvalId, allow, reject].some((id) => id !== undefined && id.length > ID_CHARS)) return {};
  const options = { ...(allow !== undefined && { allow }), ...(reject !== undefined && { reject }) };
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
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= chars
    ? line
    : `${line
        .slice(0, chars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/u, '')
        .trimEnd()}…`;
}
