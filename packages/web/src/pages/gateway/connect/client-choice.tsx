import { useId } from 'react';
import { classNames } from '../../../design/class-names.ts';
import { CLIENT_GUIDES } from './client-guides.ts';
import { connectWords } from './connect-words.ts';

/** One of the clients; radio buttons that look like tags, so arrow keys move between them. */
export function ClientChoice({ chosen, onChoose }: { chosen: string; onChoose: (id: string) => void }) {
  const words = connectWords.use();
  const name = useId();
  return (
    <fieldset className="mb-4 flex flex-wrap gap-1.5">
      <legend className="sr-only">{words.clients}</legend>
      {CLIENT_GUIDES.map(({ id, title }) => (
        <label
          key={id}
          className={classNames(
            'flex h-7 cursor-pointer items-center rounded-md border px-2.5 text-xs font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            id === chosen
              ? 'border-accent bg-accent-wash text-accent-strong'
              : 'border-line-strong bg-panel text-soft hover:bg-hover hover:text-ink',
          )}
        >
          <input type="radio" name={name} className="sr-only" checked={id === chosen} onChange={() => onChoose(id)} />
          {title ?? words.any}
        </label>
      ))}
    </fieldset>
  );
}
