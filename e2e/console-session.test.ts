import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeProvider, openCutProxy, type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { expectAccessible, expectNoSidewaysScroll, type Looks, openConsole } from './console.fixture.ts';
import {
  calls,
  type HubServer,
  projectWith,
  says,
  scripted,
  serveHub,
  toldBy,
  turnsOver,
  viewUntil,
} from './hub.fixture.ts';

const CODE = {
  'src/colours.ts': "export const BLUE = 'blue';\n",
  'src/calls/try-again.ts': 'export const MAX_RETRIES = 3;\n',
};
/** An image of one dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** On a busy machine anything may take a while. */
const PATIENCE = { timeout: 60_000 };
/** How long the network is gone. */
const CUT_MS = 20_000;

/** A server with a scripted model and a project under git. */
async function serveProject(
  config: object = {},
): Promise<{ server: HubServer; provider: FakeProvider; folder: string }> {
  const provider = await startFakeProvider();
  const server = await serveHub({ ...scripted(provider.url), runner: { isShared: true }, ...config });
  const folder = projectWith(CODE);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  git('add', '.');
  git('commit', '-qm', 'first');
  return { server, provider, folder };
}

/** A session that has begun, opened in a browser. */
async function openSession(server: HubServer, folder: string, text: string, looks: Looks = {}) {
  const { id: sessionId } = await server.owner.createSession({ agent: 'native', folder, prompt: { text } });
  const page = await openConsole(server, { ...looks, path: `/sessions/${sessionId}` });
  return { sessionId, page, ...partsOf(page) };
}

/** Where things are on the page. */
function partsOf(page: Page): { log: Locator; prompt: Locator } {
  return { log: page.getByRole('log'), prompt: page.getByRole('textbox', { name: 'Prompt', exact: true }) };
}

/** The model thinks, then says something. */
function thinks(thought: string, text: string): ScriptedAnswer {
  const chunk = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  return {
    body: [
      chunk({ role: 'assistant', reasoning_content: thought }),
      chunk({ content: text }),
      chunk({}, 'stop'),
      'data: [DONE]\n\n',
    ],
  };
}

