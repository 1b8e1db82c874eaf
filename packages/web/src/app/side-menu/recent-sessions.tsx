import { FolderTree, Rows3 } from 'lucide-react';
import { useSessions } from '../../api/sessions.ts';
import { folderName, listRows } from '../../arrangement/list-rows.ts';
import { visibleText } from '../../code/visible-text.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useStored } from '../../design/use-stored.ts';
import { appWords } from '../app-words.ts';
import { SessionItem } from './session-item.tsx';

const MOST = 30;

/** The latest sessions, by their project or all together. */
export function RecentSessions() {
  const words = appWords.use();
  const { sessions = [] } = useSessions();
  const [arrangement, arrange] = useStored('menu.arrangement', (text) => (text === 'time' ? 'time' : 'folder'));
  const rows = listRows(sessions.slice(0, MOST), arrangement);
  const isByFolder = arrangement === 'folder';
  return (
    <div className="mt-3 min-h-0 flex-1 overflow-y-auto px-2 pb-2">
      {sessions.length > 0 && (
        <div className="flex items-center pr-0.5 pl-2.5">
          <h2 className="flex-1 text-2xs font-medium text-faint">{words.recent}</h2>
          <IconButton
            label={isByFolder ? words.byTime : words.byProject}
            icon={isByFolder ? <Rows3 size={14} aria-hidden /> : <FolderTree size={14} aria-hidden />}
            onClick={() => arrange(isByFolder ? 'time' : 'folder')}
          />
        </div>
      )}
      <ul>
        {rows.map((row) =>
          row.type === 'session' ? (
            <SessionItem key={row.key} session={row.session} showsFolder={!isByFolder || row.session.isPinned} />
          ) : (
            <li key={row.key} className="truncate px-2.5 pt-2 pb-0.5 text-2xs font-medium text-faint">
              {typeof row.heading === 'string' ? (
                words[row.heading]
              ) : (
                <span title={row.heading.folder}>{visibleText(folderName(row.heading.folder))}</span>
              )}
            </li>
          ),
        )}
      </ul>
    </div>
  );
}
