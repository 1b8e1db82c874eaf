import { plainLine } from '../note-text.ts';
import { noteOwnPrompt, openChat, setSession } from '../people/chat-store.ts';
import { derivedId } from '../people/derived-id.ts';
import { whyNoPlace } from '../people/machine-barred.ts';
import { type Reply, say, type Talk } from '../people/talk.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { type KnownPlace, knownPlaces } from './known-places.ts';
import { offerPlaces } from './offer-places.ts';
import { parseNew } from './parse-new.ts';

/** How long a platform may take to make a topic. */
const TOPIC_MS = 10_000;
const TITLE_CHARS = 60;

/** Starts a session, with its first prompt where there is one. Where a chat has topics, it gets one of its own. */
export async function newCommand(talk: Talk, args: string): Promise<Reply> {
  const { acts, language } = talk;
  const words = COMMAND_WORDS[language];
  await acts.check('createSession');
  const places = await knownPlaces(talk);
  if (places.length === 0) return say(await whyNoPlace(talk));
  const names = new Map(places.map(({ agent }) => [agent.toLowerCase(), agent]));
  const { agent, folder, machine, prompt, isPromptOnLine } = parseNew(args, new Set(names.keys()));
  const isNothingNamed = agent === undefined && folder === undefined && machine === undefined;
  if (isNothingNamed && !isPromptOnLine) return say(words.choosePlace, await offerPlaces(talk, prompt));
  const [line] = prompt.split('\n', 1);
  if (folder === undefined && isPromptOnLine && isRelativePath(line!))
    return say(words.wholePath(plainLine(line!, 80)));
  // One word alone is rather an agent that is not there than all there is to be done.
  if (isNothingNamed && /^\S+$/.test(prompt)) return say(words.noAgent(plainLine(prompt, 60), listed(places, 'agent')));
  const onMachine = places.filter((place) => machine === undefined || isMachine(place, machine));
  if (onMachine.length === 0) return say(words.noMachine(plainLine(machine ?? '', 60), listed(places, 'machine')));
  const place = onMachine.find((one) => agent === undefined || one.agent.toLowerCase() === agent);
  if (place === undefined) return say(words.noAgent(plainLine(agent ?? '', 60), listed(onMachine, 'agent')));
  if (folder !== undefined) await acts.checkFolder(place.runnerId, folder);
  return start(talk, { ...place, folder: folder ?? place.folder }, prompt);
}

/** One word, and it looks like a part of a path. */
function isRelativePath(line: string): boolean {
  return /^\.{1,2}$|^(?!\w+:\/\/)[^\s]*[^\s/\\][/\\]\S*$/.test(line);
}

async function start(talk: Talk, place: KnownPlace, prompt: string): Promise<Reply> {
  const { acts, ears, language } = talk;
  const words = COMMAND_WORDS[language];
  const names = [talk.place.channel, talk.place.chatId, talk.heardId] as const;
  const promptId = derivedId('msg', ...names);
  const session = await acts.createSession({
    id: derivedId('ses', ...names),
    agent: place.agent,
    runnerId: place.runnerId,
    folder: place.folder,
    ...(prompt !== '' && { prompt: { id: promptId, text: prompt } }),
  });
  const { db, now } = ears.parts;
  const topic = await openTopic(talk, session.title);
  const shownIn = topic ?? talk.place;
  if (prompt !== '' && topic === undefined && talk.messageId !== undefined)
    await noteOwnPrompt(db, shownIn, { sessionId: session.id, promptId, messageId: talk.messageId });
  await setSession(db, shownIn, { sessionId: session.id, fromSeq: 0 }, now());
  ears.wake(shownIn.chatId);
  if (topic !== undefined) return say(words.startedInTopic(plainLine(session.title, 80)));
  const text = words.started(plainLine(place.agent, 60), plainLine(session.folder, 120), plainLine(place.machine, 60));
  return say(prompt === '' ? `${text} ${words.startPrompt}` : text);
}

/** A topic is a convenience: where it cannot be made, the session is shown right here. */
async function openTopic({ ears, chat, language }: Talk, title: string) {
  const { parts, channel } = ears;
  if (channel.open.openTopic === undefined) return undefined;
  try {
    const about = { chatId: chat.chat_id, kind: chat.kind, language };
    const topic = await within(TOPIC_MS, channel.open.openTopic(about, title.slice(0, TITLE_CHARS).toWellFormed()));
    if (topic === undefined || topic.chatId === chat.chat_id) return undefined;
    const place = { channel: channel.name, chatId: topic.chatId };
    const { kind, account_id: accountId } = chat;
    await openChat(parts.db, { ...place, kind, title, accountId: accountId ?? undefined, language }, parts.now());
    return place;
  } catch (error) {
    parts.logger.debug({ err: error, channel: channel.name, chatId: chat.chat_id }, 'a topic could not be made');
    return undefined;
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function isMachine({ runnerId, machine }: KnownPlace, name: string): boolean {
  return runnerId === name || machine.toLowerCase() === name.toLowerCase();
}

function listed(places: readonly KnownPlace[], what: 'agent' | 'machine'): string {
  return [...new Set(places.map((place) => place[what]))].map((name) => plainLine(name, 40)).join(', ');
}
