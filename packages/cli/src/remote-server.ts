import { DragomanError } from '@dragoman/protocol';

export interface RemoteServer {
  url: string;
  token: string;
}

/** A server elsewhere, and the token for it: given, or in the environment where nobody sees it. */
export function remoteServer(server: string, token = process.env['DRAGOMAN_TOKEN']): RemoteServer {
  const { protocol, username, password } = URL.parse(server) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new DragomanError('bad-request', `--server ${server}: expected an address such as http://127.0.0.1:4747.`);
  if (username !== '' || password !== '')
    throw new DragomanError(
      'bad-request',
      '--server: write the address without a name and password; the token lets you in.',
    );
  if (token === undefined || token === '')
    throw new DragomanError('bad-request', 'The other server wants a token: set DRAGOMAN_TOKEN, or give --token.');
  return { url: server, token };
}
