import { Dialog } from '../../design/dialog.tsx';
import { sessionWords } from './session-words.ts';

/** The keys of a session, as keycaps say them. */
const KEYS = {
  send: 'Enter',
  newLine: 'Shift Enter',
  commands: '/',
  mentions: '@',
  find: 'Ctrl F',
  lastPrompt: 'Ctrl ↑',
  end: 'End',
  help: '?',
} as const;

/** What the keys of a session do. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = sessionWords.use();
  const isMac = /mac/i.test(navigator.platform);
  const rows: [string, string][] = [
    ...(Object.keys(KEYS) as (keyof typeof KEYS)[]).map((key): [string, string] => [
      isMac ? KEYS[key].replace('Ctrl', '⌘') : KEYS[key],
      words.keyList[key],
    ]),
    [words.twice, words.keyList.stop],
  ];
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={words.keysTitle} size="small">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 pb-3 text-sm">
        {rows.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line-strong bg-raised px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd className="text-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
