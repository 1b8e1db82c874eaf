import { useState } from 'react';
import { useIsAdmin } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { pricesWords } from './prices-words.ts';

const MOST_SHOWN = 8;

/** Models whose price nobody knows, and for admins a way to say it. Where there are none, nothing is there. */
export function UnpricedModels({ models }: { models: readonly string[] }) {
  const words = pricesWords.use();
  const isAdmin = useIsAdmin();
  const [priced, setPriced] = useState<string>();
  const shown = models.slice(0, MOST_SHOWN);
  return (
    <>
      {models.length > 0 && (
        <div className="mb-7">
          <Notice title={words.title(models.length)}>
            <p>{isAdmin ? words.about : words.aboutForOthers}</p>
            <ul aria-label={words.title(models.length)} className="mt-2 flex flex-wrap gap-2">
              {shown.map((model) => (
                <li key={model} className="max-w-full min-w-0">
                  {isAdmin ? (
                    <Button size="small" aria-label={words.setFor(model)} onClick={() => setPriced(model)}>
                      <span className="contained truncate font-mono">{model}</span>
                    </Button>
                  ) : (
                    <span className="contained font-mono text-xs">{model}</span>
                  )}
                </li>
              ))}
              {models.length > MOST_SHOWN && <li className="text-xs">{words.more(models.length - MOST_SHOWN)}</li>}
            </ul>
          </Notice>
        </div>
      )}
      {priced !== undefined && <PriceDialog target={priced} onClose={() => setPriced(undefined)} />}
    </>
  );
}
