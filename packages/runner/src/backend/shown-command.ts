import { maskCommand } from '@dragoman/protocol/secrets';

/** A command in words. Whoever reads a session may know how its agent is started, but not with which keys. */
export function shownCommand(command: readonly string[]): string {
  return maskCommand(command).join(' ');
}
