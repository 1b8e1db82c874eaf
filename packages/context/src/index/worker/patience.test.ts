import { expect, test } from 'vitest';
import { Patience } from './patience.ts';

/** Ends when it is to hurry. */
const untilHurried = (hurry: AbortSignal) =>
  new Promise<unknown>((resolve) => hurry.addEventListener('abort', () => resolve(hurry.reason), { once: true }));
const isHurried = (patience: Patience) => patience.whileMade((hurry) => Promise.resolve(hurry.aborted));

test('vectors that are being made when a question comes are waited for a moment, and then until no question waits', async () => {
  const patience = new Patience(10);
  const hurried = patience.whileMade(untilHurried);
  expect(patience.isSpent).toBe(false);
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

  const first = patience.whileAsked(() => one.promise);
  const second = patience.whileAsked(() => other.promise);
  expect(await hurried).toMatchObject({ name: 'TimeoutError' });
  expect(patience.isSpent).toBe(true);

  one.resolve();
  await first;
  expect(await isHurried(patience)).toBe(true);
  other.resolve();
  await second;
  expect(await isHurried(patience)).toBe(false);
});

test('several segments share what a question waits for, and the next one has its own', async () => {
  const patience = new Patience(10);
  for (let question = 0; question < 2; question++)
    await patience.whileAsked(async () => {
      expect(await isHurried(patience)).toBe(false);
      await patience.whileMade(untilHurried);
      expect(await isHurried(patience)).toBe(true);
    });
});

test('where nobody waits, or nothing is being made, nothing hurries', async () => {
  const patience = new Patience(0);
  const aFewTurns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  await patience.whileMade(async (hurry) => {
    await aFewTurns();
    expect(hurry.aborted).toBe(false);
  });
  await patience.whileAsked(async () => {
    await aFewTurns();
    expect(await isHurried(patience)).toBe(false);
  });
});

test('what is done for a question comes back, and what goes wrong with it', async () => {
  const patience = new Patience();
  expect(await patience.whileAsked(() => Promise.resolve('found'))).toBe('found');
  await expect(patience.whileAsked(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});
