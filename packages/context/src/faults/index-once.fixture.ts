import { DragomanError } from '@dragoman/protocol/error';
import { openHouse, USER } from './house.fixture.ts';

// Run as a program: brings a folder into the index and says how that ended.
const [home, root] = process.argv.slice(2) as [string, string];
try {
  const { context, close } = await openHouse(home);
  try {
    await context.workspaces.view(USER, root);
  } finally {
    await close();
  }
  process.stdout.write('done\n');
} catch (error) {
  process.exitCode = 1;
  process.stdout.write(
    error instanceof DragomanError ? `${error.code}: ${error.message}\n` : `${String((error as Error).stack)}\n`,
  );
}
