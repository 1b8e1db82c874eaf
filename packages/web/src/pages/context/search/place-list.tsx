import type { RankedPlace } from '@dragoman/protocol/console';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/calls.ts';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Panel } from '../../../design/page.tsx';
import { useFormats } from '../../../words/formats.ts';
import { FilePreview } from './file-preview.tsx';
import { PlaceCard } from './place-card.tsx';
import { searchWords } from './search-words.ts';
import { shareOfBest } from './share-of-best.ts';

/** The places that answer a question, the best first. */
export function PlaceList({ workspaceId, answer }: { workspaceId: string; answer: AnswerOf<'searchCode'> }) {
  const words = searchWords.use();
  const formats = useFormats();
  const [opened, setOpened] = useState<RankedPlace>();
  const { places, files, tookMs } = answer;
  if (places.length === 0)
    return (
      <Panel>
        <EmptyState icon={<SearchX size={28} aria-hidden />} title={words.noneTitle}>
          {words.none}
        </EmptyState>
      </Panel>
    );
  const shares = shareOfBest(places.map(({ score }) => score));
  return (
    <>
      <p role="status" className="mb-2 text-xs text-faint">
        {words.found(places.length, formats.count(files), formats.duration(tookMs))}
      </p>
      <ol aria-label={words.places} className="flex flex-col gap-3">
        {places.map((place, index) => (
          <PlaceCard
            key={`${place.path}:${place.startLine}`}
            place={place}
            share={shares[index] ?? 0}
            onOpen={() => setOpened(place)}
          />
        ))}
      </ol>
      {opened !== undefined && (
        <FilePreview workspaceId={workspaceId} place={opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
