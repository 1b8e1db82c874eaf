import type { FolderListing } from '@dragoman/protocol';
import { CornerLeftUp, Folder, FolderGit2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { classNames } from '../design/class-names.ts';
import { folderWords } from './folder-words.ts';

/** A folder that can be opened; the one above has no name of its own. */
export interface FolderOption {
  path: string;
  name: string | undefined;
  isRepository: boolean;
}

/** What can be opened from a folder, the way up first. */
export function optionsOf({ parent, folders }: FolderListing): FolderOption[] {
  const up = parent === undefined ? [] : [{ path: parent, name: undefined, isRepository: false }];
  return [...up, ...folders];
}

interface FolderListProps {
  id: string;
  options: readonly FolderOption[];
  active: number;
  onOpen: (path: string) => void;
}

/** The folders to choose from. Keys are handled by the field above it, which keeps the focus. */
export function FolderList({ id, options, active, onOpen }: FolderListProps) {
  const words = folderWords.use();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which is no way to undo an effect.
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={words.folders} className="p-1">
      {options.map(({ path, name, isRepository }, index) => (
        <button
          type="button"
          tabIndex={-1}
          key={path}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // The field keeps the focus, so the keys go on working.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onOpen(path)}
          className={classNames(
            'flex h-7 w-full items-center gap-2 rounded-md px-2 text-sm hover:bg-hover',
            index === active && 'bg-hover',
          )}
        >
          {name === undefined ? (
            <CornerLeftUp size={15} aria-hidden className="shrink-0 text-faint" />
          ) : isRepository ? (
            <FolderGit2 size={15} aria-hidden className="shrink-0 text-accent" />
          ) : (
            <Folder size={15} aria-hidden className="shrink-0 text-faint" />
          )}
          <span className="contained flex-1 truncate text-left" title={path}>
            {name ?? words.up}
          </span>
          {isRepository && <span className="shrink-0 text-2xs text-faint">{words.repository}</span>}
        </button>
      ))}
    </div>
  );
}
