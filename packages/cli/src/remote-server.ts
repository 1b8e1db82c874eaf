import { DragomanError } from '@dragoman/protocol';

export interface RemoteServer {
  url: string;
  token: string;
}

/** A server elsewhere, and the token for it: given, or in the environment where nobody sees it. `option` is how it was named. */
export function remoteServer(
  server: string,
  token = process.env['DRAGOMAN_TOKEN'],
  option: '--server' | '--hub' = '--server',
): RemoteServer {
  const { protocol, username, password } = URL.parse(server) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new DragomanError('bad-request', `${option} ${server}: expected a URL such as http://127.0.0.1:4747.`);
  if (username !== '' || password !== '')
    throw new DragomanError('bad-request', `${option}: leave out the user name and password; use a token instead.`);
  if (token === undefined || token === '')
    throw new DragomanError('bad-request', 'The server requires a token: set DRAGOMAN_TOKEN or use --token.');
  return { url: server, token };
}
