import { extname, isAbsolute, relative, resolve } from 'node:path';
import type { AgentPart, FilePart } from '@dragoman/protocol';
import { readProjectFile } from '@dragoman/server/files';

/** What a prompt names with `@`: files below the folder, and agents. */
export interface Mentions {
  files: Omit<FilePart, 'id' | 'sessionID' | 'messageID'>[];
  agents: Omit<AgentPart, 'id' | 'sessionID' | 'messageID'>[];
}

/** A file that is mentioned is told whole; a larger one the agent reads itself. */
const MAX_MENTIONED_BYTES = 256 * 1024;
const MAX_MENTIONED_FILES = 20;

const MEDIA: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

/** Finds `@src/a.ts` and `@explore` in a prompt. What names nothing is only text. */
export function readMentions(
  text: string,
  { cwd, root, agents }: { cwd: string; root: string; agents: readonly string[] },
): Mentions {
  const mentions: Mentions = { files: [], agents: [] };
  for (const match of text.matchAll(/(?<![\w@/])@([\w./~-]*[\w/])/g)) {
    const [value, name] = [match[0], match[1]!];
    const place = { value, start: match.index, end: match.index + value.length };
    if (agents.includes(name)) mentions.agents.push({ type: 'agent', name, source: place });
    else if (mentions.files.length < MAX_MENTIONED_FILES) {
      const file = readMentioned(resolve(cwd, name), root, place);
      if (file !== undefined) mentions.files.push(file);
    }
  }
  return mentions;
}

/**
 * The content of a file of the project, as far as a prompt can carry it. Who names a file may not know where it leads, or
 * that it holds secrets: the agent reads such a file itself, and that is asked about.
 */
export function readMentioned(
  path: string,
  root: string,
  text: { value: string; start: number; end: number },
): Mentions['files'][number] | undefined {
  const inside = relative(root, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  try {
    const content = readProjectFile(path, { project: root, maxBytes: MAX_MENTIONED_BYTES })?.bytes;
    if (content === undefined) return undefined;
    const mime = MEDIA[extname(path).toLowerCase()] ?? (content.includes(0) ? undefined : 'text/plain');
    if (mime === undefined) return undefined;
    return {
      type: 'file',
      mime,
      filename: inside,
      url: `data:${mime};base64,${content.toString('base64')}`,
      source: { type: 'file', path: inside, text },
    };
  } catch {
    return undefined;
  }
}
