import { HUB_ROUTES, type HubCallName } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { approvalAsked, openHubDoor, type HubDoor, type Person } from '../hub-door.fixture.ts';
import { newPushKeys } from '../push/push-service.fixture.ts';
import { helloOf, said } from '../scripted-runner.fixture.ts';

/** Who asks: nobody, a viewer, a member, the member whose machine and session it is, and an admin. */
const WHO = ['nobody', 'viewer', 'stranger', 'owner', 'admin'] as const;
type Who = (typeof WHO)[number];

/**
 * What each call answers to each of them, for a session of `owner` on a machine of `owner` that is not shared. Calls are
 * made in this order, each as a new person on a new session, so none stands in the way of another.
 */
const TABLE: Record<HubCallName, Record<Who, number>> = {
  me: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  listRunners: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  // It is connected and has sessions.
  removeRunner: { nobody: 401, viewer: 403, stranger: 403, owner: 409, admin: 409 },
  listFolder: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  findFolderFiles: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  createSession: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  listSessions: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  getSession: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  updateSession: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  removeSession: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  forkSession: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  // The agent has not said that it can.
  revertSession: { nobody: 401, viewer: 403, stranger: 403, owner: 400, admin: 400 },
  closeSession: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  // Not a whole path.
  moveSession: { nobody: 401, viewer: 403, stranger: 403, owner: 400, admin: 400 },
  markRead: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  exportSession: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  listFiles: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  findFiles: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  readFile: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  readImage: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  listFileChanges: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  readDiff: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  stageFiles: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  discardChanges: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  commitChanges: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  readPush: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  subscribePush: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  // Nobody has one of that id; what belongs to others is not there either.
  unsubscribePush: { nobody: 401, viewer: 404, stranger: 404, owner: 404, admin: 404 },
  testPush: { nobody: 401, viewer: 404, stranger: 404, owner: 404, admin: 404 },
  // The test has no chat platforms, so there is nothing to check, to unbind or to allow.
  readChannels: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  checkChannel: { nobody: 401, viewer: 403, stranger: 403, owner: 403, admin: 404 },
  createBindCode: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  removeBinding: { nobody: 401, viewer: 404, stranger: 404, owner: 404, admin: 404 },
  setChat: { nobody: 401, viewer: 403, stranger: 403, owner: 403, admin: 404 },
  sendPrompt: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  withdrawPrompt: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  cancelTurn: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  listApprovals: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  decideApproval: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  listRules: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  // Nobody has saved one; a member may look for it all the same.
  removeRule: { nobody: 401, viewer: 403, stranger: 404, owner: 404, admin: 404 },
  readEvents: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  readLog: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  readChanges: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  readLive: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  search: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  getAttachment: { nobody: 401, viewer: 200, stranger: 200, owner: 200, admin: 200 },
  runnerHello: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  // An empty batch, of which nothing is new.
  runnerEvents: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  runnerReply: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
  // Takes the machine's connection over, so it comes last.
  runnerCommands: { nobody: 401, viewer: 403, stranger: 403, owner: 200, admin: 200 },
};

/** What is sent along, beside what stands in the path. */
const BODIES: Partial<Record<HubCallName, object>> = {
  createSession: { agent: 'able', folder: '/code', runnerId: 'run_desk' },
  updateSession: { title: 'New' },
  forkSession: {},
  moveSession: { runnerId: 'run_desk', folder: 'code' },
  markRead: { seq: 1 },
  revertSession: { messageId: 'p-1' },
  subscribePush: {
    endpoint: 'https://push.example.com/browser',
    keys: newPushKeys(),
    name: 'Firefox',
    about: { approvals: true, failures: true, finished: true },
    language: 'en',
  },
  stageFiles: { paths: ['a.ts'], isStaged: true },
  discardChanges: { paths: ['a.ts'] },
  commitChanges: { message: 'Two' },
  checkChannel: { language: 'en' },
  createBindCode: { language: 'en' },
  setChat: { isAllowed: true },
  sendPrompt: { text: 'hello' },
  decideApproval: { optionId: 'yes' },
  runnerHello: helloOf(),
  runnerEvents: { outboxId: 'outbox-1', first: 1, records: [] },
  runnerReply: { result: 1 },
};

const NO_CHANGES = { isRepository: true, files: [], isCut: false };

