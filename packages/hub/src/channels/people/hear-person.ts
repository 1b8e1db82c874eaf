import type { Channel } from '../channel.ts';
import { parseCommand } from '../commands/parse-command.ts';
import { greet, isAgentCommand, runCommand } from '../commands/run-command.ts';
import type { Heard, PressAnswer } from '../heard.ts';
import type { Note } from '../note.ts';
import { addNote, findPostByMessage } from '../post-store.ts';
import { actAs } from './act-as.ts';
import { type BoundUser, findBound } from './bindings.ts';
import { chatOfHeard } from './chat-of-heard.ts';
import { type ChatRow, closeChat } from './chat-store.ts';
import { causeOf, ComeAgain } from './come-again.ts';
import { explainFailure } from './explain-failure.ts';
import { answeredApproval, hearAnswer } from './hear-answer.ts';
import { hearEdit } from './hear-edit.ts';
import { forgetHeard, noteHeard, wasHeard } from './heard-store.ts';
import { hearPress } from './hear-press.ts';
import { hearPrompt } from './hear-prompt.ts';
import { hearInWaitingGroup, hearStranger } from './hear-stranger.ts';
import { moveChat } from './move-chat.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import { type Ears, NOTHING, type Reply, type Talk } from './talk.ts';

export type { Ears } from './talk.ts';

/** A press is answered within this time; what takes longer goes on, and is told of by a note. */
const PRESS_MS = 2_000;
const FORGET_EVERY_MS = 10 * 60_000;

/** What happens in a chat as it is. */
type HeardHere = Exclude<Heard, { type: 'moved' | 'edited' }>;

/** What one channel of this process is busy with. */
interface Hearing {
  /** By the id of what is heard: what is told again meanwhile is the same. */
  running: Map<string, Promise<PressAnswer | undefined>>;
  /** The last message of each chat, for the next one to wait for: an image must not be overtaken by the words behind it. */
  last: Map<string, Promise<unknown>>;
  forgotAt: number;
  /** What failed and is told again. */
  comeAgain: ComeAgain;
}

const hearings = new WeakMap<Channel, Hearing>();

/**
 * Takes what a person did in a chat. Resolves once it is stored or refused, with what a press is answered with; rejects
 * where it should be told again: with an error that is retryable where the store takes nothing.
 *
 * What is heard twice counts once: prompts and sessions have ids that follow from the message, and that something was
 * heard is noted together with what is said about it, after everything else.
 */
export function hearPerson(ears: Ears, heard: Heard): Promise<PressAnswer | undefined> {
  const hearing = hearingOf(ears.channel.open);
  const known = hearing.running.get(heard.id);
  if (known !== undefined) return known;
  const isInLine = heard.type === 'edited' || (heard.type === 'message' && !isUrgent(heard.text));
  const before = isInLine ? hearing.last.get(heard.chat.chatId) : undefined;
  const work = (async () => {
    await before?.catch(() => {});
    try {
      return await hearOnce(ears, withoutZeros(heard));
    } catch (error) {
      ears.signal.throwIfAborted();
      throw await causeOf(storeOf(ears), error);
    }
  })();
  hearing.running.set(heard.id, work);
  if (isInLine) hearing.last.set(heard.chat.chatId, work);
  const over = () => {
    hearing.running.delete(heard.id);
    if (hearing.last.get(heard.chat.chatId) === work) hearing.last.delete(heard.chat.chatId);
  };
  work.then(over, over);
  return heard.type === 'press' ? inTime(ears, work, heard) : work;
}

/** What an agent waits for, or should stop at, does not wait for a voice message to be written down. */
function isUrgent(text: string): boolean {
  const command = parseCommand(text);
  return command?.type === 'command' && ['stop', 'approve', 'deny'].includes(command.name);
}

function hearingOf(channel: Channel): Hearing {
  let hearing = hearings.get(channel);
  if (hearing === undefined) {
    hearing = { running: new Map(), last: new Map(), forgotAt: 0, comeAgain: new ComeAgain() };
    hearings.set(channel, hearing);
  }
  return hearing;
}

