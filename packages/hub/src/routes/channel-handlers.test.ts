import { Secret } from '@dragoman/server';
import { expect, test } from 'vitest';
import { openChatDoor } from '../channels/people/chat-door.fixture.ts';

test('channels are told with their guide, and what is set but never a secret', async () => {
  const settings = { token: new Secret('hush'), colour: 'green' };
  const door = await openChatDoor({
    channels: { slate: settings } as never,
    server: { publicUrl: 'https://hub.example.com' },
  });
  const ada = await door.person('ada', 'viewer');
  await door.bound(door.owner, 'boss');
  await door.bound(ada, 'ada');

  const stateOf = async () => (await door.owner.client.readChannels({})).channels[0]!.state.type;
  await expect.poll(stateOf).toBe('on');
  const { channels } = await door.owner.client.readChannels({ language: 'zh' });
  expect(channels).toEqual([
    {
      name: 'slate',
      title: 'Slate',
      isConfigured: true,
      state: { type: 'on', since: expect.any(Number) },
      bot: { name: '@slate_bot', link: 'https://slate.example/bot' },
      guide: ['第一步', 'at https://hub.example.com'],
      fields: [
        { name: 'token', label: 'Token', kind: 'secret', isRequired: true, isSet: true },
        { name: 'colour', label: 'Colour', kind: 'text', isRequired: false, isSet: true, value: 'green' },
      ],
      bindings: [
        { accountId: 'boss', accountName: 'boss of Slate', user: 'owner', isMine: true, createdAt: expect.any(Number) },
        { accountId: 'ada', accountName: 'ada of Slate', user: 'ada', isMine: false, createdAt: expect.any(Number) },
      ],
      chats: [
        {
          chatId: 'chat-ada',
          kind: 'private',
          title: 'ada of Slate',
          state: 'open',
          isMuted: false,
          isConnected: true,
          updatedAt: expect.any(Number),
        },
        {
          chatId: 'chat-boss',
          kind: 'private',
          title: 'boss of Slate',
          state: 'open',
          isMuted: false,
          isConnected: true,
          updatedAt: expect.any(Number),
        },
      ],
    },
  ]);

  const theirs = (await ada.client.readChannels({})).channels[0]!;
  expect(theirs).toMatchObject({ guide: ['First', 'at https://hub.example.com'], fields: [], chats: [] });
  expect(theirs.bindings.map(({ accountId }) => accountId)).toEqual(['ada']);
});

test('a channel is checked where it is open, and the reason is told where it is not', async () => {
  const door = await openChatDoor();
  const { client } = door.owner;
  expect(await client.checkChannel({ channel: 'slate', language: 'en' })).toEqual({
    steps: [{ id: 'token', title: 'en', state: 'ok', text: 'The token is good.' }],
  });
  await expect(client.checkChannel({ channel: 'pigeon', language: 'en' })).rejects.toMatchObject({ code: 'not-found' });

  door.settings.channels = undefined;
  await expect(client.checkChannel({ channel: 'slate', language: 'en' })).rejects.toMatchObject({
    code: 'conflict',
    message: 'Slate is not set up yet; fill in its settings first.',
  });
  expect((await client.createBindCode({ language: 'zh' })).ways).toEqual([]);
  expect((await client.readChannels({})).channels).toMatchObject([{ isConfigured: false, state: { type: 'off' } }]);
});
