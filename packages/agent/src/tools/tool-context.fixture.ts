import type { PermissionSubject } from '@dragoman/protocol';
import type { Tool } from './tool.ts';

/** The place of a call in a test. What it asks for is written down in `asked`, and allowed unless `answer` throws. */
export function toolContext({
  abort = new AbortController().signal,
  answer = () => {},
  sessionID = 'ses_test',
}: { abort?: AbortSignal; answer?: (subjects: PermissionSubject[]) => void; sessionID?: string } = {}) {
  const asked: PermissionSubject[][] = [];
  const context: Tool.Context = {
    sessionID,
    messageID: 'msg_test',
    callID: 'call_test',
    agent: 'build',
    cwd: '/project',
    root: '/project',
    abort,
    metadata: () => {},
    isPermitted: () => true,
    ask: async (subjects) => {
      asked.push(subjects);
      answer(subjects);
    },
  };
  return { context, asked };
}
