import type { SessionState, ToolPart } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { permissionRequest } from './ask-permission.ts';

test('a patch that is asked about is shown as what it would do, deletions too', () => {
  const input = { patchText: '*** Begin Patch\n*** Delete File: README.md\n*** End Patch' };
  const part: ToolPart = {
    id: 'prt_1',
    sessionID: 'ses_1',
    messageID: 'msg_1',
    type: 'tool',
    callID: 'call_1',
    tool: 'apply-patch',
    state: { status: 'pending', input, raw: '' },
  };
  const request = {
    id: 'apr_1',
    sessionID: 'ses_1',
    messageID: 'msg_1',
    callID: 'call_1',
    tool: 'apply-patch',
    title: 'patch README.md',
    input,
    subjects: [],
    reason: 'It has to be asked about.',
    always: [],
    diff: '--- README.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-read me\n',
  };
  const state = { info: { cwd: '/project', root: '/project' } } as SessionState;

  expect(permissionRequest('ses_1', request, part, state).toolCall.content).toMatchObject([
    { content: { text: expect.stringContaining('--- README.md\n+++ /dev/null\n') as string } },
    { content: { text: 'It has to be asked about.' } },
  ]);
});
