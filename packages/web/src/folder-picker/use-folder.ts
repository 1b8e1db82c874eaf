import type { FolderListing } from '@dragoman/protocol';
import { DragomanError } from '@dragoman/protocol/error';
import { useDeferredValue } from 'react';
import { useCall } from '../api/calls.ts';
import { typedPlace } from './path-parts.ts';

/** What is in a folder of a machine, or what somebody who is still typing its path may mean. */
export interface ShownFolder {
  /** The folder itself; nothing while the path leads to none. */
  listing: FolderListing | undefined;
  /** What can be opened from here. */
  shown: FolderListing | undefined;
  isLoading: boolean;
  /** The path leads to no folder of that machine. */
  isMissing: boolean;
  error: Error | undefined;
  retry: () => void;
}

/** Looks into a folder of a machine. A path that leads nowhere yet shows the folders that begin like it. */
export function useFolder(runnerId: string | undefined, path: string): ShownFolder {
  const asked = useDeferredValue(path.trim());
  const isAsked = runnerId !== undefined && (asked === '' || /^[/~\\]|^[A-Za-z]:\\/.test(asked));
  const whole = useCall('listFolder', place(runnerId, asked), { isEnabled: isAsked, keepsPrevious: true });
  const { folder, beginning } = typedPlace(asked);
  const isPartial = isAsked && isNotThere(whole.error) && beginning !== '';
  const around = useCall('listFolder', place(runnerId, folder), { isEnabled: isPartial, keepsPrevious: true });
  const near = isPartial && around.data !== undefined ? startingWith(around.data, beginning) : undefined;
  const listing = whole.error === null && !whole.isPlaceholderData ? whole.data : undefined;
  return {
    listing,
    shown: isPartial ? near : whole.data,
    isLoading: whole.isLoading || (isPartial && around.isLoading),
    isMissing: isAsked && isNotThere(whole.error),
    error: (isPartial && near !== undefined ? undefined : whole.error) ?? undefined,
    retry: () => void whole.refetch(),
  };
}

function place(runnerId: string | undefined, path: string) {
  return { runnerId: runnerId ?? '', ...(path !== '' && { path }) };
}

function isNotThere(error: Error | null): boolean {
  return error instanceof DragomanError && error.code === 'not-found';
}

function startingWith(listing: FolderListing, beginning: string): FolderListing {
  const wanted = beginning.toLowerCase();
  return { ...listing, folders: listing.folders.filter(({ name }) => name.toLowerCase().startsWith(wanted)) };
}
