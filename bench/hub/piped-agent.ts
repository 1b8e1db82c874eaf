import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stamp } from './scripted-agent.ts';

/**
 * An agent that is a program, as real ones are, and costs next to nothing: it passes on what the benchmark writes into a pipe in the
 * folder of the session. So a runner inside a server can host it, too.
 */
const SCRIPT = `read -r start; echo '{"type":"ready"}'; read -r prompt; cat say; echo '{"type":"turn-finished"}'; read -r end`;

/** Has the machine with this data folder offer it, as `piped`. */
export function offerPipedAgent(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true });
  const agents = { piped: { backend: 'uap', command: ['/bin/sh', '-c', SCRIPT] } };
  writeFileSync(join(dataFolder, 'dragoman.json'), JSON.stringify({ agents }));
}

/** A folder for a session of it. */
export function pipedFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('mkfifo', [join(folder, 'say')]);
  return folder;
}

/** Has the agent in a folder say messages at a steady pace; it has been given a prompt by then. */
export async function sayPaced(
  folder: string,
  { messages, everyMs, firstMs }: { messages: number; everyMs: number; firstMs: number },
): Promise<void> {
  const pipe = await open(join(folder, 'say'), 'w');
  try {
    const begin = performance.now() + firstMs;
    for (let index = 0; index < messages; index++) {
      await pause(Math.max(1, begin + index * everyMs - performance.now()));
      const block = { type: 'text', text: `${stamp(index)} The quick brown fox jumps over the lazy dog.` };
      await pipe.write(`${JSON.stringify({ role: 'assistant', content: [block] })}\n`);
    }
  } finally {
    await pipe.close();
  }
}
