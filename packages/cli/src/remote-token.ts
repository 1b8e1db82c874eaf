import { DragomanError } from '@dragoman/protocol';

/** The token for a server elsewhere: given, or in the environment where nobody sees it. */
export function remoteToken({ token }: { token?: string }): string {
  const given = token ?? process.env['DRAGOMAN_TOKEN'];
  if (given !== undefined && given !== '') return given;
  throw new DragomanError('bad-request', 'The other server wants a token: set DRAGOMAN_TOKEN, or give --token.');
}
