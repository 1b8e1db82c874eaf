import type { ToolPart } from '@dragoman/protocol';
import type { Session } from '../session/session.ts';
import { checkInput } from '../tools/check-input.ts';
import { type Tool, ToolError } from '../tools/tool.ts';
import { withTimeLimit } from '../turn/time-limit.ts';

/** A person waits for the question. */
const LIMIT_MS = 5_000;

/** What a call would change, before a person is asked; nothing where the tool cannot tell, or not in time. */
export async function previewCall(
  tool: Tool.Info,
  part: ToolPart,
  session: Session,
  abort: AbortSignal,
): Promise<Tool.Preview | undefined> {
  if (tool.preview === undefined) return undefined;
  const checked = checkInput(tool, part.state.input);
  if (!checked.isValid) return undefined;
  const { cwd, root, agent } = session.state.info;
  const message = session.state.messages.findLast(({ info }) => info.id === part.messageID);
  try {
    return await withTimeLimit(
      async (signal) =>
        tool.preview!(checked.input, {
          sessionID: session.id,
          messageID: part.messageID,
          callID: part.callID,
          agent: message?.info.agent ?? agent,
          cwd,
          root,
          abort: signal,
          metadata: () => {},
          isPermitted: () => true,
          ask: () => Promise.reject(new ToolError('A preview asks for nothing.')),
        }),
      { limitMs: LIMIT_MS, signal: abort, graceMs: 0 },
    );
  } catch {
    abort.throwIfAborted();
    return undefined;
  }
}
