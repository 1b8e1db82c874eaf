import { expect, test } from 'vitest';
import { OK, openBrowser, REFUSED } from './outbox.fixture.ts';
import type { Deed } from './outbox-item.ts';

const prompt = (id: string, text = `do ${id}`): Deed => ({
  call: 'sendPrompt',
  input: { sessionId: 'ses_1', id, text, channel: 'web' },
});
const approval = (text?: string): Deed => ({
  call: 'decideApproval',
  input: { sessionId: 'ses_1', approvalId: 'a-1', optionId: 'yes', ...(text !== undefined && { text }) },
});
const SENT = (id: string) => `POST ses_1/prompts ${id}`;

test('what is done is sent once and in its order, however often it is tried', async () => {
  const { server, openPage } = await openBrowser();
  const answered = Promise.withResolvers<void>();
  server.answer = () => answered.promise.then(() => OK);
  const page = await openPage();

  for (const id of ['p-1', 'p-2', 'p-3']) page.post(prompt(id));
  await expect.poll(() => server.told).toEqual([SENT('p-1')]);
  page.post(prompt('p-2')); // The same deed again.
  page.comeBack();
  page.comeBack();
  expect(page.outboxItems().map(({ id }) => id)).toEqual(['p-1', 'p-3', 'p-2']);
  answered.resolve();

  await expect.poll(() => page.outboxItems()).toEqual([]);
  expect(server.told).toEqual(['p-1', 'p-3', 'p-2'].map(SENT));
});

test.each([
  ['breaks off', undefined],
  ['is busy', { status: 503, body: { error: { code: 'unavailable', message: 'busy' } } }],
  ['wants it slower', { status: 429, body: { error: { code: 'rate-limited', message: 'slower' } } }],
  ['asks who it is', { status: 401, body: { error: { code: 'unauthenticated', message: 'who?' } } }],
])('where the server %s, what was done waits, is marked as tried, and goes once it is back', async (_, passing) => {
  const { server, openPage } = await openBrowser();
  server.answer = async () => passing;
  const page = await openPage();
  page.post(prompt('p-1'));
  page.post(prompt('p-2'));
  await expect.poll(() => page.outboxItems().map(({ wasTried }) => wasTried)).toEqual([true, true]);
  expect(server.told).not.toContain(SENT('p-2'));

  server.answer = async () => OK;
  page.comeBack();
  await expect.poll(() => page.outboxItems()).toEqual([]);
  expect(server.done).toEqual([SENT('p-1'), SENT('p-2')]);
  expect(server.told.filter((call) => call === SENT('p-2'))).toHaveLength(1);
});

test('what waits outlives the page, and is sent by the next one', async () => {
  const { server, openPage } = await openBrowser();
  server.answer = async () => undefined;
  const page = await openPage();
  page.post(prompt('p-1'));
  await expect.poll(() => page.outboxItems()[0]?.wasTried).toBe(true);
  page.close();

  server.answer = async () => OK;
  const next = await openPage();
  await expect.poll(() => next.outboxItems()).toEqual([]);
  expect(server.done).toEqual([SENT('p-1')]);
});

test('what somebody else did in this browser is not sent, nor anything by a login that is another’s', async () => {
  const { server, storage, openPage } = await openBrowser();
  const item = { ...prompt('p-bob'), id: 'p-bob', userId: 'usr_bob', at: 1 };
  storage['outbox.p-bob'] = JSON.stringify(item);
  const page = await openPage();
  page.post(prompt('p-ada'));
  await expect.poll(() => server.done).toEqual([SENT('p-ada')]);
  await expect.poll(() => page.outboxItems()).toEqual([item]);

  // The cookie is Bob's by now; this page still believes that it is Ada's.
  server.userId = 'usr_bob';
  storage['dragoman.page-secret'] = 'of-bob';
  page.post(prompt('p-late'));
  const next = await openPage();
  next.post(prompt('p-later'));
  await expect.poll(() => next.outboxItems().map(({ id }) => id)).toEqual(['p-bob', 'p-late', 'p-later']);
  page.close();
  next.close();
  const ofBob = await openPage('usr_bob');
  await expect.poll(() => ofBob.outboxItems().map(({ id }) => id)).toEqual(['p-late', 'p-later']);
  expect(server.told).toEqual([SENT('p-ada'), SENT('p-bob')]);
});

test('words that are refused are kept with the reason and not sent again by themselves; an answer without words is forgotten', async () => {
  const { server, openPage } = await openBrowser();
  server.answer = async () => REFUSED;
  const page = await openPage();
  page.post(prompt('p-1'));
  page.post(approval());
  page.post(prompt('p-2'));
  const refusal = { code: 'forbidden', message: 'The machine is not yours.' };
  await expect
    .poll(() => page.outboxItems().map(({ id, refusal: why }) => [id, why]))
    .toEqual([
      ['p-1', refusal],
      ['p-2', refusal],
    ]);
  expect(page.outcomeOf('ses_1 a-1').refusal).toMatchObject(refusal);
  page.comeBack();
  const next = await openPage();
  next.post(approval('no, because'));
  await expect.poll(() => next.outboxItems().map(({ id }) => id)).toEqual(['p-1', 'p-2', 'ses_1 a-1']);
  await expect.poll(() => next.outboxItems().every(({ refusal: why }) => why !== undefined)).toBe(true);
  expect(server.told).toHaveLength(4);

  server.answer = async () => OK;
  next.takeBack('p-1');
  next.takeBack('ses_1 a-1');
  next.postAgain(next.outboxItems()[0]!);
  await expect.poll(() => next.outboxItems()).toEqual([]);
  expect(server.done).toEqual([SENT('p-2')]);
});

