/** What a session was to be started with, as this browser keeps it. What is absent was never chosen. */
export interface KeptChoice {
  runnerId?: string | undefined;
  agent?: string | undefined;
  folder?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
  worktree?: boolean | undefined;
}

const KEY = 'new-session.choice';
const TEXTS = ['runnerId', 'agent', 'folder', 'model', 'mode'] as const;

/** What was chosen last in this browser. */
export function keptChoice(): KeptChoice {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Record<string, unknown> | null;
    const texts = TEXTS.flatMap((name) => {
      const text = stored?.[name];
      return typeof text === 'string' ? [[name, text] as const] : [];
    });
    return { ...Object.fromEntries(texts), ...(stored?.['worktree'] === true && { worktree: true }) };
  } catch {
    return {};
  }
}

/** Keeps what is chosen for the next time. */
export function keepChoice({ runnerId, agent, folder, model, mode, worktree }: KeptChoice): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ runnerId, agent, folder, model, mode, worktree }));
  } catch {
    // The browser keeps nothing: then it holds for as long as the page.
  }
}
