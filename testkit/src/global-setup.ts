import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { useOwnTempFolder } from './own-temp-folder.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of the one PostgreSQL of this run, which it starts when first asked. */
    postgresStarter: string;
  }
}

/**
 * What all workers of a run share: a temporary folder, and one PostgreSQL, started by the first test that asks. Each test makes
 * its own database in it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeTempFolder = useOwnTempFolder();
  // Nobody else listens; without this a closed terminal would leave the folder and PostgreSQL behind.
  for (const [signal, code] of [['SIGHUP', 129] as const, ['SIGTERM', 143] as const])
    process.once(signal, () => process.exit(code));
  let postgres: Promise<TestPostgres> | undefined;
  const starter = createServer((_request, response) => {
    postgres ??= startPostgres();
    postgres.then(
      ({ baseUrl }) => response.end(baseUrl),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve));
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  return async () => {
    starter.close();
    starter.closeAllConnections();
    await (await postgres?.catch(() => undefined))?.stop();
    removeTempFolder();
  };
}
