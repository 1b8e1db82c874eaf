import { Archive, MessagesSquare, SearchX } from 'lucide-react';
import type { SessionsSearch } from '../../app/router.tsx';
import { Button } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { filtersIn, NO_FILTERS, type SearchChange } from './sessions-search.ts';
import { sessionsWords } from './sessions-words.ts';

/** A list with nothing in it: because there is nothing yet, or because of what was asked for. */
export function NoSessions({ search, onChange }: { search: SessionsSearch; onChange: (change: SearchChange) => void }) {
  const words = sessionsWords.use();
  const filters = filtersIn(search);
  const clear = <Button onClick={() => onChange(NO_FILTERS)}>{words.clearFilters}</Button>;
  if (filters === 1 && search.archived === true)
    return (
      <EmptyState icon={<Archive size={28} aria-hidden />} title={words.noneArchived} action={clear}>
        {words.noneArchivedAbout}
      </EmptyState>
    );
  if (filters > 0)
    return (
      <EmptyState icon={<SearchX size={28} aria-hidden />} title={words.noneMatch} action={clear}>
        {words.noneMatchAbout}
      </EmptyState>
    );
  return (
    <EmptyState icon={<MessagesSquare size={28} aria-hidden />} title={words.none}>
      {words.noneAbout}
    </EmptyState>
  );
}
