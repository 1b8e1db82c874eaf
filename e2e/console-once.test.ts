import { startFakeProvider } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openConsole } from './console.fixture.ts';
import { calls, projectWith, says, scripted, serveHub, turnsOver } from './hub.fixture.ts';

test('a page reads the list of sessions once, and shows what changes in it', async () => {
  const server = await serveHub({});
  const folder = projectWith({ 'a.txt': 'a' });
  await server.owner.createSession({ agent: 'chat', folder, title: 'Prices' });
  const page = await openConsole(server, { path: '/login' });
  for (const path of ['/', '/sessions', '/settings']) {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${server.url}${path}`);
    await page.getByRole('link', { name: 'Prices' }).first().waitFor();
    const made = await server.owner.createSession({ agent: 'chat', folder, title: `Mail seen on ${path}` });
    await page.getByRole('link', { name: made.title }).first().waitFor();
    expect(asked.filter((one) => one === '/api/sessions')).toEqual(['/api/sessions']);
    page.removeAllListeners('request');
  }
});

test('the plan of an agent is shown once: above the place to write', async () => {
  const provider = await startFakeProvider();
  const server = await serveHub(scripted(provider.url));
  const todos = [
    { content: 'Read the prices', status: 'completed', priority: 'high' },
    { content: 'Round to cents', status: 'in_progress', priority: 'high' },
  ];
  provider.answer(calls('todo-write', { todos }), says('I am at the second step.'));
  const folder = projectWith({ 'a.txt': 'a' });
  const { id } = await server.owner.createSession({
    agent: 'native',
    folder,
    prompt: { text: 'Mend the prices.', channel: 'web' },
  });
  await turnsOver(server.owner, id);

  const page = await openConsole(server, { path: `/sessions/${id}` });
  await page.getByText('I am at the second step.').waitFor();

  expect(await page.getByRole('region', { name: 'Plan' }).count()).toBe(1);
  expect(await page.getByText('Round to cents').filter({ visible: true }).count()).toBe(1);
  expect(await page.getByRole('log').getByText('Round to cents').count()).toBe(0);
});
