import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const loadsUndici = `process.stdout.write(String(process.moduleLoadList.some((name) => name.endsWith('deps/undici/undici'))))`;

test("a server starts without Node's own copy of undici", () => {
  const server = new URL('../index.ts', import.meta.url).href;
  const loaded = execFileSync(
    process.execPath,
    ['--conditions=@dragoman/source', '--input-type=module', '-e', `await import('${server}'); ${loadsUndici}`],
    { encoding: 'utf8' },
  );

  expect(loaded).toBe('false');
});
