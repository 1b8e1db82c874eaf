import { DragomanError, type HubSession, type PromptBlock } from '@dragoman/protocol';
import { offerPlaces } from '../commands/offer-places.ts';
import { lastPlace } from '../commands/known-places.ts';
import type { Heard } from '../heard.ts';
import { plainLine } from '../note-text.ts';
import type { Note } from '../note.ts';
import { RoleError } from './act-as.ts';
import { awayLine } from './away-line.ts';
import { noteOwnPrompt, setSession } from './chat-store.ts';
import { derivedId } from './derived-id.ts';
import { whyNoPlace } from './machine-barred.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import { type Attached, readAttached } from './read-attached.ts';
import { showSession } from './show-session.ts';
import { NOTHING, type Reply, type Talk } from './talk.ts';

type Message = Extract<Heard, { type: 'message' }>;

/** The ids that a message has as a prompt, and the session that it begins where there is none. */
interface PromptIds {
  promptId: string;
  sessionId: string;
}

/**
 * Sends what a person wrote to the agent: of the session whose post they answered, else of the one the chat shows, else
 * of a new one where they worked last.
 */
export async function hearPrompt(talk: Talk, message: Message): Promise<Reply> {
  await talk.acts.check('sendPrompt');
  const names = [talk.place.channel, talk.place.chatId, message.messageId] as const;
  const ids: PromptIds = { promptId: derivedId('msg', ...names), sessionId: derivedId('ses', ...names) };
  const sessionId = talk.answers?.sessionId ?? talk.chat.session_id ?? undefined;
  if (await wasSent(talk, message, ids, sessionId)) return NOTHING;
  return sessionId === undefined ? startWith(talk, message, ids) : sendTo(talk, message, ids.promptId, sessionId);
}

/**
 * The process may have ended between storing the prompt and noting that it was heard. What was written down or fetched a
 * second time could differ, so it is not.
 */
async function wasSent(
  { ears, place, chat }: Talk,
  { messageId }: Message,
  ids: PromptIds,
  sessionId: string | undefined,
): Promise<boolean> {
  const { db, now } = ears.parts;
  const row = await db
    .selectFrom('hub_prompts')
    .select('session_id')
    .where('id', '=', ids.promptId)
    .where('session_id', 'in', [ids.sessionId, ...(sessionId === undefined ? [] : [sessionId])])
    .executeTakeFirst();
  if (row === undefined) return false;
  await noteOwnPrompt(db, place, { sessionId: row.session_id, promptId: ids.promptId, messageId });
  if (chat.session_id === null) await setSession(db, place, { sessionId: row.session_id, fromSeq: 0 }, now());
  ears.wake(place.chatId);
  return true;
}

async function sendTo(talk: Talk, message: Message, promptId: string, sessionId: string): Promise<Reply> {
  const { acts, ears, language, place, chat } = talk;
  const session = await acts.getSession(sessionId);
  const attached = await readAttached(ears, message.files, session, language);
  const prompt = toPrompt(message, attached);
  if (prompt === undefined) return { notes: problemNotes(attached) };
  const notes = problemNotes(attached);
  // Before it is sent: the chat that shows the session would tell it to who wrote it.
  await noteOwnPrompt(ears.parts.db, place, { sessionId, promptId, messageId: message.messageId });
  const { delivery } = await acts.sendPrompt(sessionId, { id: promptId, ...prompt });
  if (chat.session_id !== sessionId) {
    await showSession(talk, sessionId);
    notes.push({ text: PEOPLE_WORDS[language].switched(plainLine(session.title, 80)) });
  }
  if (delivery === 'queue') {
    // Of many prompts at once the note of the last one is enough, and of none once the agent has it.
    const about = { topic: 'queue', untilTaken: { sessionId, promptId } };
    notes.push(...(await waitNotes(talk, session, promptId)).map((note) => ({ ...note, ...about })));
  }
  return { notes };
}