async function inTime(
  { clock, signal }: Ears,
  work: Promise<PressAnswer | undefined>,
  heard: Heard,
): Promise<PressAnswer | undefined> {
  const { pressLater } = PEOPLE_WORDS[heard.person.language ?? 'en'];
  const over = new AbortController();
  const late = clock.wait(PRESS_MS, AbortSignal.any([signal, over.signal])).then(
    () => ({ text: pressLater, isRefused: false }),
    () => work, // The work ends with the same signal.
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

function storeOf({ parts, channel }: Ears) {
  return { db: parts.db, channel: channel.name, now: parts.now() };
}

async function hearOnce(ears: Ears, heard: Heard): Promise<PressAnswer | undefined> {
  if (heard.type === 'moved') return hearMove(ears, heard);
  if (heard.type === 'edited') return hearEdit(ears, heard);
  // In a group people also talk with one another.
  if (heard.type === 'message' && !heard.isForUs && !(await answeredPost(ears, heard.chat.chatId, heard)))
    return undefined;
  const { db } = ears.parts;
  const channel = ears.channel.name;
  if (await wasHeard(db, channel, heard.id)) return undefined;
  const user = await findBound(db, { channel, accountId: heard.person.accountId }, ears.parts.now());
  const chat = await chatOfHeard(ears, heard, user);
  if (chat === undefined) {
    const text = PEOPLE_WORDS[user?.language ?? heard.person.language ?? 'en'].pressOld;
    return heard.type === 'press' ? { text, isRefused: true } : undefined;
  }
  const startedAt = ears.clock.now();
  const reply = await replyTo(ears, chat, user, heard);
  // Why a press is refused is told by the line that answers it, if that can still be read.
  const isToldByLine = heard.type === 'press' && reply.isRefused === true && ears.clock.now() - startedAt < PRESS_MS;
  // Who is not known is told nothing of a session, so that it may be said to anyone.
  const isForAnyone = user === undefined || chat.state !== 'open' ? { isForAnyone: true as const } : {};
  const notes = isToldByLine ? [] : reply.notes.map((note) => ({ ...note, ...isForAnyone }));
  await keepReply(ears, chat, heard, notes);
  return toPressAnswer(heard, reply, PEOPLE_WORDS[chat.language].pressDone);
}

/** A chat is another one now. It is told of by each of the two and by whoever writes to the old one; each may find more to move. */
async function hearMove({ parts, channel, wake }: Ears, heard: Extract<Heard, { type: 'moved' }>): Promise<undefined> {
  const { chatId } = heard.chat;
  const moved = await moveChat(parts.db, { channel: channel.name, chatId }, heard.to, parts.now());
  for (const each of moved) for (const id of [each.from, each.to]) wake(id);
}

/** What comes of it. What people can be told of is told; what they cannot is written down, without what was said. */
async function replyTo(ears: Ears, chat: ChatRow, user: BoundUser | undefined, heard: HeardHere): Promise<Reply> {
  try {
    return await react(ears, chat, user, heard);
  } catch (error) {
    ears.signal.throwIfAborted();
    const told = explainFailure(error, chat.language);
    if (told !== undefined) return told;
    await rejectIfAgain(ears, heard, error);
    const { parts, channel } = ears;
    parts.logger.warn(
      { err: error, channel: channel.name, chatId: chat.chat_id, heardId: heard.id },
      'could not handle a chat message',
    );
    const text = PEOPLE_WORDS[chat.language].unexpected;
    return { notes: [{ text }], line: text, isRefused: true };
  }
}

/** A press is not tried again by itself: who pressed is told, and sees the button. */
async function rejectIfAgain(ears: Ears, heard: Heard, error: unknown): Promise<void> {
  if (heard.type !== 'press') return hearingOf(ears.channel.open).comeAgain.check(storeOf(ears), heard.id, error);
  const cause = await causeOf(storeOf(ears), error);
  if (cause.isRetryable) throw cause;
}

async function react(ears: Ears, chat: ChatRow, user: BoundUser | undefined, heard: HeardHere): Promise<Reply> {
  const { db, now } = ears.parts;
  const place = { channel: ears.channel.name, chatId: chat.chat_id };
  if (heard.type === 'left') {
    await closeChat(db, place, PEOPLE_WORDS[chat.language].left, now());
    return NOTHING;
  }
  if (chat.state !== 'open') return hearInWaitingGroup(ears, chat, heard);
  if (user === undefined)
    return heard.type === 'joined' && chat.kind === 'group' ? NOTHING : hearStranger(ears, chat, heard);
  const talk = await talkOf(ears, chat, user, heard);
  switch (heard.type) {
    case 'joined':
      // Who is known and lets us in again asked for nothing.
      return chat.kind === 'private' ? NOTHING : greet(talk);
    case 'press':
      return hearPress(talk, heard);
    case 'message':
      return hearMessage(talk, heard);
  }
}

/** A command, an answer to a question, or a prompt. What starts like a command of ours may be one of the agent's own. */
async function hearMessage(talk: Talk, message: Extract<Heard, { type: 'message' }>): Promise<Reply> {
  if (message.text.trim() === '' && message.files.length === 0) return NOTHING; // A sticker, or what else says nothing.
  const command = parseCommand(message.text);
  if (command !== undefined && !(await isAgentCommand(talk, command))) return runCommand(talk, command);
  const approval = await answeredApproval(talk);
  if (approval !== undefined && message.files.length === 0) return hearAnswer(talk, approval, message.text);
  return hearPrompt(talk, message);
}

async function talkOf(ears: Ears, chat: ChatRow, user: BoundUser, heard: Heard): Promise<Talk> {
  const { parts, search, channel, signal } = ears;
  const place = { channel: channel.name, chatId: chat.chat_id };
  return {
    ears,
    place,
    chat,
    accountId: heard.person.accountId,
    accountName: heard.person.name,
    user,
    acts: actAs({ parts, search, channel: channel.name, userId: user.userId, madeBy: user.madeBy, signal }),
    language: chat.language,
    heardId: heard.id,
    messageId: heard.type === 'message' ? heard.messageId : undefined,
    answers: await answeredPost(ears, chat.chat_id, heard),
  };
}

/** The post of ours that a message is a reply to, whichever process posted it. */
async function answeredPost({ parts, channel }: Ears, chatId: string, heard: Heard) {
  if (heard.type !== 'message' || heard.replyTo === undefined) return undefined;
  return findPostByMessage(parts.db, channel.name, chatId, heard.replyTo);
}

/** Notes that it was heard, and what is to be said about it, both or neither. */
async function keepReply(ears: Ears, chat: ChatRow, heard: Heard, notes: readonly Note[]): Promise<void> {
  const { db, now } = ears.parts;
  const channel = ears.channel.name;
  const place = { channel, chatId: chat.chat_id };
  // In a group it should be seen who is answered.
  const replyTo = heard.type === 'message' && chat.kind === 'group' ? { replyTo: heard.messageId } : {};
  await db.transaction().execute(async (transaction) => {
    if (!(await noteHeard(transaction, channel, heard.id, now()))) return;
    for (const note of notes) await addNote(transaction, place, { ...replyTo, ...note }, now());
  });
  if (notes.length > 0) ears.wake(chat.chat_id);
  const hearing = hearingOf(ears.channel.open);
  hearing.comeAgain.forget(heard.id);
  if (now() - hearing.forgotAt < FORGET_EVERY_MS) return;
  hearing.forgotAt = now();
  await forgetHeard(db, channel, now());
}

/** A press is answered in a line; a message is not. */
function toPressAnswer(heard: Heard, { line, isRefused = false }: Reply, fallback: string): PressAnswer | undefined {
  return heard.type === 'press' ? { text: line ?? fallback, isRefused } : undefined;
}

/** PostgreSQL has no place for the character zero. */
function withoutZeros(heard: Heard): Heard {
  const clean = (text: string) => text.replaceAll('\0', '\uFFFD').toWellFormed();
  const person = { ...heard.person, name: clean(heard.person.name) };
  const chat = { ...heard.chat, ...(heard.chat.title !== undefined && { title: clean(heard.chat.title) }) };
  if (heard.type === 'message') return { ...heard, person, chat, text: clean(heard.text) };
  if (heard.type === 'press')
    return { ...heard, person, chat, ...(heard.text !== undefined && { text: clean(heard.text) }) };
  return { ...heard, person, chat };
}