/** What the conversation says, without what only tells the time. */
async function textOf(log: Locator): Promise<string> {
  return (await log.innerText())
    .replaceAll(/\b\d+([.:]\d+)?\s?(ms|s|min|h)?\b/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

for (const size of ['desktop', 'phone'] as const)
  test(`on a ${size}, text appears while it streams, thinking is folded, and a call is allowed in its card and goes on in place [UAP-06, UAP-36]`, async () => {
    const { server, provider, folder } = await serveProject();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    provider.answer(
      thinks('They greet me.\n\nSo I greet them back.', 'Hello there.'),
      calls('bash', { command: 'echo made > made.txt' }),
      says('The first half,', goOn, ' and the second.'),
    );
    const { page, log, prompt, sessionId } = await openSession(server, folder, 'hello', { size });

    // Thinking is one line until it is opened.
    await log.getByText('Hello there.').waitFor();
    expect(await log.getByText('So I greet them back.').count()).toBe(0);
    await log.getByRole('button', { name: /Thought/ }).click();
    await log.getByText('So I greet them back.').waitFor();

    // A call waits in its card, is allowed there, and the same card is done.
    await prompt.fill('make a file');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await log.getByText('Needs input').first().waitFor();
    await log.getByRole('button', { name: 'Allow once' }).click();
    await log.getByText('Done', { exact: true }).first().waitFor();
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made\n');

    // What the model says is there before it has said it all.
    await log.getByText('The first half,').waitFor();
    expect(await log.getByText('and the second.').count()).toBe(0);
    resolve();
    await log.getByText('The first half, and the second.').waitFor();

    const view = await turnsOver(server.owner, sessionId, 2);
    expect(toldBy(view).at(-1)).toBe('text The first half, and the second.');
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

test('a running turn is stopped by its button and by Escape twice, and a prompt that waits is withdrawn', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(says('Working,', new Promise(() => {})));
  const { page, log, prompt, sessionId } = await openSession(server, folder, 'begin');
  await log.getByText('Working,').first().waitFor();

  // What each way of sending means is said before it is used.
  await page.getByText('Sent when this turn ends').waitFor();
  await page.getByText('Steer', { exact: true }).click();
  await page.getByText('Sent before the agent’s next step').waitFor();
  await page.getByText('Queue', { exact: true }).click();

  await prompt.fill('and then this');
  await prompt.press('Enter');
  const queued = page.getByRole('region', { name: '1 queued' });
  await queued.getByText('and then this').waitFor();
  expect(await prompt.inputValue()).toBe('');
  await queued.getByRole('button', { name: 'Remove from queue' }).click();
  await queued.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  expect((await turnsOver(server.owner, sessionId)).turn).toMatchObject({ reason: 'cancelled' });
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });

  await prompt.fill('once more');
  await prompt.press('Enter');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await prompt.press('Escape');
  await page.getByText('Press Esc again to stop').waitFor();
  await prompt.press('Escape');
  const { turns } = await turnsOver(server.owner, sessionId, 2);
  expect(turns.map(({ reason }) => reason)).toEqual(['cancelled', 'cancelled']);
});

test('whoever goes up while text streams stays there, without a wheel or a key too, and goes along again from the end', async () => {
  const { server, provider, folder } = await serveProject();
  const paragraphs = (name: string) =>
    Array.from({ length: 60 }, (_, index) => `The ${name} paragraph ${index}.\n\n`).join('');
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  provider.answer(
    says(paragraphs('first'), gates[0].promise, paragraphs('second'), gates[1].promise, 'The last words.'),
  );
  const { log, page, sessionId } = await openSession(server, folder, 'talk');
  await log.getByText('The first paragraph 59.').waitFor();
  // Not before the paragraphs are drawn as such, which takes more room than there is.
  const isAtEnd = () => {
    const box = document.querySelector('[role=log]')!;
    return box.scrollTop > 300 && box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  };
  await page.waitForFunction(isAtEnd);

  // As a screen reader, find in page or a dragged scrollbar do it: no event of the person comes before.
  const [before, place] = await log.evaluate(async (box) => {
    const top = box.scrollTop;
    box.scrollTop = top - 300;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return [top, box.scrollTop] as const;
  });
  expect(place).toBe(before - 300);
  gates[0].resolve();
  await viewUntil(server.owner, sessionId, (view) => JSON.stringify(view.messages).includes('second paragraph 59'));
  expect(await log.evaluate((box) => box.scrollTop)).toBe(place);

  await page.getByRole('button', { name: /Jump to latest|\d+ new/ }).click();
  await log.getByText('The second paragraph 59.').waitFor();
  gates[1].resolve();
  await log.getByText('The last words.').waitFor();
  await page.waitForFunction(isAtEnd);
});

test('whoever has scrolled up sees their prompt when they send it, and one answer is one new message', async () => {
  const { server, provider, folder } = await serveProject();
  const paragraphs = Array.from({ length: 60 }, (_, index) => `The paragraph ${index}.\n\n`).join('');
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  provider.answer(
    says(paragraphs),
    says('I see.', goOn),
    thinks('What do they mean?', 'Once more.'),
    calls('read', { filePath: 'src/colours.ts' }),
    says('It is blue.'),
  );
  const { log, page, prompt, sessionId } = await openSession(server, folder, 'talk');
  const pill = page.getByRole('button', { name: /Jump to latest|\d+ new/ });
  await log.getByText('The paragraph 59.').waitFor();
  await turnsOver(server.owner, sessionId);
  await log.press('Home');
  await pill.waitFor();

  await prompt.fill('and you?');
  await prompt.press('Enter');
  await log.getByText('and you?').waitFor();
  await log.getByText('I see.').waitFor();
  await pill.waitFor({ state: 'detached' });
  expect(await log.getByText('and you?').isVisible()).toBe(true);

  // Two prompts of one's own wait, and are taken up while one reads elsewhere.
  await prompt.fill('what do I mean?');
  await prompt.press('Enter');
  await prompt.fill('which colour?');
  await prompt.press('Enter');
  await page.getByRole('region', { name: '2 queued' }).waitFor();
  await log.press('Home');
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  resolve();
  await turnsOver(server.owner, sessionId, 4);
  await page.getByRole('button', { name: '2 new' }).waitFor();
});

test('who never scrolls sees the end, though a prompt is sent and taken up while an answer grows without a pause', async () => {
  const { server, provider, folder } = await serveProject();
  const steps = Array.from({ length: 60 }, () => Promise.withResolvers<void>());
  const pieces = steps.map(({ promise }, index) => [`Paragraph ${index} says something.\n\n`, promise]);
  provider.answer(says(...pieces.slice(0, 30).flat()), says(...pieces.slice(30).flat(), 'The last words.'));
  const { log, page, prompt, sessionId } = await openSession(server, folder, 'talk');
  await log.getByText('Paragraph 0 says').waitFor();
  for (const [index, { resolve }] of steps.entries()) {
    resolve();
    if (index === 20) {
      await prompt.fill('and more');
      await prompt.press('Enter');
      await page.getByRole('region', { name: '1 queued' }).waitFor();
    }
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  }
  await turnsOver(server.owner, sessionId, 2);
  await log.getByText('The last words.').waitFor();
  await page.waitForFunction(() => {
    const box = document.querySelector('[role=log]')!;
    return box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  });
  expect(await page.getByRole('button', { name: /Jump to latest|\d+ new/ }).count()).toBe(0);
});

test('a long session opens at its end, stays there while the rest comes, and has its beginning then', async () => {
  const home = projectWith({
    'agent.sh': `#!/bin/sh
read -r question
for step in $(seq 1 400); do printf '思考: thought %s\\n执行: look %s\\n结果:\\nseen %s\\n' $step $step $step; done
echo "回答: This is the end."
`,
  });
  const server = await serveHub({ agents: { mine: { backend: 'text', command: ['./agent.sh'] } } }, { home });
  const title = 'A long one';
  const { id } = await server.owner.createSession({
    agent: 'mine',
    folder: projectWith({}),
    title,
    prompt: { text: 'begin' },
  });
  await turnsOver(server.owner, id);
  const page = await openConsole(server, { path: '/sessions' });
  await page.getByRole('main').getByRole('link', { name: title }).click();
  const log = page.getByRole('log');
  const end = log.getByText('This is the end.');
  await end.waitFor();
  await page.getByText('Loading earlier messages…').waitFor({ state: 'detached' });
  await page.waitForFunction(() => {
    const box = document.querySelector('[role=log]')!;
    return box.scrollHeight > 10_000 && box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  });
  expect(await page.getByRole('button', { name: /Jump to latest|\d+ new/ }).count()).toBe(0);
  await log.press('Home');
  await log.getByText('begin', { exact: true }).waitFor();
});

test('a turn that failed is tried again in one press, with the same prompt', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer({ status: 400, body: JSON.stringify({ error: { message: 'Not today.' } }) }, says('Now it works.'));
  const { log, sessionId } = await openSession(server, folder, 'Say something.');
  await log.getByText('Not today.').waitFor();
  await log.getByRole('button', { name: 'Try again' }).click();
  await log.getByText('Now it works.').waitFor();
  expect(await log.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  // The model reads it once.
  expect(JSON.stringify(provider.requests.at(-1)!.body).split('Say something.')).toHaveLength(2);
  const view = await turnsOver(server.owner, sessionId, 2);
  expect(view.messages.flatMap(({ by, blocks }) => (by === undefined ? [] : blocks.map(({ block }) => block)))).toEqual(
    [
      { type: 'text', text: 'Say something.' },
      { type: 'text', text: 'Say something.' },
    ],
  );
});

test('a session is renamed letter by letter, where its title stands and by its menu', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(says('Hello.'));
  const { page, sessionId } = await openSession(server, folder, 'Say hello.');
  const title = page.getByRole('textbox', { name: 'Session title' });
  const titleNow = async () => (await server.owner.getSession({ sessionId })).title;

  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await title.pressSequentially('The lamp');
  await title.press('Enter');
  await expect.poll(titleNow).toBe('The lamp');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rename session' }).click();
  await title.pressSequentially('Another lamp');
  await title.press('Enter');
  await expect.poll(titleNow).toBe('Another lamp');
});

