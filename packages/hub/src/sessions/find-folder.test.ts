import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';

test('the home folder is where the machine says it is, and a folder that it refuses is refused', async () => {
  const door = await openHubDoor();
  const runner = await door.runner({ folders: ['/home/mia'] });
  const { client } = door.owner;

  const created = client.createSession({ agent: 'scribe', folder: '~/code' });
  const { askId, ask } = await runner.asked();
  expect(ask).toEqual({ method: 'list-folder', path: '~/code' });
  await runner.link.reply('run_desk', askId, { result: { path: '/disk/mia/code', isRepository: false, folders: [] } });
  expect(await created).toMatchObject({ folder: '/disk/mia/code' });

  const refused = client.createSession({ agent: 'scribe', folder: '~' });
  const error = { code: 'forbidden', message: 'agents on this machine may not work in ~' };
  const replied = runner.asked().then((second) => runner.link.reply('run_desk', second.askId, { error }));
  await expect(refused).rejects.toMatchObject(error);
  await replied;

  await expect(client.createSession({ agent: 'scribe', folder: 'code' })).rejects.toMatchObject({
    code: 'bad-request',
    message: 'folder: expected the whole path of a folder on desk, or one that begins with "~/".',
  });
});
