import type { ReactNode } from 'react';

/** One of several things to choose from. */
export interface Option {
  id: string;
  text: string;
  about?: string | undefined;
  icon?: ReactNode;
  /** Words it is found by that are not shown. */
  also?: string | undefined;
  /** At the end of its line, such as its key. */
  end?: ReactNode;
  isChosen?: boolean | undefined;
  /** What it stands below, where nothing is searched. */
  group?: string | undefined;
}
