import { type ScriptedAnswer, startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { expectAccessible, openConsole } from './console.fixture.ts';
import { calls, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

/** The model reads so many files in one answer. */
function reads(count: number): ScriptedAnswer {
  const made = Array.from({ length: count }, (_none, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'read', arguments: JSON.stringify({ filePath: `src/${index}.ts` }) },
  }));
  const chunk = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  return { body: [chunk({ role: 'assistant', tool_calls: made }), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'] };
}

test('a call that is denied says so in the language of the page, and the question shows no inner marks [UAP-36]', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const folder = projectWith({ 'a.ts': 'export {};\n' });
  provider.answer(calls('bash', { command: 'eval "$X"' }), says('Then not.'));
  const { id } = await server.owner.createSession({ agent: 'native', folder, prompt: { text: 'go' } });
  const page = await openConsole(server, { language: 'zh', path: `/sessions/${id}` });
  const log = page.getByRole('log');

  await log.getByText('默认需要批准').waitFor();
  await log.getByText(/(?:1 小时|5\d 分钟)后自动拒绝/).waitFor();
  expect(await log.innerText()).not.toMatch(/unreadable|Asks because/);
  await log.getByRole('button', { name: '拒绝', exact: true }).click();
  await log.getByText('Then not.').waitFor();
  await turnsOver(server.owner, id, 1);
  await log.getByText('已拒绝', { exact: true }).waitFor();
  expect(await log.getByText('失败', { exact: true }).count()).toBe(0);
  await expectAccessible(page);
});

test('a big group of calls opens with the first of them and shows more when asked; what is looked for is led to all the same', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const files = Array.from({ length: 120 }, (_none, index) => [`src/${index}.ts`, `export const a${index} = 1;\n`]);
  const folder = projectWith(Object.fromEntries(files) as Record<string, string>);
  provider.answer(reads(120), says('All read.'));
  const { id } = await server.owner.createSession({ agent: 'native', folder, prompt: { text: 'go' } });
  await turnsOver(server.owner, id, 1);
  const page = await openConsole(server, { path: `/sessions/${id}` });
  const log = page.getByRole('log');

  await log.getByRole('button', { name: /Read 120 files/ }).click();
  const list = log.getByRole('list', { name: 'Read 120 files' });
  const more = log.getByRole('button', { name: 'Show 50 of 70 more' });
  await more.waitFor();
  expect(await list.getByRole('listitem').count()).toBe(50);
  await more.click();
  await log.getByRole('button', { name: 'Show 20 more' }).waitFor();
  expect(await list.getByRole('listitem').count()).toBe(100);

  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('textbox', { name: 'Find text' }).fill('const a117');
  const found = log.getByText('const a117').last();
  await found.waitFor();
  const isInSight = async () => {
    const { y = -1 } = (await found.boundingBox()) ?? {};
    return y > 0 && y < page.viewportSize()!.height;
  };
  await expect.poll(isInSight, { timeout: 60_000 }).toBe(true);
});
