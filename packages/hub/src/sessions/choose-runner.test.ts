import { newId } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';
import { helloOf, ScriptedRunner } from '../scripted-runner.fixture.ts';

test("a member who may not use the server's machine works on their own without naming it, or is told how one is shared", async () => {
  const door = await openHubDoor();
  const [ada, ben] = [await door.person('ada'), await door.person('ben')];
  await door.runner({ id: 'run_ada', name: 'adas' }, ada);
  await door.runner();
  const session = { agent: 'scribe', folder: '/code' };

  expect(await door.owner.client.createSession(session)).toMatchObject({ runnerId: 'run_desk' });
  expect(await ada.client.createSession(session)).toMatchObject({ runnerId: 'run_ada' });
  await expect(ben.client.createSession(session)).rejects.toMatchObject({
    code: 'forbidden',
    message:
      'The machine desk is owner\'s own; to share it with every member, set "runner": { "isShared": true } in the dragoman.json of that machine.',
  });
});

/** Two servers behind one door, each with a machine of its own. */
async function openTwoServers() {
  const door = await openHubDoor({ engine: 'postgres' });
  await door.runner({ id: 'run_a', name: 'a', isShared: true });
  const other = await door.another();
  const [scribe] = helloOf().agents;
  const agents = [scribe!, { ...scribe!, name: 'only-here' }];
  await new ScriptedRunner(other.link(door.owner.caller), { id: 'run_b', name: 'b', isShared: true, agents }).connect();
  return { door, other, ...door.owner };
}

test('whichever of several servers is asked, sessions start where their owner worked last with that agent', async () => {
  const { door, other, client } = await openTwoServers();
  const startAt = async (server: typeof other | undefined, agent = 'scribe') => {
    door.sendTo(server);
    return (await client.createSession({ agent, folder: '/code' })).runnerId;
  };

  expect([await startAt(undefined), await startAt(other), await startAt(undefined)]).toEqual([
    'run_a',
    'run_a',
    'run_a',
  ]);
  await client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_b' });
  expect([await startAt(undefined), await startAt(other)]).toEqual(['run_b', 'run_b']);
  expect(await startAt(other, 'only-here')).toBe('run_b');
});

test('somebody who never worked on one of several servers starts on the one that is asked', async () => {
  const { door, other } = await openTwoServers();
  const ada = await door.person('ada');
  door.sendTo(other);
  expect(await ada.client.createSession({ agent: 'scribe', folder: '/code' })).toMatchObject({ runnerId: 'run_b' });
});

test('a call that is repeated at another server has the session of the first one, without a machine that is named', async () => {
  const { door, other, client } = await openTwoServers();
  const session = { id: newId('ses'), agent: 'scribe', folder: '/code', prompt: { id: 'p-1', text: 'go' } };
  const first = await client.createSession(session);
  await client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_b' });
  door.sendTo(other);

  expect(await client.createSession(session)).toMatchObject({ id: first.id, runnerId: 'run_a' });
  await expect(client.createSession({ ...session, runnerId: 'run_b' })).rejects.toMatchObject({ code: 'conflict' });
});

test("every server tells of the machines of all servers that they are a server's own", async () => {
  const { door, other, client } = await openTwoServers();
  const servers = async () => (await client.listRunners()).runners.map(({ id, isServer }) => [id, isServer]);
  const told = [
    ['run_a', true],
    ['run_b', true],
  ];
  expect(await servers()).toEqual(told);
  door.sendTo(other);
  expect(await servers()).toEqual(told);
});
