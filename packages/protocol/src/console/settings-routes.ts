import type { ApiRoute } from '../api/api-route.ts';

/** What an admin sets, and everybody's own tokens. What goes in and out stands in `settings-calls.ts`. */
export const SETTINGS_ROUTES = {
  readSettings: {
    method: 'GET',
    path: '/api/settings',
    access: 'admin',
    summary: 'The configuration as its file has it, without secrets.',
  },
  changeSettings: {
    method: 'PATCH',
    path: '/api/settings',
    access: 'admin',
    summary: 'Changes the configuration: all changes or none, comments kept, in force when this is answered.',
  },
  listSecrets: {
    method: 'GET',
    path: '/api/secrets',
    access: 'admin',
    summary: 'Names of kept secrets, and what refers to them.',
  },
  removeSecret: {
    method: 'DELETE',
    path: '/api/secrets/:name',
    access: 'admin',
    summary: 'Deletes a secret that nothing refers to.',
  },
  listUsers: { method: 'GET', path: '/api/users', access: 'admin', summary: 'People, their roles and when they came.' },
  createUser: { method: 'POST', path: '/api/users', access: 'admin', summary: 'Adds a person.' },
  updateUser: {
    method: 'PATCH',
    path: '/api/users/:userId',
    access: 'admin',
    summary: 'Changes a name or a role; the last admin stays one.',
  },
  removeUser: {
    method: 'DELETE',
    path: '/api/users/:userId',
    access: 'admin',
    summary: 'Takes away everything a person gets in with.',
  },
  createLoginLink: {
    method: 'POST',
    path: '/api/users/:userId/login-link',
    access: 'admin',
    summary: 'A link that logs one browser in as that person, once, within an hour.',
  },
  listTokens: {
    method: 'GET',
    path: '/api/tokens',
    access: 'viewer',
    summary: 'Tokens and browsers: one’s own, for an admin everybody’s.',
  },
  createToken: {
    method: 'POST',
    path: '/api/tokens',
    access: 'viewer',
    summary: 'Makes a token for oneself; its text is told this once.',
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/tokens/:tokenId',
    access: 'viewer',
    summary: 'Ends a token of one’s own; an admin anybody’s.',
  },
  logIn: {
    method: 'POST',
    path: '/api/login',
    access: 'viewer',
    summary:
      'Trades the code of a login link for a cookie and the secret of the page; open to everybody, because the code is the proof.',
  },
  logOut: { method: 'POST', path: '/api/logout', access: 'viewer', summary: 'Ends the login of this browser.' },
  holdLease: {
    method: 'GET',
    path: '/api/lease',
    access: 'viewer',
    summary: 'Open for as long as somebody needs the server; one that was told to ends itself when nobody does.',
    answers: 'events',
  },
  about: { method: 'GET', path: '/api/about', access: 'viewer', summary: 'Version, and how the server is doing.' },
  diagnose: {
    method: 'GET',
    path: '/api/diagnostics',
    access: 'admin',
    summary: 'What is well and what is not, and which settings come from where.',
    slowMs: 60_000,
  },
} as const satisfies Record<string, ApiRoute>;