test('on a phone Back closes the panel of files, and the session stays', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(says('Hello.'));
  const { page, sessionId } = await openSession(server, folder, 'Say hello.', { size: 'phone' });
  const panel = page.getByRole('dialog', { name: 'Files and changes' });

  await page.getByRole('button', { name: 'Files and changes' }).click();
  await panel.waitFor();
  await page.goBack();
  await panel.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Files and changes' }).click();
  await panel.getByRole('button', { name: 'Close panel' }).click();
  await panel.waitFor({ state: 'detached' });
  expect(page.url()).toContain(sessionId);
  await page.getByRole('log').getByText('Hello.', { exact: true }).waitFor();
});

test('two browsers on one session stay equal, whoever of them writes [UAP-06]', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(
    calls('read', { filePath: 'src/colours.ts' }),
    says('There is **one** colour.'),
    calls('bash', { command: 'touch two.txt' }),
    says('Two it is.'),
  );
  const first = await openSession(server, folder, 'how many colours?');
  const other = await openConsole(server, {
    user: { name: 'mia', role: 'member' },
    path: `/sessions/${first.sessionId}`,
    browser: await openBrowser(),
  });
  const second = partsOf(other);
  await second.log.getByText('There is one colour.').waitFor();

  await second.prompt.fill('make it two');
  await second.prompt.press('Enter');
  await first.log.getByRole('button', { name: 'Allow once' }).click();
  for (const { log } of [first, second]) await log.getByText('Two it is.').waitFor();
  await turnsOver(server.owner, first.sessionId, 2);

  await expect.poll(async () => (await textOf(first.log)) === (await textOf(second.log)), PATIENCE).toBe(true);
  expect(await textOf(second.log)).toContain('make it two');
});

