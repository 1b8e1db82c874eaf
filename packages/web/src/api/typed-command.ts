/**
 * A command as it is typed on the server's machine: from a checkout it goes through npm. The server writes into the page
 * which of the two it is, since it is told before anybody is logged in.
 */
export function typedCommand(command: string): string {
  const told = document.querySelector<HTMLMetaElement>('meta[name="command"]')?.content ?? '';
  return `${told === '' || told.startsWith('__') ? 'dragoman' : told} ${command}`;
}
