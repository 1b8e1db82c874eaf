import type { ApiRoute } from '../api/api-route.ts';
import { CHANNEL_ROUTES } from './channel-routes.ts';

/**
 * Every call of the hub, as server, client and OpenAPI document know it. What goes in and out stands in `hub-calls.ts`
 * under the same names.
 */
export const HUB_ROUTES = {
  me: { method: 'GET', path: '/api/me', access: 'viewer', summary: 'Who is asking, and what they may do.' },

  listRunners: {
    method: 'GET',
    path: '/api/runners',
    access: 'viewer',
    summary: 'Machines, and the agents they host.',
  },
  removeRunner: {
    method: 'DELETE',
    path: '/api/runners/:runnerId',
    access: 'member',
    summary:
      'Forgets a machine that is not connected: one of your own, or any as an admin. Its sessions can still be read and moved.',
  },
  listFolder: {
    method: 'GET',
    path: '/api/runners/:runnerId/folders',
    access: 'member',
    summary: 'Folders on a machine, to choose where a session works.',
  },

  findFolderFiles: {
    method: 'GET',
    path: '/api/runners/:runnerId/files/find',
    access: 'member',
    summary: 'Files in a folder of a machine by a part of their path, for what a session is to be asked there.',
  },

  createSession: { method: 'POST', path: '/api/sessions', access: 'member', summary: 'Starts a session.' },
  listSessions: { method: 'GET', path: '/api/sessions', access: 'viewer', summary: 'Sessions, the latest first.' },
  getSession: { method: 'GET', path: '/api/sessions/:sessionId', access: 'viewer', summary: 'One session.' },
  updateSession: {
    method: 'PATCH',
    path: '/api/sessions/:sessionId',
    access: 'member',
    summary: 'Renames, pins or archives a session, or changes its model or mode.',
  },
  removeSession: {
    method: 'DELETE',
    path: '/api/sessions/:sessionId',
    access: 'member',
    summary: 'Deletes a session with all that was said; by who started it, or an admin.',
  },
  forkSession: {
    method: 'POST',
    path: '/api/sessions/:sessionId/fork',
    access: 'member',
    summary: 'Starts a session that knows what another one says up to a prompt.',
  },
  closeSession: {
    method: 'POST',
    path: '/api/sessions/:sessionId/close',
    access: 'member',
    summary: 'Ends the agent; the next prompt starts it again where it can resume.',
  },
  moveSession: {
    method: 'POST',
    path: '/api/sessions/:sessionId/move',
    access: 'member',
    summary:
      'Moves a session to another machine, folder or agent; the next prompt goes on there. Nothing happens if it works there already.',
    slowMs: 60_000,
  },
  markRead: {
    method: 'POST',
    path: '/api/sessions/:sessionId/read',
    access: 'viewer',
    summary: 'Notes up to where the caller has read.',
  },
  exportSession: {
    method: 'GET',
    path: '/api/sessions/:sessionId/export',
    access: 'viewer',
    summary: 'The conversation as Markdown or JSON.',
    answers: 'bytes',
  },

  revertSession: {
    method: 'POST',
    path: '/api/sessions/:sessionId/revert',
    access: 'member',
    summary:
      'Takes a prompt and all that followed out of the session, and undoes what the agent changed in files since.',
    slowMs: 60_000,
  },

  listFiles: {
    method: 'GET',
    path: '/api/sessions/:sessionId/files',
    access: 'viewer',
    summary: 'What is in a folder of the session.',
  },
  findFiles: {
    method: 'GET',
    path: '/api/sessions/:sessionId/files/find',
    access: 'viewer',
    summary: 'Files of the session by a part of their path, the likeliest first.',
  },
  readFile: {
    method: 'GET',
    path: '/api/sessions/:sessionId/file',
    access: 'viewer',
    summary: 'A file of the session.',
  },
  readImage: {
    method: 'GET',
    path: '/api/sessions/:sessionId/image',
    access: 'viewer',
    summary: 'An image of the session, up to 10 MB: PNG, JPEG, GIF, WebP, AVIF or SVG, as its bytes say.',
    answers: 'bytes',
    slowMs: 60_000,
  },
  listFileChanges: {
    method: 'GET',
    path: '/api/sessions/:sessionId/changes',
    access: 'viewer',
    summary: 'What git says of the folder: the branch, and each changed file.',
  },
  readDiff: {
    method: 'GET',
    path: '/api/sessions/:sessionId/diff',
    access: 'viewer',
    summary: 'How one file changed.',
  },
  stageFiles: {
    method: 'POST',
    path: '/api/sessions/:sessionId/stage',
    access: 'member',
    summary: 'Puts changes into the next commit, or takes them out of it.',
  },
  discardChanges: {
    method: 'POST',
    path: '/api/sessions/:sessionId/discard',
    access: 'member',
    summary: 'Undoes changes that are not staged; a new file is deleted.',
  },
  commitChanges: {
    method: 'POST',
    path: '/api/sessions/:sessionId/commit',
    access: 'member',
    summary: 'Commits what is staged.',
    slowMs: 60_000,
  },

  readPush: {
    method: 'GET',
    path: '/api/push',
    access: 'viewer',
    summary: 'The key browsers subscribe with, and the caller’s subscriptions.',
  },
  subscribePush: {
    method: 'POST',
    path: '/api/push',
    access: 'viewer',
    summary: 'Notifies a browser of the caller’s of what needs them; the same endpoint again changes what about.',
  },
  unsubscribePush: {
    method: 'DELETE',
    path: '/api/push/:subscriptionId',
    access: 'viewer',
    summary: 'Ends a subscription of the caller’s.',
  },
  testPush: {
    method: 'POST',
    path: '/api/push/:subscriptionId/test',
    access: 'viewer',
    summary: 'Sends a notification to a browser of the caller’s.',
  },

  ...CHANNEL_ROUTES,

  sendPrompt: {
    method: 'POST',
    path: '/api/sessions/:sessionId/prompts',
    access: 'member',
    summary: 'Stores a prompt, then answers. The same id is the same prompt, however often it is sent.',
  },
  withdrawPrompt: {
    method: 'DELETE',
    path: '/api/sessions/:sessionId/prompts/:promptId',
    access: 'member',
    summary: 'Takes a prompt back that still waits.',
  },
  cancelTurn: {
    method: 'POST',
    path: '/api/sessions/:sessionId/cancel',
    access: 'member',
    summary: 'Calls the running turn off.',
  },

  listApprovals: { method: 'GET', path: '/api/approvals', access: 'viewer', summary: 'Approvals that wait.' },
  decideApproval: {
    method: 'POST',
    path: '/api/sessions/:sessionId/approvals/:approvalId',
    access: 'member',
    summary:
      'Answers an approval. The first answer counts; a later one is told who was first, unless it is the same of the same person.',
  },
  listRules: {
    method: 'GET',
    path: '/api/rules',
    access: 'viewer',
    summary: 'What was allowed for good, and by whom.',
  },
  removeRule: {
    method: 'DELETE',
    path: '/api/rules/:ruleId',
    access: 'member',
    summary: 'Takes such a rule back: one of your own, or any as an admin.',
  },

  readEvents: {
    method: 'GET',
    path: '/api/sessions/:sessionId/events',
    access: 'viewer',
    summary: 'What happens in a session, from any number on, and then live.',
    answers: 'events',
  },
  readLog: {
    method: 'GET',
    path: '/api/sessions/:sessionId/log',
    access: 'viewer',
    summary: 'A page of what happened in a session, with as many events as fit; `seq` is the last there is.',
  },
  readChanges: {
    method: 'GET',
    path: '/api/changes',
    access: 'viewer',
    summary: 'Sessions and machines as they change, for lists.',
    answers: 'events',
  },
  readLive: {
    method: 'GET',
    path: '/api/live',
    access: 'viewer',
    summary:
      'Lists and any number of sessions as they change, in one stream; `id` is the session and the number to go on from.',
    answers: 'events',
  },
  search: { method: 'GET', path: '/api/search', access: 'viewer', summary: 'Finds what was said in any session.' },
  getAttachment: {
    method: 'GET',
    path: '/api/attachments/:attachmentId',
    access: 'viewer',
    summary: 'The bytes of an image or file of a message.',
    answers: 'bytes',
  },

  runnerHello: { method: 'POST', path: '/api/runner/hello', access: 'member', summary: 'A runner introduces itself.' },
  runnerEvents: {
    method: 'POST',
    path: '/api/runner/:runnerId/events',
    access: 'member',
    summary: 'A runner hands over what happened; by its owner.',
  },
  runnerCommands: {
    method: 'GET',
    path: '/api/runner/:runnerId/commands',
    access: 'member',
    summary: 'What a runner has to do, as it comes; by its owner.',
    answers: 'events',
  },
  runnerReply: {
    method: 'POST',
    path: '/api/runner/:runnerId/replies/:askId',
    access: 'member',
    summary: 'A runner answers a question about its machine; by its owner.',
  },
} as const satisfies Record<string, ApiRoute>;

export type HubCallName = keyof typeof HUB_ROUTES;