test('the network is gone for 20 seconds and comes back: nothing is lost, nothing is loaded anew, and a prompt that could not be sent is sent by itself, once', async () => {
  const { server, provider, folder } = await serveProject();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  provider.answer(says('Before the cut,', goOn, ' during it.'), says('A second answer.'), says('A third answer.'));
  const { id: sessionId } = await server.owner.createSession({ agent: 'native', folder, prompt: { text: 'go' } });
  const network = await openCutProxy(Number(new URL(server.url).port));
  const page = await openConsole({ ...server, url: network.url }, { path: `/sessions/${sessionId}` });
  const { log, prompt } = partsOf(page);
  await log.getByText('Before the cut,').waitFor();
  await page.evaluate('window.isSame = true');

  network.cut();
  await page.context().setOffline(true);
  await page.getByText('Can’t reach the server. This page may be out of date.').waitFor();
  resolve();
  await turnsOver(server.owner, sessionId);
  await server.owner.sendPrompt({ sessionId, text: 'from elsewhere' });
  await turnsOver(server.owner, sessionId, 2);
  await prompt.fill('written without a network');
  await prompt.press('Enter');
  await page.getByText('Will be sent when the server is back, even if you leave this page.').waitFor();
  expect(await prompt.inputValue()).toBe('');
  expect(await log.getByText('A second answer.').count()).toBe(0);
  await page.waitForTimeout(CUT_MS);

  // The connections from before do not survive it.
  network.heal('reset');
  await page.context().setOffline(false);
  await log.getByText('A second answer.').waitFor();
  await log.getByText('Before the cut, during it.').waitFor();
  await page.getByText('Can’t reach the server. This page may be out of date.').waitFor({ state: 'detached' });
  await log.getByText('A third answer.').waitFor();
  await page.getByText('Will be sent when the server is back').waitFor({ state: 'detached' });
  expect(await page.evaluate('window.isSame')).toBe(true);
  expect(toldBy(await turnsOver(server.owner, sessionId, 3))).toEqual([
    'text go',
    'text Before the cut, during it.',
    'text from elsewhere',
    'text A second answer.',
    'text written without a network',
    'text A third answer.',
  ]);
});

