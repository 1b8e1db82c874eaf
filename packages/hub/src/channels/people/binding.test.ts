import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { createHubClient } from '@dragoman/protocol';
import { openChatDoor } from './chat-door.fixture.ts';

for (const engine of STORE_ENGINES) {
  test(`${engine}: an account is bound by a code from the console, once, and is that person from then on`, async () => {
    const door = await openChatDoor({ engine });
    const ada = await door.person('ada');
    const chatter = door.chatter('a-1');
    expect(await chatter.ask('hello')).toEqual([expect.stringContaining('I don’t know you yet.')]);

    const { code, ways, expiresAt } = await ada.client.createBindCode({ language: 'en' });
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(expiresAt - Date.now()).toBeGreaterThan(9 * 60_000);
    expect(ways).toEqual([
      {
        channel: 'slate',
        title: 'Slate',
        say: `/bind ${code}`,
        bot: '@slate_bot',
        link: `https://slate.example/${code}`,
      },
    ]);
    expect(await chatter.ask(`/bind ${code}`)).toEqual([
      'You’re connected as **ada** (member). Describe a task, or send `/sessions` to see the sessions and `/help` to list the commands.',
    ]);

    const other = door.chatter('b-1');
    expect(await other.ask(`/bind ${code}`)).toEqual([expect.stringContaining('4 attempts left.')]);
    const { channels } = await ada.client.readChannels({});
    expect(channels[0]!.bindings).toEqual([
      { accountId: 'a-1', accountName: 'a-1 of Slate', user: 'ada', isMine: true, createdAt: expect.any(Number) },
    ]);
  });
}

test('a code works in a link, alone, in lower case and with letters for digits, and in Chinese', async () => {
  const door = await openChatDoor();
  const ada = await door.person('ada');
  const newCode = async (language: 'en' | 'zh' = 'en') => (await ada.client.createBindCode({ language })).code;
  const ways: ((code: string) => string)[] = [
    (code) => `/start ${code}`,
    (code) => code,
    (code) => ` /bind ${code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `,
    (code) => `／绑定${code}`,
  ];

  for (const [index, way] of ways.entries()) {
    const answer = await door.chatter(`account-${index}`).ask(way(await newCode()));
    expect(answer).toEqual([expect.stringContaining('You’re connected as **ada**')]);
  }
  const chinese = door.chatter('account-zh', { language: 'en' });
  expect(await chinese.ask(`/bind ${await newCode('zh')}`)).toEqual([
    '你已连接为 **ada**（成员）。直接写下要智能体做的事，或发送 `/会话` 查看已有的会话；`/帮助` 列出所有命令。',
  ]);
  expect((await chinese.chat())!.language).toBe('zh');
  const { channels } = await ada.client.readChannels({});
  expect(channels[0]!.bindings.map(({ accountId }) => accountId).toSorted()).toEqual([
    'account-0',
    'account-1',
    'account-2',
    'account-3',
    'account-zh',
  ]);
});

