import type { SessionView } from '@dragoman/protocol';
import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { useCrowding } from '../../../design/crowding.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { useStored } from '../../../design/use-stored.ts';
import { ChangesTab } from './changes-tab.tsx';
import { FilesTab } from './files-tab.tsx';
import { clampWidth, ResizeHandle } from './resize-handle.tsx';
import { sideWords } from './side-words.ts';
import { type ReviewState, useReview } from './use-review.ts';
import type { SideState } from './use-side.ts';

interface SideProps {
  side: SideState;
  view: SessionView;
  mayAct: boolean;
  onMention: (path: string) => void;
}

/** The files of a session and what changed in them: beside the conversation, or over it where there is no room. */
export function Side({ side, view, mayAct, onMention }: SideProps) {
  const words = sideWords.use();
  const review = useReview(view.info.id);
  const [kept, keepWidth] = useStored('session-side-width', (text) => clampWidth(Number(text ?? 440)));
  useCrowding(side.isWide && side.tab !== undefined);
  const [dragged, setDragged] = useState<number>();
  const width = dragged ?? kept;
  const body = <SideBody side={side} view={view} mayAct={mayAct} onMention={onMention} review={review} />;
  if (side.isWide)
    return side.tab === undefined ? null : (
      <>
        <ResizeHandle
          width={width}
          onResize={setDragged}
          onDone={(to) => {
            setDragged(undefined);
            keepWidth(to);
          }}
        />
        <aside
          aria-label={words.panel}
          style={{ width }}
          className="flex max-w-[calc(100%-26rem)] shrink-0 flex-col border-l border-line bg-panel"
        >
          {body}
        </aside>
      </>
    );
  return (
    <Radix.Root open={side.tab !== undefined} onOpenChange={(isOpen) => isOpen || side.close()}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-0 z-40 flex flex-col bg-panel pb-[env(safe-area-inset-bottom)] outline-none"
        >
          <Radix.Title className="sr-only">{words.panel}</Radix.Title>
          {body}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function SideBody({ side, view, mayAct, onMention, review }: SideProps & { review: ReviewState }) {
  const words = sideWords.use();
  const sessionId = view.info.id;
  const changed = useCall('listFileChanges', { sessionId }, { isEnabled: side.tab !== undefined }).data?.files.length;
  const mention = (path: string) => {
    if (!side.isWide) side.close();
    onMention(path);
  };
  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-2">
        <Segmented
          label={words.panel}
          value={side.tab ?? 'changes'}
          onChange={side.show}
          options={[
            { value: 'files', label: words.tabs.files },
            {
              value: 'changes',
              label: changed === undefined || changed === 0 ? words.tabs.changes : words.changesCount(changed),
            },
          ]}
        />
        <span className="flex-1" />
        <IconButton label={words.close} icon={<X size={16} aria-hidden />} onClick={side.close} />
      </div>
      {side.tab === 'files' ? (
        <FilesTab
          sessionId={sessionId}
          file={side.file}
          onOpen={side.openFile}
          onBack={side.closeFile}
          onMention={mayAct ? mention : undefined}
        />
      ) : (
        <ChangesTab view={view} mayAct={mayAct} review={review} />
      )}
    </>
  );
}
