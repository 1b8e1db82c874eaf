import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Broken, NotFound } from './broken.tsx';
import { Shell } from './shell.tsx';

/** Every page, each loaded when it is first opened. */
const root = createRootRoute({ notFoundComponent: NotFound });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyRouteComponent(() => import('../pages/login/login-page.tsx'), 'LoginPage'),
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Shell });

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});
const newSession = createRoute({
  getParentRoute: () => inside,
  path: '/new',
  validateSearch: (search: Record<string, unknown>): { folder?: string; agent?: string; runner?: string } => ({
    ...(typeof search['folder'] === 'string' && { folder: search['folder'] }),
    ...(typeof search['agent'] === 'string' && { agent: search['agent'] }),
    ...(typeof search['runner'] === 'string' && { runner: search['runner'] }),
  }),
  component: lazyRouteComponent(() => import('../pages/new-session/new-session-page.tsx'), 'NewSessionPage'),
});
const sessions = createRoute({
  getParentRoute: () => inside,
  path: '/sessions',
  validateSearch: (search: Record<string, unknown>): SessionsSearch => ({
    ...(typeof search['q'] === 'string' && { q: search['q'] }),
    ...(typeof search['status'] === 'string' && { status: search['status'] }),
    ...(typeof search['agent'] === 'string' && { agent: search['agent'] }),
    ...(typeof search['runner'] === 'string' && { runner: search['runner'] }),
    ...(typeof search['folder'] === 'string' && { folder: search['folder'] }),
    ...(search['pinned'] === true && { pinned: true }),
    ...(search['archived'] === true && { archived: true }),
  }),
  component: lazyRouteComponent(() => import('../pages/sessions/sessions-page.tsx'), 'SessionsPage'),
});
const sessionsNew = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/new',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way
    throw redirect({ to: '/new', replace: true });
  },
});
const session = createRoute({
  getParentRoute: () => inside,
  path: '/sessions/$sessionId',
  validateSearch: (search: Record<string, unknown>): { at?: number } =>
    typeof search['at'] === 'number' ? { at: search['at'] } : {},
  component: lazyRouteComponent(() => import('../pages/session/session-page.tsx'), 'SessionPage'),
});
const gateway = createRoute({
  getParentRoute: () => inside,
  path: '/gateway',
  validateSearch: tabIn,
  component: lazyRouteComponent(() => import('../pages/gateway/gateway-page.tsx'), 'GatewayPage'),
});
const context = createRoute({
  getParentRoute: () => inside,
  path: '/context',
  validateSearch: (search: Record<string, unknown>): { workspace?: string; q?: string } => ({
    ...(typeof search['workspace'] === 'string' && { workspace: search['workspace'] }),
    ...(typeof search['q'] === 'string' && { q: search['q'] }),
  }),
  component: lazyRouteComponent(() => import('../pages/context/context-page.tsx'), 'ContextPage'),
});
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  validateSearch: tabIn,
  component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

/** What the page of sessions is filtered by. */
export interface SessionsSearch {
  q?: string;
  status?: string;
  agent?: string;
  runner?: string;
  folder?: string;
  pinned?: boolean;
  archived?: boolean;
}

/** Pages with parts keep the chosen one in the address, so that it can be linked to. */
function tabIn(search: Record<string, unknown>): { tab?: string } {
  return typeof search['tab'] === 'string' ? { tab: search['tab'] } : {};
}

const routeTree = root.addChildren([
  login,
  inside.addChildren([home, newSession, sessions, sessionsNew, session, gateway, context, settings]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Broken,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
