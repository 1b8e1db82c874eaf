import type { Context } from '@dragoman/context';
import type { CodeSearch, UserId } from '@dragoman/protocol';

/** Code search for the agent: the folder it works in is indexed, as that user's, when it first asks. */
export function agentCodeSearch(
  open: () => Promise<{ context: Context; userId: UserId }>,
): (root: string) => Promise<CodeSearch> {
  return async (root) => {
    const { context, userId } = await open();
    await context.workspaces.open(userId, root);
    return context.searchIn(userId, root);
  };
}
