import { useMayAct } from '../api/me.ts';
import { Dialog } from '../design/dialog.tsx';
import { COMMAND_KEY } from './command-key.ts';
import { commandsWords } from './commands-words.ts';
import { openOverlay } from './overlay.ts';
import { type KeyLine, pageKeys } from './page-keys.ts';

/** Which keys there are: those of the page first, then those of every page. */
export function KeysDialog() {
  const words = commandsWords.use();
  const mayAct = useMayAct();
  const page = pageKeys();
  const everywhere: KeyLine[] = [
    { keys: [COMMAND_KEY], what: words.keys.commands },
    ...(mayAct ? [{ keys: ['n'], what: words.keys.newSession }] : []),
    { keys: ['['], what: words.keys.fold },
    { keys: ['?'], what: words.keys.help },
  ];
  return (
    <Dialog isOpen onClose={() => openOverlay(undefined)} title={page?.title ?? words.keysTitle} size="small">
      <div className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2 pb-3 text-sm">
        {page !== undefined && (
          <>
            <Keys lines={page.lines} />
            <h3 className="col-span-2 mt-2 text-xs font-medium text-faint">{words.everywhere}</h3>
          </>
        )}
        <Keys lines={everywhere} />
      </div>
    </Dialog>
  );
}

function Keys({ lines }: { lines: readonly KeyLine[] }) {
  return (
    <dl className="contents">
      {lines.map(({ keys, what }) => (
        <div key={what} className="contents">
          <dt className="flex gap-1">
            {keys.map((key) => (
              <kbd
                key={key}
                className="min-w-6 rounded-sm border border-line-strong bg-raised px-1.5 py-0.5 text-center font-mono text-xs"
              >
                {key}
              </kbd>
            ))}
          </dt>
          <dd className="text-soft">{what}</dd>
        </div>
      ))}
    </dl>
  );
}
