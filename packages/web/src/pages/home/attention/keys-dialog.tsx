import { Dialog } from '../../../design/dialog.tsx';
import { homeWords } from '../home-words.ts';

const KEYS = { move: ['j', 'k', '↓', '↑'], open: ['↵'], allow: ['a'], deny: ['d'], read: ['r'], help: ['?'] } as const;

/** Which keys there are. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = homeWords.use();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.keysTitle} size="small">
      <dl className="flex flex-col gap-2 pb-3 text-sm">
        {(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((what) => (
          <div key={what} className="flex items-center gap-3">
            <dt className="flex w-28 gap-1">
              {KEYS[what].map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-sm border border-line-strong bg-raised px-1.5 text-center font-mono text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-soft">{words.keyList[what]}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
