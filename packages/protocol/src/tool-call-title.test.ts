import { expect, test } from 'vitest';
import { describeToolCall } from './tool-call-title.ts';

test('SYNC-84 a codebase-retrieval call is shown as Context Engine, with what it asks', () => {
  expect(describeToolCall('codebase-retrieval', { information_request: 'where is the login?' })).toEqual({
    title: 'Context Engine',
    description: 'where is the login?',
  });
});

test.each([[undefined], [null], ['text'], [{}], [{ information_request: 7 }], [{ information_request: '' }]])(
  'SYNC-84 with the input %j, as while a call is still written, there is only the title',
  (input) => {
    expect(describeToolCall('codebase-retrieval', input)).toEqual({ title: 'Context Engine' });
  },
);

test('any other tool is called by its name', () => {
  expect(describeToolCall('view', { path: 'a.ts', information_request: 'x' })).toEqual({ title: 'view' });
});
