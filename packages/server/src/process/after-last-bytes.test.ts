import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { afterLastBytes } from './after-last-bytes.ts';
import { readInTurns } from './read-in-turns.ts';

/** A shell, and what was heard of it until its last bytes. A piece is worked on for so many milliseconds. */
async function hear(script: string, workMs: number): Promise<string> {
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.stdout.destroy());
  let heard = '';
  const reader = readInTurns(child.stdout, (bytes) => {
    heard += bytes;
    for (const until = performance.now() + workMs; performance.now() < until;);
  });
  await once(child, 'exit');
  await new Promise<void>((resolve) => afterLastBytes([child.stdout], () => reader.finish(resolve)));
  return heard;
}

test('everything a program wrote is read before its end, though reading takes long after its exit', async () => {
  const heard = await hear('seq 1 20000', 60);

  expect(heard.trimEnd().split('\n')).toHaveLength(20_000);
});

test('a program that left another one with its output is over when nothing is left of what it wrote', async () => {
  const heard = await hear('seq 1 20000; sleep 60 & echo $!', 60);
  const lines = heard.trimEnd().split('\n');
  process.kill(Number(lines.at(-1)));

  expect(lines).toHaveLength(20_001);
});

test('one that goes on writing now and then keeps nobody waiting', async () => {
  const heard = await hear('(while :; do echo again; sleep 0.05; done) & echo $!', 0);
  process.kill(Number(/\d+/.exec(heard)![0]));

  expect(heard).toContain('again');
});
