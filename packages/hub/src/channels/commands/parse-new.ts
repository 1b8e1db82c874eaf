/** What was written behind `/new`. */
export interface NewWords {
  agent?: string;
  folder?: string;
  machine?: string;
  /** Everything that names none of these. */
  prompt: string;
  /** It stands behind the command, on the same line. */
  isPromptOnLine: boolean;
}

const WORD = /^\s*(?:(@)?(?:"((?:[^"\\]|\\.)*)"|“([^”]*)”)|(@)?(\S+))/;

/**
 * Reads what was written behind `/new`: an agent, a folder and a machine, each where it stands before everything else, and
 * in any order. The rest of the line and the lines behind it are the first prompt.
 */
export function parseNew(args: string, agents: ReadonlySet<string>): NewWords {
  const [line = ''] = args.split('\n', 1);
  const lines = args.slice(line.length + 1);
  const found: Omit<NewWords, 'prompt' | 'isPromptOnLine'> = {};
  let rest = line;
  for (;;) {
    const match = WORD.exec(rest);
    if (match === null) break;
    const isMachine = match[1] !== undefined || match[4] !== undefined;
    const word = match[2] === undefined ? (match[3] ?? match[5] ?? '') : unquoted(match[2]);
    if (isMachine && found.machine === undefined && word !== '') found.machine = word;
    else if (!isMachine && found.folder === undefined && isFolder(word)) found.folder = word;
    else if (!isMachine && found.agent === undefined && agents.has(word.toLowerCase()))
      found.agent = word.toLowerCase();
    else break;
    rest = rest.slice(match[0].length);
  }
  const prompt = [rest.trim(), lines.trim()].filter((text) => text !== '').join('\n');
  return { ...found, prompt, isPromptOnLine: rest.trim() !== '' };
}

function isFolder(word: string): boolean {
  return /^(?:~(?:[\\/]|$)|\/|[A-Za-z]:[\\/]|\\\\)/.test(word);
}

function unquoted(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return inside; // A path with backslashes that was written by hand.
  }
}
