import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calls, scriptedModel, says } from '../scripted-model.fixture.ts';
import { testHost } from './native-host.fixture.ts';

const ALLOWED = { agent: { snapshots: true }, permissions: { '*': 'allow' } } as const;
const lastOf = <Item>(items: readonly Item[]): Item => items.at(-1)!;

test('where there are snapshots a prompt is taken back by the id it was given with, in files too', async () => {
  const model = scriptedModel([
    says('Hello.'),
    calls(['write', { filePath: 'sub/new.txt', content: 'new\n' }]),
    calls(['edit', { filePath: 'a.txt', oldString: 'one', newString: 'two' }]),
    says('Done.'),
    says('Here again.'),
  ]);
  const { session, root } = await testHost({
    models: { default: model },
    config: ALLOWED,
    files: { 'a.txt': 'one\n' },
  });
  const one = session();
  await one.start();
  expect(one.backend.capabilities).toMatchObject({ fork: true, revert: true });
  expect(one.events[0]).toMatchObject({ type: 'agent-updated', capabilities: { revert: true } });
  await one.prompt('hello', 'msg_first');
  await one.prompt('paint the door', 'msg_second');
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('two\n');

  const { files, skipped } = await one.backend.revert!('msg_second');

  expect([...files].toSorted()).toEqual(['a.txt', 'sub/new.txt']);
  expect(skipped).toEqual([]);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n');
  expect(existsSync(join(root, 'sub/new.txt'))).toBe(false);

  // The next prompt goes on from there.
  await one.prompt('still there?');
  expect(JSON.stringify(lastOf(model.calls))).toContain('hello');
  expect(JSON.stringify(lastOf(model.calls))).not.toContain('paint the door');
  await expect(one.backend.revert!('msg_second')).rejects.toMatchObject({ code: 'not-found' });
});

test('without snapshots it is not offered', async () => {
  const { session } = await testHost({ models: { default: scriptedModel([]) } });
  const one = session();
  await one.start();
  expect(one.backend.capabilities.revert).toBeUndefined();
  expect(one.events[0]).toMatchObject({ type: 'agent-updated', capabilities: { fork: true } });
});
