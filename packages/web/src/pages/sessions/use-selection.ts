import { useState } from 'react';

/** Which rows of a list are selected. */
export interface Selection {
  /** Rows are being selected: each shows whether it is. */
  isOn: boolean;
  ids: readonly string[];
  has: (id: string) => boolean;
  start: () => void;
  /** With `isRange`, everything from the one before up to this. The first one starts it; without the last it is over. */
  toggle: (id: string, isRange?: boolean) => void;
  all: () => void;
  none: () => void;
  /** Nothing is selected, and rows are as usual again. */
  end: () => void;
}

/** Selected rows of a list. A row that leaves the list is not selected any more. */
export function useSelection(listed: readonly string[]): Selection {
  const [isOn, setOn] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const ids = listed.filter((id) => chosen.has(id));
  return {
    isOn,
    ids,
    has: (id) => chosen.has(id),
    start: () => setOn(true),
    toggle(id, isRange = false) {
      const next = new Set(ids);
      const range = isRange && last !== undefined ? rangeOf(listed, last, id) : [id];
      if (chosen.has(id)) for (const one of range) next.delete(one);
      else for (const one of range) next.add(one);
      setOn(next.size > 0);
      setChosen(next);
      setLast(id);
    },
    all: () => setChosen(new Set(listed)),
    none: () => setChosen(new Set()),
    end() {
      setOn(false);
      setChosen(new Set());
    },
  };
}

/** Everything between two rows, in either direction, with both of them; only the second where the first is gone. */
export function rangeOf(listed: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [listed.indexOf(from), listed.indexOf(to)];
  if (one === -1 || other === -1) return [to];
  return listed.slice(Math.min(one, other), Math.max(one, other) + 1);
}