for (const engine of STORE_ENGINES) {
  test(`${engine}: a code that is too old, or was replaced by a newer one, binds nothing`, async () => {
    let now = Date.now();
    const door = await openChatDoor({ engine, now: () => now });
    const ada = await door.person('ada');
    const chatter = door.chatter('a-1');

    const first = await ada.client.createBindCode({ language: 'en' });
    const second = await ada.client.createBindCode({ language: 'en' });
    expect(await chatter.ask(`/bind ${first.code}`)).toEqual([expect.stringContaining('4 attempts left.')]);
    now += 10 * 60_000;
    expect(await chatter.ask(`/bind ${second.code}`)).toEqual([expect.stringContaining('3 attempts left.')]);
    expect((await ada.client.readChannels({})).channels[0]!.bindings).toEqual([]);
  });

  test(`${engine}: who guesses codes is not heard for an hour, also when many come at once, and the right code ends the counting`, async () => {
    let now = Date.now();
    const door = await openChatDoor({ engine, now: () => now });
    const ada = await door.person('ada');
    const chatter = door.chatter('a-1');
    const guesses = Array.from({ length: 12 }, (_, index) => `/bind AAAA-AAA${index % 10}`);

    await Promise.all(guesses.map((text) => chatter.say(text)));
    const texts = (await chatter.notes()).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('attempts left') || text.includes('1 attempt left'))).toHaveLength(4);
    expect(texts.filter((text) => text.startsWith('Too many wrong codes.'))).toHaveLength(2);
    const { code } = await ada.client.createBindCode({ language: 'en' });
    now += 6 * 60_000;
    expect(await chatter.ask(`/bind ${code}`)).toEqual([expect.stringContaining('in an hour')]);
    expect((await ada.client.readChannels({})).channels[0]!.bindings).toEqual([]);

    now += 61 * 60_000;
    const fresh = await ada.client.createBindCode({ language: 'en' });
    expect(await chatter.ask('/bind WRNG-C0DE')).toEqual([expect.stringContaining('4 attempts left.')]);
    expect(await chatter.ask(`/bind ${fresh.code}`)).toEqual([expect.stringContaining('You’re connected as **ada**')]);
    expect(await chatter.ask('/bind WRNG-C0DE')).toEqual([expect.stringContaining('4 attempts left.')]);
  });

  test(`${engine}: binding again moves the account, and its private chat shows nothing of what the other one looked at`, async () => {
    const door = await openChatDoor({ engine });
    const [ada, max] = [await door.person('ada'), await door.person('max')];
    await door.runner({ isShared: true });
    const session = await ada.client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_desk' });
    const chatter = await door.bound(ada, 'phone');
    await chatter.say(`/switch ${session.id}`);
    expect((await chatter.chat())!.session_id).toBe(session.id);

    const again = await ada.client.createBindCode({ language: 'en' });
    expect(await chatter.ask(`/bind ${again.code}`)).toEqual(['You’re already connected as **ada**.']);
    expect(await chatter.ask(`/start ${again.code}`)).toEqual(['You’re already connected as **ada**.']);
    expect(await chatter.ask('/bind WRNG-C0DE')).toEqual([expect.stringContaining('4 attempts left.')]);
    expect(await door.chatter('other').ask(`/start ${again.code}`)).toEqual([
      expect.stringContaining('4 attempts left.'),
    ]);
    expect((await chatter.chat())!.session_id).toBe(session.id);
    const theirs = await max.client.createBindCode({ language: 'en' });
    expect(await chatter.ask(`/bind ${theirs.code}`)).toEqual([expect.stringContaining('**max**')]);

    expect((await chatter.chat())!.session_id).toBe(null);
    expect((await ada.client.readChannels({})).channels[0]!.bindings).toEqual([]);
    expect((await max.client.readChannels({})).channels[0]!.bindings).toMatchObject([{ accountId: 'phone' }]);
  });

  test(`${engine}: an account is unbound in the chat or in the console, by its owner or an admin and nobody else`, async () => {
    const door = await openChatDoor({ engine });
    const [ada, max] = [await door.person('ada'), await door.person('max')];
    await door.runner({ isShared: true });
    const session = await ada.client.createSession({ agent: 'scribe', folder: '/code', runnerId: 'run_desk' });
    const [phone, tablet, watch] = [
      await door.bound(ada, 'phone'),
      await door.bound(ada, 'tablet'),
      await door.bound(ada, 'watch'),
    ];
    for (const chatter of [phone, tablet, watch]) await chatter.say(`/switch ${session.id}`);

    expect(await phone.ask('/unbind')).toEqual([expect.stringContaining('Disconnect it?')]);
    expect(await phone.ask('/unbind my tablet')).toEqual([expect.stringContaining('Use `/unbind [yes]`')]);
    expect((await phone.chat())!.session_id).toBe(session.id);
    await phone.press('Disconnect');
    expect((await phone.notes()).at(-1)!.text).toContain('now disconnected');
    await expect(max.client.removeBinding({ channel: 'slate', accountId: 'tablet' })).rejects.toMatchObject({
      code: 'not-found',
    });
    await ada.client.removeBinding({ channel: 'slate', accountId: 'tablet' });
    await door.owner.client.removeBinding({ channel: 'slate', accountId: 'watch' });

    for (const chatter of [phone, tablet, watch]) {
      expect((await chatter.chat())!.session_id).toBe(null);
      expect(await chatter.ask('hello')).toEqual([expect.stringContaining('I don’t know you yet.')]);
    }
  });
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: an account that was connected with a token does what that token may, and ends with it`, async () => {
    let now = Date.now();
    const door = await openChatDoor({ engine, now: () => now });
    const connected = async (role: 'viewer' | 'admin', expiresAt: number | null) => {
      const user = { id: door.owner.caller.userId, name: 'owner', role: 'admin' as const };
      const { id, text } = await door.tokens.createToken({ user, name: `${role} token`, role, expiresAt });
      const client = createHubClient({ url: door.url, token: text });
      const chatter = door.chatter(`account ${id}`);
      await chatter.ask(`/bind ${(await client.createBindCode({ language: 'en' })).code}`);
      const isKnown = async () => {
        const { channels } = await door.owner.client.readChannels({});
        return channels[0]!.bindings.some(({ accountId }) => accountId === chatter.accountId);
      };
      return { id, chatter, isKnown };
    };
    const reader = await connected('viewer', null);
    const passing = await connected('admin', now + 3_600_000);
    const waiting = 'Nothing needs your input.';

    expect(await reader.chatter.ask('/approve')).toEqual([expect.stringContaining('This requires the member role.')]);
    expect(await passing.chatter.ask('/approve')).toEqual([waiting]);

    await door.tokens.revokeById(reader.id);
    expect(await reader.chatter.ask('/sessions')).toEqual([expect.stringContaining('I don’t know you yet.')]);
    expect(await reader.isKnown()).toBe(false);
    expect(await passing.isKnown()).toBe(true);
    now += 3_600_000;
    expect(await passing.chatter.ask('/approve')).toEqual([expect.stringContaining('I don’t know you yet.')]);
  });
}

test('a code whose token was revoked before it was used connects nobody', async () => {
  const door = await openChatDoor();
  const ada = await door.person('ada');
  const { code } = await ada.client.createBindCode({ language: 'en' });
  await door.tokens.revokeById(ada.caller.tokenId!);
  const chatter = door.chatter('a-1');

  await chatter.ask(`/bind ${code}`);
  expect(await chatter.ask('hello')).toEqual([expect.stringContaining('I don’t know you yet.')]);
});