test('a viewer sees everything and can do nothing: no composer, no answers, no stage, no commit', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(calls('bash', { command: 'echo 1 >> src/colours.ts' }), says('Changed.'));
  const { id: sessionId } = await server.owner.createSession({
    agent: 'native',
    folder,
    prompt: { text: 'change a colour' },
  });
  const waiting = await viewUntil(server.owner, sessionId, ({ approvals }) => approvals.length === 1);
  const page = await openConsole(server, { user: { name: 'vic', role: 'viewer' }, path: `/sessions/${sessionId}` });
  const { log, prompt } = partsOf(page);

  await log.getByText('change a colour').waitFor();
  await page.getByText('You have view-only access. Ask an admin for the member role.').last().waitFor();
  expect(await prompt.count()).toBe(0);
  const allow = log.getByRole('button', { name: 'Allow once' });
  expect((await allow.count()) === 0 || (await allow.isDisabled())).toBe(true);
  await server.owner.decideApproval({ sessionId, approvalId: waiting.approvals[0]!.id, optionId: 'once' });
  await log.getByText('Changed.').waitFor();

  await page.getByRole('button', { name: 'Files and changes' }).click();
  const side = page.getByRole('complementary', { name: 'Files and changes' });
  await side.getByRole('button', { name: /colours\.ts/ }).click();
  await side.getByText('BLUE').first().waitFor();
  expect(await side.getByRole('checkbox').count()).toBe(0);
  expect(await side.getByRole('button', { name: /Commit|Discard|Comment/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    'Export as Markdown',
    'Export as JSON',
    'Commands',
    'Keyboard shortcuts',
  ]);
});

test('a member is told that the machine is not shared, and is offered nothing that would be refused', async () => {
  const { server, provider, folder } = await serveProject({ runner: { isShared: false } });
  provider.answer(calls('bash', { command: 'touch made.txt' }));
  const { id: sessionId } = await server.owner.createSession({
    agent: 'native',
    folder,
    prompt: { text: 'make a file' },
  });
  await viewUntil(server.owner, sessionId, ({ approvals }) => approvals.length === 1);
  const page = await openConsole(server, { user: { name: 'mia', role: 'member' }, path: `/sessions/${sessionId}` });
  const { log, prompt } = partsOf(page);

  await page.getByText(/^View only: .+ belongs to owner and isn’t shared with members\.$/).waitFor();
  await log.getByText('View only: the agent’s machine isn’t shared with you.').waitFor();
  expect(await prompt.count()).toBe(0);
  expect(await log.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
  await page.getByRole('button', { name: 'More actions' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
    'Export as Markdown',
    'Export as JSON',
    'Commands',
    'Keyboard shortcuts',
  ]);
});

test('a fork says which session it comes from, leads back to it, and is marked in the list', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(says('Hello.'));
  const { page, log, sessionId } = await openSession(server, folder, 'greet me');
  await log.getByText('Hello.').waitFor();
  await turnsOver(server.owner, sessionId);
  await server.owner.updateSession({ sessionId, title: 'Greetings' });
  const { id: forkId } = await server.owner.forkSession({ sessionId });

  await page.goto(`${server.url}/sessions`);
  const row = page.getByRole('listitem').filter({ has: page.getByLabel('Fork', { exact: true }) });
  await row.getByRole('link', { name: 'Greetings' }).click();
  await page.waitForURL(`**/sessions/${forkId}`);
  await page.getByRole('link', { name: 'Fork of Greetings' }).click();
  await page.waitForURL(`**/sessions/${sessionId}`);
  await log.getByText('Hello.').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Fork of Greetings' }).count(), PATIENCE).toBe(0);
});

