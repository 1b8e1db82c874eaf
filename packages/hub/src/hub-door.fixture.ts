import { createHubClient, type HubClient, type Role, type RunnerHello } from '@dragoman/protocol';
import type { Caller, StoreEngine } from '@dragoman/server';
import { openTestDoor, type TestDoor } from '@dragoman/testkit';
import type { Kysely, KyselyPlugin } from 'kysely';
import { onTestFinished } from 'vitest';
import type { ManualClock } from './channels/manual-clock.fixture.ts';
import { hubConfigShape } from './config/hub-config.ts';
import { hubMigrations } from './hub-migrations.ts';
import type { HubSettings } from './hub-parts.ts';
import { type Hub, type HubOptions, openHub } from './open-hub.ts';
import type { PushTransport } from './push/post-push.ts';
import { hubPlugin } from './routes/hub-plugin.ts';
import { ScriptedRunner } from './scripted-runner.fixture.ts';

/** A person, and how they call. */
export interface Person {
  caller: Caller;
  token: string;
  client: HubClient;
}

/** The hub behind a real door. */
export interface HubDoor extends TestDoor {
  hub: Hub;
  settings: HubSettings;
  /** The owner of the machine, who is an admin. */
  owner: Person;
  person(name: string, role?: Role): Promise<Person>;
  /** A runner that is connected; the owner's where nobody is named. */
  runner(hello?: Partial<RunnerHello>, person?: Person): Promise<ScriptedRunner>;
  /** Ends the hub and opens another one on the same store, as a restart does; runners have to connect again. */
  reopen(now?: () => number): Promise<void>;
  /** The same without an end: from one moment to the next the old hub can write nothing any more. */
  kill(): Promise<void>;
  /** One more hub on the same store, as another process would be, with a clock of its own where one is given. */
  another(now?: () => number): Promise<Hub & { kill(): Promise<void> }>;
  /** Sends requests to this hub from now on, as a proxy in front of several does; to the door's own where none is named. */
  sendTo(hub?: Hub): void;
}

/** What a test may choose. */
export interface HubDoorOptions extends Partial<HubSettings> {
  engine?: StoreEngine;
  now?: () => number;
  push?: PushTransport;
  /** The kinds of chat that can be configured. */
  kinds?: HubOptions['channels'];
  transcribe?: HubOptions['transcribe'];
  /** Where the hubs write down how things go. */
  log?: HubOptions['log'];
  /** How time passes for the chats of each hub that is opened. It stands still while the store is asked. */
  clock?: () => ManualClock;
}

/** Opens the hub on a door of the running test's own. */
export async function openHubDoor({
  engine = 'sqlite',
  now,
  push,
  kinds,
  transcribe,
  clock,
  log = { debug: () => {}, info: () => {}, warn: () => {} },
  ...settings
}: HubDoorOptions = {}): Promise<HubDoor> {
  const config: HubSettings = { hub: hubConfigShape.hub.parse({}), ...settings };
  const openOne = async (store: TestDoor['store'], time = now) => {
    const channelClock = clock?.();
    const mortal = mortalStore(store, channelClock);
    const one = await openHub({
      store: mortal.store,
      config: () => config,
      log,
      now: time ?? channelClock?.now,
      version: '1.2.3',
      push,
      channels: kinds,
      transcribe,
      channelClock,
    });
    const kill = async () => {
      mortal.kill();
      await one.close().catch(() => {});
    };
    return { ...one, kill };
  };
  let hub: (Hub & { kill(): Promise<void> }) | undefined;
  let asked: Hub | undefined;
  const open = async (store: TestDoor['store'], time = now) => {
    hub = await openOne(store, time);
    return hub;
  };
  const door = await openTestDoor(
    {},
    async (instance, { store }) => {
      await open(store);
      await instance.register(hubPlugin, { handlers: async () => (asked ?? hub!).handlers });
    },
    [hubMigrations],
    engine,
  );
  onTestFinished(() => hub!.close());

  const person = async (name: string, role: Role = 'member'): Promise<Person> => {
    const user = await door.tokens.openUser(name, role);
    const { text, id } = await door.tokens.createToken({
      user,
      name: `${name}'s`,
      role,

      expiresAt: null,
    });
    const caller = { userId: user.id, userName: name, role, tokenName: `${name}'s`, tokenId: id };
    return { caller, token: text, client: createHubClient({ url: door.url, token: text }) };
  };
  const owner = await person('owner', 'admin');
  return {
    ...door,
    get hub() {
      return hub!;
    },
    settings: config,
    owner,
    person,
    async runner(hello = {}, whose = owner) {
      const runner = new ScriptedRunner(hub!.link(whose.caller), hello);
      await runner.connect();
      return runner;
    },
    async reopen(time) {
      await hub!.close();
      await open(door.store, time ?? now);
    },
    async kill() {
      await hub!.kill();
      await open(door.store);
    },
    async another(time) {
      const other = await openOne(door.store, time ?? now);
      onTestFinished(() => other.close());
      return other;
    },
    sendTo(other) {
      asked = other;
    },
  };
}

/** An approval as agents ask it. */
export function approvalAsked(id: string, more: object = {}) {
  return {
    type: 'approval-asked' as const,
    approval: {
      id,
      title: 'Run npm test',
      options: [
        { id: 'yes', name: 'Allow once', kind: 'allow_once' as const },
        { id: 'forever', name: 'Allow always', kind: 'allow_always' as const },
        { id: 'no', name: 'Reject', kind: 'reject_once' as const },
      ],
      ...more,
    },
  };
}

/** A store that can be taken away from who uses it, as the end of a process does. */
function mortalStore(
  store: TestDoor['store'],
  clock: ManualClock | undefined,
): { store: TestDoor['store']; kill(): void } {
  let isDead = false;
  const check = () => {
    if (isDead) throw new Error('The process is dead.');
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      check();
      return node;
    },
    async transformResult({ result }) {
      check();
      return result;
    },
  };
  const db = store.tables<Record<string, never>>().withPlugin(plugin);
  if (clock !== undefined) standWhileAsked(db, clock);
  const mortal: TestDoor['store'] = {
    ...store,
    tables: <Tables>() => db as unknown as Kysely<Tables>,
    async openChannel(name, listener) {
      const channel = await store.openChannel(name, listener);
      if (clock === undefined) return channel;
      // PostgreSQL tells the connection that notifies, too, before it says that it has notified.
      return { ...channel, notify: (payload) => clock.during(() => channel.notify(payload)) };
    },
  };
  return { store: mortal, kill: () => (isDead = true) };
}

/** Everything that a database is asked, alone or in a transaction, is asked with a connection that the executor provides. */
function standWhileAsked(db: Kysely<Record<string, never>>, clock: ManualClock): void {
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  executor.provideConnection = (use, ...more) => clock.during(() => provide(use, ...more));
}
