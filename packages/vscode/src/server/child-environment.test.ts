import { expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

test('a server gets the person’s environment without the editor’s, its own secrets, and never another server’s', () => {
  const own = {
    PATH: '/usr/bin',
    HTTPS_PROXY: 'http://proxy:3128',
    NODE_OPTIONS: '--inspect',
    NODE_EXTRA_CA_CERTS: '/etc/ours.pem',
    VSCODE_IPC_HOOK: '/tmp/hook',
    ELECTRON_RUN_AS_NODE: '1',
    DRAGOMAN_DATABASE_URL: 'postgres://another',
    DRAGOMAN_TOKEN: 'another',
    npm_lifecycle_event: 'start',
  };
  const server = { home: '/home/h', token: 'T', keys: { DRAGOMAN_BYOK_API_KEY: 'k' }, ripgrep: undefined };

  expect(childEnvironment(own, { ...server, isEditor: false })).toEqual({
    PATH: '/usr/bin',
    HTTPS_PROXY: 'http://proxy:3128',
    NODE_EXTRA_CA_CERTS: '/etc/ours.pem',
    DRAGOMAN_BYOK_API_KEY: 'k',
    DRAGOMAN_HOME: '/home/h',
    DRAGOMAN_TOKEN: 'T',
  });
  expect(childEnvironment(own, { ...server, ripgrep: '/app/rg', isEditor: true })).toMatchObject({
    ELECTRON_RUN_AS_NODE: '1',
    DRAGOMAN_RIPGREP: '/app/rg',
  });
});