test('changes stand side by side in a panel that is as wide as at first', async () => {
  const { server, provider, folder } = await serveProject({ permissions: { bash: 'allow' } });
  provider.answer(calls('bash', { command: 'echo "export const RED = 1;" >> src/colours.ts' }), says('Added RED.'));
  const { page, log } = await openSession(server, folder, 'add RED');
  await log.getByText('Added RED.').waitFor();
  await page.getByRole('button', { name: 'Files and changes' }).click();
  const side = page.getByRole('complementary', { name: 'Files and changes' });
  await side.getByRole('button', { name: /Modified.*colours\.ts/ }).click();
  const columns = () => side.getByRole('row', { name: /RED/ }).getByRole('cell').count();
  const inline = await columns();
  await side.getByText('Side by side').click();
  await expect.poll(columns, PATIENCE).toBeGreaterThan(inline);
  await expectNoSidewaysScroll(page);
});

for (const size of ['desktop', 'phone'] as const)
  test(`on a ${size}, a comment on a line reaches the agent as a prompt, and what is staged is committed [UAP-36]`, async () => {
    const { server, provider, folder } = await serveProject({ permissions: { bash: 'allow' } });
    provider.answer(
      calls('bash', { command: 'echo "export const RED = 1;" >> src/colours.ts && touch notes.txt' }),
      says('Added RED.'),
      says('It is a string now.'),
    );
    const { page, log, sessionId } = await openSession(server, folder, 'add RED', { size });
    await log.getByText('Added RED.').waitFor();

    await page.getByRole('button', { name: 'Files and changes' }).click();
    const side =
      size === 'desktop'
        ? page.getByRole('complementary', { name: 'Files and changes' })
        : page.getByRole('dialog', { name: 'Files and changes' });
    await side.getByText('2 changed files').waitFor();
    await side.getByRole('button', { name: /Modified.*colours\.ts/ }).click();
    await side
      .getByRole('button', { name: /comment/i })
      .last()
      .click();
    await side.getByRole('textbox', { name: 'Comment on line 2' }).fill('Use a word, as BLUE does.');
    await side.getByRole('button', { name: 'Add comment' }).click();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await side.getByRole('button', { name: 'Send 1 comment to the agent' }).click();
    const view = await turnsOver(server.owner, sessionId, 2);
    expect(toldBy(view).slice(-2)).toEqual([
      'text Please address my comments on your changes:\n\nsrc/colours.ts:2\n> export const RED = 1;\nUse a word, as BLUE does.',
      'text It is a string now.',
    ]);

    await side.getByRole('checkbox', { name: 'Stage src/colours.ts' }).click();
    await side.getByText('1 staged').waitFor();
    await side.getByRole('textbox', { name: 'Commit message' }).fill('Add a colour');
    await side.getByRole('button', { name: 'Commit', exact: true }).click();
    await side.getByText('1 changed file', { exact: true }).waitFor();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    expect(git('log', '-1', '--format=%an: %s', '--name-only').trim()).toBe('owner: Add a colour\n\nsrc/colours.ts');
    expect(git('status', '--porcelain').trim()).toBe('?? notes.txt');
  });

