import { Link } from '@tanstack/react-router';
import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { contextWords } from '../context-words.ts';
import { workspacePlace } from './workspace-place.ts';
import { WorkspaceState } from './workspace-state.tsx';

/** Every workspace, the one used last first. */
export function WorkspaceList({
  workspaces,
  chosen,
}: {
  workspaces: readonly WorkspaceInfo[];
  chosen: string | undefined;
}) {
  const words = contextWords.use();
  return (
    <nav aria-label={words.workspaces}>
      <ul className="divide-y divide-line">
        {workspaces.map((workspace) => (
          <li key={workspace.id}>
            <Link
              to="/context"
              search={{ workspace: workspace.id }}
              aria-current={workspace.id === chosen ? 'page' : undefined}
              className="block px-4 py-2.5 -outline-offset-2 hover:bg-hover lg:aria-[current=page]:bg-accent-wash"
            >
              <span className="contained block truncate text-sm font-medium">{workspace.name}</span>
              <span
                className="contained block truncate font-mono text-2xs text-faint"
                title={workspacePlace(workspace)}
              >
                {workspacePlace(workspace)}
              </span>
              <WorkspaceState workspace={workspace} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
