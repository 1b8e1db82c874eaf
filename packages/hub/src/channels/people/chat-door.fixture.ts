import type { ShownApproval } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server';
import { type HubDoor, openHubDoor, type Person } from '../../hub-door.fixture.ts';
import type { HubOptions } from '../../open-hub.ts';
import type { HubSettings } from '../../hub-parts.ts';
import type { HubTables } from '../../hub-tables.ts';
import type { Action } from '../action.ts';
import type { Channel, ChannelHost, ChannelKind } from '../channel.ts';
import type { Heard, PressAnswer } from '../heard.ts';
import { ManualClock } from '../manual-clock.fixture.ts';
import type { Note } from '../note.ts';

/** A post as it stands in a chat. */
interface Shown {
  chatId: string;
  key: string;
  messageId: string;
  text: string;
  buttons: { label: string; data: string }[];
}

interface Body {
  text: string;
  labels: string[];
}

type Message = Extract<Heard, { type: 'message' }>;

/** A person in a chat. */
export interface Chatter {
  chatId: string;
  accountId: string;
  /** Says something, and comes back with the notes that answer it. */
  say(text: string, more?: Partial<Message>): Promise<Note[]>;
  /** The same, with the texts alone. */
  ask(text: string, more?: Partial<Message>): Promise<string[]>;
  /** Presses a button of the newest post that has one of that name. */
  press(label: string, text?: string): Promise<PressAnswer | undefined>;
  /** Tells something as the platform would. */
  tell(heard: Partial<Heard> & { type: Heard['type'] }): Promise<PressAnswer | undefined>;
  /** The notes of the chat, the latest last. */
  notes(): Promise<Note[]>;
  chat(): Promise<HubTables['hub_chats'] | undefined>;
}

/** A hub with a made-up chat platform that keeps everything in memory. */
export interface ChatDoor extends HubDoor {
  chatter(accountId: string, more?: { chatId?: string; kind?: 'private' | 'group'; language?: 'en' | 'zh' }): Chatter;
  /** The same for somebody who is bound. */
  bound(person: Person, accountId?: string, language?: 'en' | 'zh'): Promise<Chatter>;
  /** Waits for a post, and until the hub knows that it is there. */
  shown(chatId: string, wanted: (post: Shown) => boolean): Promise<Shown>;
  topics: string[];
  /** What each channel that was opened hears with, the latest last. */
  hosts: ChannelHost[];
}

