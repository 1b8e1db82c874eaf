import { TestRunner } from 'vitest';

/** Ends the running test as skipped, for want of what is named. For what a test calls, which has no `skip` of its own. */
export function skipTest(needs: string): never {
  const running = TestRunner.getCurrentTest();
  if (running === undefined) throw new Error(needs);
  return running.context.skip(needs);
}
