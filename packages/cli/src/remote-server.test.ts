import { expect, test } from 'vitest';
import { remoteServer } from './remote-server.ts';

test('a server elsewhere needs a whole address and a token', () => {
  expect(remoteServer('https://code.example/gateway', 'secret')).toEqual({
    url: 'https://code.example/gateway',
    token: 'secret',
  });
  for (const address of ['code.example:4747', 'localhost', 'file:///etc', ''])
    expect(() => remoteServer(address, 'secret')).toThrow(
      `--server ${address}: expected a URL such as http://127.0.0.1:4747.`,
    );
  expect(() => remoteServer('http://127.0.0.1:4747', '')).toThrow(
    'The server requires a token: set DRAGOMAN_TOKEN or use --token.',
  );
});

test('an address with a password in it is refused without repeating it', () => {
  expect(() => remoteServer('http://me:hunter2@code.example', 'secret')).toThrow(
    '--server: leave out the user name and password; use a token instead.',
  );
});
