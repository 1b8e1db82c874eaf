import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('upstream.ts', import.meta.url));

/** The provider of `upstream.ts`, as a process of its own. */
export interface Upstream {
  url: string;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<Upstream> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      if (child.kill()) await ended;
    },
  };
}
