import type { HubClient } from '@dragoman/protocol';

/** A session in the hub. */
interface HubWork {
  sessionId: string;
  /** How many questions were asked, all of which were answered with no. */
  questions: number;
}

/** Far too many folders to be looked into by hand. */
const MOST_FOLDERS = 60;
const MOST_FILES = 150;

/** Lets the agent work in a folder. A person is there, and allows nothing. */
export async function workInHub(
  client: HubClient,
  folder: string,
  options: { worktree?: boolean; text?: string } = {},
): Promise<HubWork> {
  const { worktree = false, text = 'Do what the repository says.' } = options;
  const { id: sessionId } = await client.createSession({ agent: 'native', folder, worktree, prompt: { text } });
  const answered = new Set<string>();
  const over = new AbortController();
  await client.followView(sessionId, {
    signal: over.signal,
    onView({ approvals, turns, queue }) {
      for (const { id, decided } of approvals) {
        if (decided !== undefined || answered.has(id)) continue;
        answered.add(id);
        client.decideApproval({ sessionId, approvalId: id, reject: true }).catch((error: unknown) => over.abort(error));
      }
      if (queue.length === 0 && turns.some(({ finishedAt }) => finishedAt !== undefined)) over.abort();
    },
  });
  return { sessionId, questions: answered.size };
}

/** Looks at all files of a session and at what changed in them, and tells everything that could be seen. */
export async function browse(client: HubClient, sessionId: string, more: readonly string[] = []): Promise<string[]> {
  const shown: string[] = [];
  const look = async <Answer>(call: Promise<Answer>): Promise<Answer | undefined> => {
    const answer = await call.catch(() => undefined);
    if (answer !== undefined) shown.push(JSON.stringify(answer));
    return answer;
  };
  const files: string[] = [...more];
  const folders = [''];
  for (let at = 0; at < Math.min(folders.length, MOST_FOLDERS); at++) {
    const path = folders[at]!;
    const listing = await look(client.listFiles({ sessionId, ...(path === '' ? {} : { path }) }));
    for (const entry of listing?.entries ?? []) (entry.kind === 'folder' ? folders : files).push(entry.path);
  }
  for (const path of files.slice(0, MOST_FILES)) await look(client.readFile({ sessionId, path }));
  for (const q of ['env', 'id_rsa', 'credentials', 'key', 'notes', '..', '.git'])
    await look(client.findFiles({ sessionId, q }));
  const changes = await look(client.listFileChanges({ sessionId }));
  for (const { path, staged } of changes?.files ?? [])
    await look(client.readDiff({ sessionId, path, ...(staged !== undefined && { staged: true }) }));
  await look(client.exportSession({ sessionId }).then(({ bytes }) => Buffer.from(bytes).toString()));
  await look(client.readLog({ sessionId, limit: 5000 }));
  await look(client.search({ q: 'of', sessionId }));
  return shown;
}
