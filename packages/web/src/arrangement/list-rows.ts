import type { HubSession } from '@dragoman/protocol';

/** How sessions are arranged: what belongs together, or simply the latest first. */
export type Arrangement = 'folder' | 'time';

/** A line of the list: a heading, or a session below it. */
export type ListRow =
  | { type: 'heading'; key: string; heading: 'pinned' | 'others' | { folder: string }; count: number }
  | { type: 'session'; key: string; session: HubSession };

/** Sessions as lines, the latest first: pinned ones on top, the others by their folder or all together. */
export function listRows(sessions: readonly HubSession[], arrangement: Arrangement): ListRow[] {
  const pinned = sessions.filter(({ isPinned }) => isPinned);
  const others = sessions.filter(({ isPinned }) => !isPinned);
  const top = pinned.length === 0 ? [] : [heading('pinned', pinned.length), ...pinned.map(line)];
  if (arrangement === 'time') {
    const needsHeading = pinned.length > 0 && others.length > 0;
    return [...top, ...(needsHeading ? [heading('others', others.length)] : []), ...others.map(line)];
  }
  const groups = Map.groupBy(others, ({ folder }) => folder);
  return [
    ...top,
    ...[...groups].flatMap(([folder, within]) => [heading({ folder }, within.length), ...within.map(line)]),
  ];
}

function heading(what: Extract<ListRow, { type: 'heading' }>['heading'], count: number): ListRow {
  const key = typeof what === 'string' ? what : `in ${what.folder}`;
  return { type: 'heading', key, heading: what, count };
}

function line(session: HubSession): ListRow {
  return { type: 'session', key: session.id, session };
}

/** The last part of a path, by which people know a folder. */
export function folderName(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}