/** What the sender should know where the agent does not begin at once. */
async function waitNotes({ ears, acts, language }: Talk, before: HubSession, promptId: string): Promise<Note[]> {
  const words = PEOPLE_WORDS[language];
  const { db } = ears.parts;
  const { away, turnId, status } = await acts.getSession(before.id);
  const rows = await db
    .selectFrom('hub_prompts')
    .select(['id', 'state'])
    .where('session_id', '=', before.id)
    .where('state', 'in', ['queued', 'sent'])
    .orderBy('created_at')
    .execute();
  const place = rows.filter(({ state }) => state === 'queued').findIndex(({ id }) => id === promptId);
  // The agent has it, and has not begun; it is before all that are queued.
  const sent = turnId === undefined ? rows.filter(({ state }) => state === 'sent').length : 0;
  const buttons = [[{ label: words.withdraw, action: { type: 'command' as const, text: `/queue drop ${promptId}` } }]];
  if (away !== undefined) {
    const isRunning = turnId !== undefined;
    const stop = { label: words.stop, action: { type: 'command' as const, text: '/stop' } };
    const move = { label: words.move, action: { type: 'command' as const, text: '/move' } };
    const text = awayLine({ ears, language }, away, { isRunning, effect: words.queuedAway });
    return [{ text, buttons: [...buttons, isRunning ? [stop, move] : [move]] }];
  }
  if (place === -1) return [];
  if (place + sent > 0) return [{ text: words.queuedBehind(place + sent), buttons }];
  if (turnId !== undefined) return [{ text: words.queuedNext, buttons }];
  // An agent that is ready and has nothing to do takes it up now.
  return status === 'idle' ? [] : [{ text: words.queuedStart, buttons }];
}

async function startWith(talk: Talk, message: Message, ids: PromptIds): Promise<Reply> {
  const { acts, ears, language, place } = talk;
  const words = PEOPLE_WORDS[language];
  const known = await lastPlace(talk);
  if (known === undefined) return offerInstead(talk, message, []);
  const attached = await readAttached(ears, message.files, known.taker, language);
  const prompt = toPrompt(message, attached);
  if (prompt === undefined) return { notes: problemNotes(attached) };
  const { agent, folder, runnerId } = known;
  try {
    await acts.createSession({
      id: ids.sessionId,
      agent,
      folder,
      runnerId,
      prompt: { id: ids.promptId, ...prompt },
    });
  } catch (error) {
    if (!(error instanceof DragomanError) || error instanceof RoleError || ears.signal.aborted) throw error;
    return offerInstead(talk, message, [{ text: words.lastPlaceFailed(plainLine(error.message, 300)) }]);
  }
  const { sessionId, promptId } = ids;
  await noteOwnPrompt(ears.parts.db, place, { sessionId, promptId, messageId: message.messageId });
  await setSession(ears.parts.db, place, { sessionId, fromSeq: 0 }, ears.parts.now());
  ears.wake(place.chatId);
  const text = words.startedAgain(plainLine(agent, 60), plainLine(folder, 120), plainLine(known.machine, 60));
  const buttons = [[{ label: words.elsewhere, action: { type: 'command' as const, text: '/switch' } }]];
  return { notes: [...problemNotes(attached), { text, buttons }] };
}

async function offerInstead(talk: Talk, { text, files }: Message, notes: readonly Note[]): Promise<Reply> {
  const words = PEOPLE_WORDS[talk.language];
  const offer = await offerPlaces(talk, text);
  if (offer === undefined) return { notes: [...notes, { text: await whyNoPlace(talk) }] };
  const heading = files.length === 0 ? words.choosePlace : `${words.choosePlace} ${words.choosePlaceFiles}`;
  return { notes: [...notes, { text: heading, buttons: offer }] };
}

function problemNotes({ problems }: Attached): Note[] {
  return problems.length === 0 ? [] : [{ text: problems.join('\n\n') }];
}

/** Nothing where there is nothing left to send. */
function toPrompt(
  { text }: Message,
  { words, content }: Attached,
): { text: string; content: PromptBlock[] } | undefined {
  const said = [text, ...words].filter((one) => one.trim() !== '').join('\n\n');
  return said === '' && content.length === 0 ? undefined : { text: said, content };
}
