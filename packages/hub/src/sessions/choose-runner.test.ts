import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';

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