/** Opens the hub with the platform configured. Its time stands still: nobody is too slow for a press. */
export async function openChatDoor({
  hasTopics = false,
  ...options
}: Partial<HubSettings> & {
  engine?: StoreEngine;
  now?: () => number;
  transcribe?: HubOptions['transcribe'];
  hasTopics?: boolean;
} = {}): Promise<ChatDoor> {
  const posts: Shown[] = [];
  const topics: string[] = [];
  let watchers: (() => void)[] = [];
  const hosts: ChannelHost[] = [];
  let count = 0;

  const channel: Channel<Body> = {
    renderer: {
      part: (part) => [{ key: `part ${part.key}`, body: { text: JSON.stringify(part.rows), labels: [] }, actions: [] }],
      approval: (approval, { view }) => ({ key: `approval ${approval.id}`, ...renderApproval(approval, view.info.id) }),
      note: ({ text, buttons = [] }) => ({
        body: { text, labels: buttons.flat().map(({ label }) => label) },
        actions: buttons.flat().map(({ action }) => action),
      }),
      withdrawn: () => ({ body: { text: 'withdrawn', labels: [] }, actions: [] }),
    },
    async deliver({ chat, post, before, actionData }) {
      const messageId = before?.receipt.messageId ?? `sent-${++count}`;
      const known = posts.findIndex((one) => one.messageId === messageId);
      if (known !== -1) posts.splice(known, 1);
      const buttons = post.body.labels.map((label, index) => ({ label, data: actionData(index) }));
      posts.push({ chatId: chat.chatId, key: post.key, messageId, text: post.body.text, buttons });
      queueMicrotask(() => watchers.forEach((look) => look()));
      return { messageId, isLasting: true };
    },
    paceMs: () => 0,
    listen: async () => hosts.at(-1)!.tell({ type: 'on' }),
    receive: async () => ({ status: 200 }),
    ...(hasTopics && {
      async openTopic(chat, title) {
        topics.push(title);
        return { chatId: `${chat.chatId}/topic-${topics.length}` };
      },
    }),
    bot: () => ({
      name: '@slate_bot',
      link: 'https://slate.example/bot',
      bindLink: (code) => `https://slate.example/${code}`,
    }),
    check: async (language) => [{ id: 'token', title: language, state: 'ok', text: 'The token is good.' }],
    close: async () => {},
  };
  const kind: ChannelKind = {
    name: 'slate',
    title: 'Slate',
    guide: (language, publicUrl) => ({
      steps: [language === 'zh' ? '第一步' : 'First', `at ${publicUrl}`],
      fields: [
        { name: 'token', label: 'Token', kind: 'secret', isRequired: true },
        { name: 'colour', label: 'Colour', kind: 'text', isRequired: false },
      ],
    }),
    async open(_, given) {
      hosts.push(given);
      return channel;
    },
  };
  const { channels = { slate: {} } as never, ...rest } = options;
  const clocks: ManualClock[] = [];
  const clock = () => {
    const made = new ManualClock(Date.now());
    clocks.push(made);
    return made;
  };
  const door = await openHubDoor({ now: Date.now, ...rest, channels, kinds: [kind], clock });
  const tables = door.store.tables<HubTables>();
  const until = <Found>(find: () => Found | undefined): Promise<Found> =>
    new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        watchers = watchers.filter((one) => one !== look);
        resolve(found);
      };
      watchers.push(look);
      look();
    });

  const chatter: ChatDoor['chatter'] = (
    accountId,
    { chatId = `chat-${accountId}`, kind: chatKind = 'private', language } = {},
  ) => {
    const base = () => ({
      id: `update-${++count}`,
      chat: { chatId, kind: chatKind, ...(chatKind === 'group' && { title: 'The team' }) },
      person: { accountId, name: `${accountId} of Slate`, language },
    });
    const noteRows = () =>
      tables
        .selectFrom('hub_chat_posts')
        .select(['id', 'note_json'])
        .where('chat_id', '=', chatId)
        .where('note_json', 'is not', null)
        .orderBy('id')
        .execute();
    const notes = async () => (await noteRows()).map(({ note_json }) => JSON.parse(note_json!) as Note);
    const tell: Chatter['tell'] = (heard) => hosts.at(-1)!.hear({ ...base(), ...heard } as Heard);
    const say: Chatter['say'] = async (text, more = {}) => {
      // By their numbers: one that was said before may be gone meanwhile.
      const before = new Set((await noteRows()).map(({ id }) => id));
      await tell({ type: 'message', messageId: `message-${++count}`, text, files: [], isForUs: true, ...more });
      return (await noteRows())
        .filter(({ id }) => !before.has(id))
        .map(({ note_json }) => JSON.parse(note_json!) as Note);
    };
    return {
      chatId,
      accountId,
      tell,
      say,
      notes,
      ask: async (text, more) => (await say(text, more)).map((note) => note.text),
      async press(label, text) {
        const data = await until(
          () =>
            posts
              .findLast((post) => post.chatId === chatId && post.buttons.some((button) => button.label === label))
              ?.buttons.find((button) => button.label === label)?.data,
        );
        return tell({ type: 'press', action: data, ...(text !== undefined && { text }) });
      },
      chat: () => tables.selectFrom('hub_chats').selectAll().where('chat_id', '=', chatId).executeTakeFirst(),
    };
  };
  const connect = door.runner;
  return Object.assign(door, {
    /** Every folder is there that is not called missing. */
    async runner(...given: Parameters<typeof connect>) {
      const runner = await connect(...given);
      runner.answers = (ask) => {
        if (ask.method !== 'list-folder' || ask.path === undefined || ask.path.startsWith('~')) return undefined;
        if (!ask.path.includes('missing')) return { result: { path: ask.path, isRepository: false, folders: [] } };
        return { error: { code: 'not-found', message: `there is no folder ${ask.path}` } };
      };
      return runner;
    },
    chatter,
    topics,
    hosts,
    async bound(person: Person, accountId = person.caller.userName, language: 'en' | 'zh' = 'en') {
      const one = chatter(accountId);
      const { code } = await person.client.createBindCode({ language });
      await one.say(`/bind ${code}`);
      return one;
    },
    async shown(chatId: string, wanted: (post: Shown) => boolean) {
      const post = await until(() => posts.findLast((each) => each.chatId === chatId && wanted(each)));
      // Who answers it is understood once it is stored under its message's id.
      for (const each of clocks) await each.settled();
      return post;
    },
  });
}

function renderApproval({ id, title, options, decided }: ShownApproval, sessionId: string) {
  const place = { sessionId, approvalId: id };
  const actions: Action[] = [
    ...options.map((option): Action => ({ type: 'decide', ...place, optionId: option.id })),
    { type: 'reject', ...place },
    { type: 'answer', ...place },
  ];
  return {
    body: {
      text: `${title}${decided === undefined ? '' : ' (decided)'}`,
      labels: [...options.map(({ name }) => name), 'Deny', 'Answer'],
    },
    actions,
  };
}
