export {
  openRemoteWorkspace,
  type RemoteWorkspace,
  type RemoteWorkspaceOptions,
} from './workspaces/open-remote-workspace.ts';