test.each([
  ['takes it', OK],
  ['refuses it', REFUSED],
  ['breaks off', undefined],
])('what is taken back while it is sent does not come back where the server %s', async (_, last) => {
  const { server, openPage } = await openBrowser();
  const answered = Promise.withResolvers<void>();
  server.answer = (call) => (call === SENT('p-1') ? answered.promise.then(() => last) : Promise.resolve(OK));
  const page = await openPage();
  page.post(prompt('p-1'));
  await expect.poll(() => server.told).toEqual([SENT('p-1')]);
  page.takeBack('p-1');
  page.post(prompt('p-2'));
  answered.resolve();

  await expect.poll(() => server.done.at(-1)).toBe(SENT('p-2'));
  await expect.poll(() => page.outboxItems()).toEqual([]);
  expect(server.told).toEqual([SENT('p-1'), SENT('p-2')]);
});

test.each(['isFull', 'isOff'] as const)(
  'where the storage of the browser %s, it is sent all the same, and said to be unkept',
  async (lack) => {
    const { server, room, openPage } = await openBrowser();
    server.answer = async () => undefined;
    const page = await openPage();
    page.post(prompt('p-0'));
    await expect.poll(() => page.outboxItems()[0]?.wasTried).toBe(true);
    expect(page.isKept(page.outboxItems()[0]!)).toBe(true);
    room[lack] = true;
    page.post(prompt('p-1'));
    await expect.poll(() => page.outboxItems().map(({ id, wasTried }) => [id, wasTried])).toContainEqual(['p-1', true]);
    expect(page.isKept(page.outboxItems().find(({ id }) => id === 'p-1')!)).toBe(false);

    server.answer = async () => OK;
    page.comeBack();
    await expect.poll(() => server.done).toContain(SENT('p-1'));
    await expect.poll(() => page.outboxItems().some(({ id }) => id === 'p-1')).toBe(false);
  },
);

test('a browser is not filled up: what is beyond two hundred deeds or two million characters lives as long as the page', async () => {
  const { server, storage, openPage } = await openBrowser();
  server.userId = 'usr_other'; // Nothing is sent.
  const page = await openPage();
  const put = (id: string, text: string) => {
    page.putItem({ ...prompt(id, text), id, userId: 'usr_ada', at: 1 });
    return page.isKept(page.outboxItems().find((item) => item.id === id)!);
  };
  expect(put('large', 'x'.repeat(1_900_000))).toBe(true);
  expect(put('too much', 'x'.repeat(200_000))).toBe(false);
  page.removeItem('large');
  expect(put('too much', 'x'.repeat(200_000))).toBe(true);
  for (let count = 1; count < 200; count += 1) expect(put(`p-${count}`, '')).toBe(true);
  expect(put('one more', '')).toBe(false);
  expect(Object.keys(storage).filter((key) => key.startsWith('outbox.'))).toHaveLength(200);
});

test('two pages of a browser show the same, and together do each deed once', async () => {
  const { server, openPage } = await openBrowser();
  server.answer = async () => undefined;
  const [one, other] = [await openPage(), await openPage()];
  one.post(prompt('p-1'));
  expect(other.outboxItems().map(({ id }) => id)).toEqual(['p-1']);
  await expect.poll(() => other.outboxItems()[0]?.wasTried).toBe(true);
  other.post(prompt('p-2'));

  server.answer = async () => OK;
  await expect.poll(() => (one.comeBack(), other.comeBack(), one.outboxItems())).toEqual([]);
  await expect.poll(() => other.outboxItems()).toEqual([]);
  expect(server.done).toEqual([SENT('p-1'), SENT('p-2')]);

  server.answer = async () => undefined;
  one.post(prompt('p-3'));
  other.takeBack('p-3');
  expect(one.outboxItems()).toEqual([]);
  server.answer = async () => OK;
  one.post(prompt('p-4'));
  await expect.poll(() => one.outboxItems()).toEqual([]);
  expect(server.done.at(-1)).toBe(SENT('p-4'));
});

test('what stands in the browser’s storage and is no deed is passed over', async () => {
  const { server, storage, openPage } = await openBrowser();
  for (const [index, text] of ['{', 'null', '[]', '"x"', '{"id":"a"}', '{"id":1,"at":"now"}'].entries())
    storage[`outbox.${index}`] = text;
  storage['other'] = 'mine';
  const page = await openPage();
  page.post(prompt('p-1'));
  await expect.poll(() => server.done).toEqual([SENT('p-1')]);
  await expect.poll(() => page.outboxItems()).toEqual([]);
  expect(storage['other']).toBe('mine');
});