test('a draft outlives the page, a prompt whose answer got lost is not sent twice, and commands, files and images go along by keyboard', async () => {
  const { server, provider, folder } = await serveProject();
  provider.answer(says('Hello.'));
  const { page, log, prompt, sessionId } = await openSession(server, folder, 'hi');
  await log.getByText('Hello.').waitFor();

  await prompt.fill('a draft');
  await page.reload();
  await expect.poll(() => prompt.inputValue(), PATIENCE).toBe('a draft');

  // The server has it, but the page is not told so by the answer: the session itself tells.
  await page.route(
    '**/prompts',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await prompt.press('Enter');
  await expect.poll(() => prompt.inputValue(), PATIENCE).toBe('');
  const second = await turnsOver(server.owner, sessionId, 2);
  expect(toldBy(second)).toEqual(['text hi', 'text Hello.', 'text a draft', 'text Hello.']);

  // A file by a part of its path.
  await prompt.pressSequentially('see @again');
  await page.getByRole('option', { name: 'src/calls/try-again.ts' }).waitFor();
  await prompt.press('Enter');
  expect(await prompt.inputValue()).toBe('see @src/calls/try-again.ts ');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
  await page.getByRole('button', { name: 'Remove dot.png' }).waitFor();
  await prompt.press('Enter');
  const third = await turnsOver(server.owner, sessionId, 3);
  expect(third.messages.findLast(({ by }) => by?.type === 'user')!.blocks.map(({ block }) => block)).toEqual([
    { type: 'text', text: 'see @src/calls/try-again.ts ' },
    { type: 'image', media_type: 'image/png', data: PNG },
  ]);
  await page.getByRole('button', { name: 'Remove dot.png' }).waitFor({ state: 'detached' });

  // A larger one is kept by the server and shown from there.
  const larger = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(2_000)]);
  await page.locator('input[type=file]').setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: larger });
  await page.getByRole('button', { name: 'Remove large.png' }).waitFor();
  await prompt.press('Enter');
  await turnsOver(server.owner, sessionId, 4);
  const shown = log.locator('img[src^="blob:"]');
  await expect
    .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), PATIENCE)
    .toBe(1);

  // A command of the console: what was written is a choice, not a prompt.
  await prompt.pressSequentially('/mode');
  await page.getByRole('option', { name: /^\/mode / }).waitFor();
  await prompt.press('ArrowDown');
  await prompt.press('Enter');
  expect(await prompt.inputValue()).toBe('/mode ');
  await prompt.pressSequentially('pl');
  await page.getByRole('option', { name: /plan/i }).first().waitFor();
  await prompt.press('Tab');
  await viewUntil(server.owner, sessionId, ({ mode }) => mode === 'plan');
  expect(await prompt.inputValue()).toBe('');
});

test('a prompt is taken back with what it changed in files, and its words are there to be written anew', async () => {
  const { server, provider, folder } = await serveProject({ permissions: { '*': 'allow' } });
  provider.answer(
    says('Hello.'),
    calls('read', { filePath: 'src/colours.ts' }, 'call_1'),
    calls('write', { filePath: 'src/colours.ts', content: 'export const BLUE = 1;\n' }, 'call_2'),
    says('Changed.'),
  );
  const { page, log, prompt, sessionId } = await openSession(server, folder, 'hi');
  await log.getByText('Hello.').waitFor();
  await prompt.fill('make it a number');
  await prompt.press('Enter');
  await log.getByText('Changed.').waitFor();
  await turnsOver(server.owner, sessionId, 2);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: /^Revert/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Revert to an earlier prompt' });
  // The session's events may arrive before the answer to the call.
  await page.route(/\/revert$/, async (route) => {
    const response = await route.fetch();
    await log.getByText('Changed.').waitFor({ state: 'detached' });
    await route.fulfill({ response });
  });
  await dialog.getByText('make it a number').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Reverted. 1 file restored.').waitFor();
  expect(readFileSync(join(folder, 'src/colours.ts'), 'utf8')).toBe(CODE['src/colours.ts']);
  await expect.poll(() => log.getByText('Changed.').count()).toBe(0);
  await expect.poll(() => prompt.inputValue()).toBe('make it a number');
});
