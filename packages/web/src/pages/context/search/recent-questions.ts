const MOST = 8;
const MOST_LETTERS = 300;

/** The questions with the newest one first, each once, the last few. */
export function withQuestion(questions: readonly string[], question: string): string[] {
  return [question, ...questions.filter((one) => one !== question)].slice(0, MOST);
}

/** What was asked about a workspace in this browser. */
export function readQuestions(workspaceId: string, storage: Pick<Storage, 'getItem'> = localStorage): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(workspaceId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string').slice(0, MOST) : [];
  } catch {
    return []; // Somebody else wrote there, or nothing can be kept here.
  }
}

/** Remembers them in this browser; none are forgotten altogether. */
export function keepQuestions(
  workspaceId: string,
  questions: readonly string[],
  storage: Pick<Storage, 'setItem' | 'removeItem'> = localStorage,
): void {
  const short = questions.filter(({ length }) => length <= MOST_LETTERS);
  try {
    if (short.length === 0) storage.removeItem(keyOf(workspaceId));
    else storage.setItem(keyOf(workspaceId), JSON.stringify(short));
  } catch {
    // A full or forbidden storage is no reason not to search.
  }
}

function keyOf(workspaceId: string): string {
  return `questions.${workspaceId}`;
}
