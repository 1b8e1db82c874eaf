import type { HubSession, PromptBlock } from '@dragoman/protocol';
import { plainLine } from '../note-text.ts';
import { whyReadOnly } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { expected } from './expected.ts';
import { followedSession, noSession } from './followed-session.ts';
import { lastList } from './last-list.ts';

const MOST = 10;
const BUTTONS_IN_ROW = 4;

/** Shows the prompts that wait, and takes them back. */
export async function queueCommand(talk: Talk, args: string): Promise<Reply> {
  const session = await followedSession(talk);
  if (session === undefined) return noSession(talk);
  if (args === '') return list(talk, session);
  const [, which] = /^(?:drop|withdraw|remove|撤回|撤销|取消|删除)\s*(\S+)$/i.exec(args) ?? [];
  return which === undefined ? expected(talk, 'queue') : drop(talk, session, which);
}

async function list(talk: Talk, session: HubSession): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language];
  const queued = await waiting(talk, session);
  if (queued.length === 0) return say(words.queueEmpty);
  const shown = queued.slice(0, MOST);
  const lines = shown.map(
    ({ text }, index) => `${index + 1}. ${plainLine(text === '' ? words.attachmentOnly : text, 120)}`,
  );
  if (queued.length > MOST) lines.push(`… ${queued.length - MOST}`);
  const buttons = shown.map(({ id }, index) => ({
    label: words.withdraw(index + 1),
    action: { type: 'command' as const, text: `/queue drop ${id}` },
  }));
  const rows = [];
  for (let index = 0; index < buttons.length; index += BUTTONS_IN_ROW)
    rows.push(buttons.slice(index, index + BUTTONS_IN_ROW));
  const isReadOnly = (await whyReadOnly(talk, session.runnerId)) !== undefined;
  return say(`${words.queue}\n\n${lines.join('\n')}`, isReadOnly ? [] : rows);
}

async function drop(talk: Talk, session: HubSession, which: string): Promise<Reply> {
  const words = COMMAND_WORDS[talk.language];
  await talk.acts.check('withdrawPrompt');
  const queued = await waiting(talk, session);
  const isAll = /^(?:all|全部|所有)$/i.test(which);
  const id = /^\d{1,3}$/.test(which) ? (await lastList(talk, '/queue drop')).get(String(Number(which))) : which;
  const dropped = isAll ? queued : queued.filter((prompt) => prompt.id === id);
  if (dropped.length === 0) return isAll ? say(words.queueEmpty) : tooLate(talk, session, { id, which });
  for (const prompt of dropped) await talk.acts.withdrawPrompt(session.id, prompt.id);
  return { ...say(words.dropped(dropped.length)), line: words.dropped(dropped.length) };
}

/** Says what became of a prompt that waits no more. */
async function tooLate(
  { ears, language }: Talk,
  session: HubSession,
  { id = '', which }: { id: string | undefined; which: string },
): Promise<Reply> {
  const words = COMMAND_WORDS[language];
  const row = await ears.parts.db
    .selectFrom('hub_prompts')
    .select('state')
    .where('session_id', '=', session.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined || row.state === 'queued')
    return say(words.notQueued(plainLine(which.startsWith('msg_') ? words.thatOne : which, 40)));
  if (row.state === 'withdrawn') return { ...say(words.droppedBefore), line: words.droppedBefore };
  const isRunning = row.state === 'sent' || session.status === 'running' || session.status === 'waiting';
  if (!isRunning) return { ...say(words.workedOn), line: words.workedOn };
  const stop = { label: words.stop, action: { type: 'command' as const, text: '/stop' } };
  return { ...say(words.beingWorkedOn, [[stop]]), line: words.beingWorkedOn };
}

async function waiting({ ears }: Talk, session: HubSession): Promise<{ id: string; text: string }[]> {
  const rows = await ears.parts.db
    .selectFrom('hub_prompts')
    .select(['id', 'content_json'])
    .where('session_id', '=', session.id)
    .where('state', '=', 'queued')
    .orderBy('created_at')
    .execute();
  return rows.map(({ id, content_json }) => {
    const content = JSON.parse(content_json) as PromptBlock[];
    return {
      id,
      text: content
        .map((block) => (block.type === 'text' ? block.text : ''))
        .join(' ')
        .trim(),
    };
  });
}
