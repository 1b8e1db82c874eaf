import { maskedCommand } from '@dragoman/server/base';

/** A command in words. Whoever reads a session may know how its agent is started, but not with which keys. */
export function shownCommand(command: readonly string[]): string {
  return maskedCommand(command).join(' ');
}
