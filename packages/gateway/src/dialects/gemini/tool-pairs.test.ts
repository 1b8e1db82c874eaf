import { expect, test } from 'vitest';
import { ToolPairs } from './tool-pairs.ts';

test('calls without ids get the same ones in every request, and results find them by name and order', () => {
  const pairs = new ToolPairs();
  pairs.startAnswer(1);
  expect([pairs.call(undefined, 'read'), pairs.call('', 'list'), pairs.call(null, 'read')]).toEqual([
    'call_1_0',
    'call_1_1',
    'call_1_2',
  ]);

  expect(pairs.result(undefined, 'read')).toEqual({ id: 'call_1_0', name: 'read' });
  expect(pairs.result(undefined, 'read')).toEqual({ id: 'call_1_2', name: 'read' });
  expect(pairs.result(undefined, 'list')).toEqual({ id: 'call_1_1', name: 'list' });
});

test('an id that is given counts more than the order, and one that no call has is tried by its name', () => {
  const pairs = new ToolPairs();
  pairs.startAnswer(1);
  pairs.call('a', 'read');
  pairs.call('b', 'read');
  pairs.call(undefined, 'list');

  expect(pairs.result('b', 'read')).toEqual({ id: 'b', name: 'read' });
  expect(pairs.result('unknown', 'list')).toEqual({ id: 'call_1_2', name: 'list' });
  expect(pairs.result('a', undefined)).toEqual({ id: 'a', name: 'read' });
  expect(pairs.result(undefined, 'read')).toEqual({ id: 'call_read', name: 'read' });
});

test('a result belongs to the last answer, not to calls before it that nothing answered', () => {
  const pairs = new ToolPairs();
  pairs.startAnswer(1);
  pairs.call('old', 'read');
  pairs.call('answered', 'list');
  pairs.result('answered', 'list');
  pairs.startAnswer(3);
  pairs.call('new', 'read');

  expect(pairs.result(undefined, 'read')).toEqual({ id: 'new', name: 'read' });
});
