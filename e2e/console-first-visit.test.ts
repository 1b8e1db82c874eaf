import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { chooseFolder, expectAccessible, expectNoSidewaysScroll, openConsole } from './console.fixture.ts';
import { englishOn } from './console-words.fixture.ts';
import { calls, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

const CODE = {
  'src/settings/load-config.ts':
    '/** Reads the configuration from its file; this is the one place where the config is read. */\nexport function loadConfig(file: string): string {\n  return file;\n}\n',
  'src/colours.ts': "export const BUTTON_COLOUR = 'blue';\n",
};

for (const size of ['desktop', 'phone'] as const) {
  test(`on a fresh server the first visit ends with an answer that names the right file, on a ${size}`, async () => {
    const server = await serveHub({});
    const folder = projectWith(CODE);
    const page = await openConsole(server, { size });
    const { promise: isSeen, resolve: showFolders } = Promise.withResolvers<void>();
    await page.route(/\/folders(\?|$)/, async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.reload();

    // The folders of the machine are still on their way.
    await page.getByRole('heading', { name: 'Try it now' }).waitFor();
    await expectAccessible(page);
    showFolders();
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('combobox', { name: 'Folder' }).fill(folder);
    await page.getByRole('option', { name: 'src' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('Where is the configuration read?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();

    await page.waitForURL(/\/sessions\/ses_/);
    await page.getByText(/Relevant files: src\/settings\/load-config\.ts/).waitFor();
    await expectNoSidewaysScroll(page);
    expect((await server.owner.listSessions()).sessions).toMatchObject([
      { agent: 'native', model: 'offline/offline', folder, title: 'Where is the configuration read?' },
    ]);
  });
}

test('a folder that is not there starts nothing: the field says so, on the first visit and for a new session', async () => {
  const server = await serveHub({});
  const page = await openConsole(server);
  await page.getByRole('combobox', { name: 'Folder' }).fill('/nowhere/at/all');
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByText('This folder doesn’t exist on this machine.').waitFor();

  await page.goto(`${server.url}/sessions/new`);
  await chooseFolder(page, 'nowhere');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('Enter a full path that starts with').waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(new URL(page.url()).pathname).toBe('/new');
  await page.getByRole('button', { name: 'Mode: build (default)' }).click();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'Default modebuild',
    'buildDoes the work: reads, changes and runs code',
    'planWorks out a plan and changes nothing',
  ]);
  expect((await server.owner.listSessions()).sessions).toEqual([]);
});

test('a session that could not start leaves the welcome, and goes on in another mode', async () => {
  const server = await serveHub({});
  const folder = projectWith(CODE);
  const { id } = await server.owner.createSession({
    agent: 'native',
    folder,
    mode: 'bananas',
    model: 'offline/offline',
    prompt: { text: 'Where is the configuration read?' },
  });
  const page = await openConsole(server);
  await page.getByRole('heading', { name: 'Failed' }).waitFor();
  await page.getByRole('heading', { name: 'Try it now' }).waitFor();

  await page.goto(`${server.url}/sessions/${id}`);
  await page.getByRole('button', { name: 'Mode: bananas' }).click();
  await page.getByRole('menuitemradio', { name: 'plan' }).click();
  await page.getByRole('button', { name: 'Mode: plan' }).waitFor();
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Where is the configuration read?');
  await page.keyboard.press('Enter');
  await page.getByText(/Relevant files: src\/settings\/load-config\.ts/).waitFor();
  expect(await server.owner.getSession({ sessionId: id })).toMatchObject({ mode: 'plan' });
});

test('a folder is found by walking there with the keyboard alone', async () => {
  const server = await serveHub({});
  const folder = projectWith({ 'inner/deep/a.ts': 'export {};\n', 'other/b.ts': 'export {};\n' });
  const page = await openConsole(server);

  const field = page.getByRole('combobox', { name: 'Folder' });
  await field.fill(`${folder}/in`); // Still typing: what begins like that is shown.
  await page.getByRole('option', { name: 'inner' }).waitFor();
  expect(await page.getByRole('option').allTextContents()).toEqual(['Parent folder', 'inner']);
  await field.press('ArrowDown');
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.getByRole('option', { name: 'deep' }).waitFor();
  expect(await field.inputValue()).toBe(`${folder}/inner`);
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.getByRole('option', { name: 'other' }).waitFor();
  expect(await field.inputValue()).toBe(folder);
});

test('in a Chinese browser the first visit, the home page and a new session are Chinese throughout', async () => {
  const server = await serveHub({});
  const page = await openConsole(server, { language: 'zh' });

  await page.getByRole('heading', { name: '马上试试' }).waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN');
  expect(await englishOn(page)).toEqual([]);
  await page.getByRole('button', { name: '添加模型服务' }).click();
  await page.getByRole('button', { name: /DeepSeek/ }).click();
  await page.getByLabel('API 密钥').waitFor();
  expect(await englishOn(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('combobox', { name: '文件夹' }).fill(projectWith(CODE));
  await page.getByRole('button', { name: '提问', exact: true }).click();
  await page.waitForURL(/\/sessions\/ses_/);
  await page
    .getByText(/src\/settings\/load-config\.ts/)
    .first()
    .waitFor();

  await page.goto(`${server.url}/new`);
  await page.getByRole('button', { name: /^智能体/ }).click();
  await page.getByRole('option').first().waitFor();
  expect(await englishOn(page)).toEqual([]);
  await page.goto(server.url);
  await page
    .getByRole('heading', { name: /最近的会话|已完成，未读/ })
    .first()
    .waitFor();
  expect(await englishOn(page)).toEqual([]);
});

test('a provider is set up in the page, tested, and answers the next session; its key is never shown', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub({});
  const page = await openConsole(server);
  const key = 'sk-of-the-first-visit-0123456789';
  const seen: string[] = [];
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => seen.push(text),
        () => {},
      ),
  );

  await page.getByRole('button', { name: 'Add provider' }).click();
  await page.getByRole('button', { name: /OpenAI-compatible/ }).click();
  await page.getByLabel('Base URL').fill('127.0.0.1:8000/v1');
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The URL must start with http:// or https://.').waitFor();
  await page.keyboard.press('Escape'); // What was typed is not thrown away unasked.
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Base URL').fill(`${provider.url}/v1`);
  await page.getByLabel('API key').fill(key);
  expect(await page.getByLabel('API key').getAttribute('type')).toBe('password');
  await expectAccessible(page);

  // First the service refuses the key, and says so in words.
  provider.answer({ status: 401, body: JSON.stringify({ error: { message: `Incorrect API key: ${key}` } }) });
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The API key was rejected.').waitFor();

  const models = { body: JSON.stringify({ data: [{ id: 'alpha' }, { id: 'beta' }] }) };
  provider.answer(models, says('ready'));
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText(/alpha answered in/).waitFor();
  await page.getByText('“ready”').waitFor();
  await page.getByRole('checkbox', { name: 'beta' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('OpenAI-compatible saved').waitFor();
  expect((await server.owner.listRunners()).runners[0]!.agents.map(({ name }) => name)).toContain('native');

  provider.answer(says('I am alpha.'));
  await page.getByRole('link', { name: 'Start a session' }).click();
  await chooseFolder(page, projectWith(CODE));
  await page.getByRole('textbox', { name: 'Prompt' }).fill('who are you?');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sessions\/ses_/);
  await page.getByText('I am alpha.').first().waitFor();

  expect(provider.requests.at(-1)).toMatchObject({
    body: { model: 'alpha' },
    headers: { authorization: `Bearer ${key}` },
  });
  expect(seen.filter((text) => text.includes(key))).toEqual([]);
  expect(await page.content()).not.toContain(key);
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(key);
});

test('on the home page an approval is answered with a key alone, and stays a moment to say so [UAP-10]', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  provider.answer(calls('bash', { command: 'touch hello.txt' }), says('Said hello.'));
  const { id } = await server.owner.createSession({
    agent: 'native',
    folder: projectWith(CODE),
    prompt: { text: 'say hello' },
  });
  const page = await openConsole(server);

  await page.getByRole('heading', { name: 'Needs input' }).waitFor();
  await page.locator('pre').getByText('touch hello.txt').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Home shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.getByText('You allowed this').waitFor();
  await turnsOver(server.owner, id);

  // Then it is finished and unread, until r says it was read.
  await page.getByRole('heading', { name: 'Finished, unread' }).waitFor();
  await page.getByText('Said hello.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'say hello' }).last().focus();
  await page.keyboard.press('r');
  await page.getByText('You’re all caught up').waitFor();
  expect(await server.owner.getSession({ sessionId: id })).toMatchObject({ status: 'idle' });
});

test('a session that failed says why on the home page and is dismissed there; a viewer who never opened it is not bothered', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  provider.answer({ status: 401, body: JSON.stringify({ error: { message: 'No such key' } }) });
  const { id } = await server.owner.createSession({
    agent: 'native',
    folder: projectWith(CODE),
    prompt: { text: 'do something' },
  });
  await turnsOver(server.owner, id);
  const [page, viewer] = await Promise.all([
    openConsole(server),
    openConsole(server, { user: { name: 'vic', role: 'viewer' }, size: 'phone' }),
  ]);

  await page.getByRole('heading', { name: 'Failed' }).waitFor();
  await page.getByText(/No such key/).waitFor();
  await viewer.getByText('You’re all caught up').waitFor();
  await viewer
    .getByRole('main')
    .getByRole('link', { name: /do something/ })
    .waitFor();
  expect(await viewer.getByRole('link', { name: 'New session' }).count()).toBe(0);
  await expectNoSidewaysScroll(viewer);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('You’re all caught up').waitFor();
  expect((await server.owner.getSession({ sessionId: id })).readSeq).toBeGreaterThan(0);
});