/** What the machine answers to the calls that ask it. */
const ANSWERS: Partial<Record<HubCallName, object>> = {
  listFolder: { path: '/', isRepository: false, folders: [] },
  findFolderFiles: { files: [] },
  listFiles: { path: '', entries: [], isCut: false },
  findFiles: { files: [] },
  readFile: { path: 'a.ts', size: 0, text: '', isCut: false },
  readImage: { mediaType: 'image/png', size: 3, version: '1', data: 'AQID' },
  listFileChanges: NO_CHANGES,
  readDiff: { path: 'a.ts', unified: '', isCut: false },
  stageFiles: NO_CHANGES,
  discardChanges: NO_CHANGES,
  commitChanges: { commit: '1'.repeat(40), changes: NO_CHANGES },
};

const QUERIES: Partial<Record<HubCallName, string>> = {
  search: '?q=hello',
  findFolderFiles: '?folder=/code&q=a',
  findFiles: '?q=a',
  readFile: '?path=a.ts',
  readImage: '?path=a.png',
  readDiff: '?path=a.ts',
};

async function statusOf(
  door: HubDoor,
  name: HubCallName,
  person: Person | undefined,
  params: Record<string, string>,
): Promise<number> {
  const { method, path } = HUB_ROUTES[name];
  const query = QUERIES[name] ?? '';
  const body = BODIES[name] ?? (method === 'GET' || method === 'DELETE' ? undefined : {});
  const response = await fetch(door.url + path.replace(/:(\w+)/g, (_, key: string) => params[key]!) + query, {
    method,
    headers: {
      ...(person !== undefined && { authorization: `Bearer ${person.token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel();
  else await response.arrayBuffer();
  return response.status;
}

test('every call answers each role as the table says', async () => {
  const door = await openHubDoor();
  const owner = await door.person('ada');
  const people: Record<Who, Person | undefined> = {
    nobody: undefined,
    viewer: await door.person('vera', 'viewer'),
    stranger: await door.person('max'),
    owner,
    admin: door.owner,
  };
  const runner = await door.runner({}, owner);

  const answers = [];
  for (const name of Object.keys(TABLE) as HubCallName[]) {
    const statuses: Partial<Record<Who, number>> = {};
    for (const who of WHO) {
      const session = await owner.client.createSession({ agent: 'able', folder: '/code' });
      const image = Buffer.alloc(3_000).toString('base64');
      await runner.say(session.id, [
        { type: 'agent-updated', agentSessionId: 'own' },
        { type: 'turn-started', turnId: 't' },
        said('hello'),
        {
          type: 'block-stop',
          messageId: 'm',
          role: 'assistant',
          blockId: 'b',
          block: { type: 'image', media_type: 'image/png', data: image },
        },
        approvalAsked('a-1'),
      ]);
      await owner.client.sendPrompt({ sessionId: session.id, id: 'p-1', text: 'later' });
      const { events } = await owner.client.readLog({ sessionId: session.id });
      const attachmentId = /att_[0-9a-z]{26}/.exec(JSON.stringify(events))![0];
      const status = statusOf(door, name, people[who], {
        sessionId: session.id,
        runnerId: 'run_desk',
        promptId: 'p-1',
        approvalId: 'a-1',
        ruleId: 'rul_1',
        subscriptionId: 'sub_1',
        channel: 'slate',
        accountId: 'account-1',
        chatId: 'chat-1',
        askId: 'ask_1',
        attachmentId,
      });
      const result = ANSWERS[name];
      if (result !== undefined && TABLE[name][who] === 200) {
        const { askId } = await runner.asked();
        await runner.link.reply('run_desk', askId, { result });
      }
      statuses[who] = await status;
    }
    answers.push([name, statuses]);
  }

  expect(Object.fromEntries(answers)).toEqual(TABLE);
});

test('on a shared machine every member may start sessions and work in them, but only delete their own', async () => {
  const door = await openHubDoor();
  const [ada, max] = [await door.person('ada'), await door.person('max')];
  await door.runner({ isShared: true }, ada);
  const theirs = await max.client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_desk' });
  const session = await ada.client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_desk' });

  await max.client.sendPrompt({ sessionId: session.id, text: 'hello' });
  await max.client.updateSession({ sessionId: session.id, title: 'Ours' });
  await expect(max.client.removeSession({ sessionId: session.id })).rejects.toMatchObject({ code: 'forbidden' });
  await max.client.removeSession({ sessionId: theirs.id });
});
