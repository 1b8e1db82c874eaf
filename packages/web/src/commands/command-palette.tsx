import * as Radix from '@radix-ui/react-dialog';
import { useRef, useState } from 'react';
import { OptionList } from '../options/option-list.tsx';
import { commandsWords } from './commands-words.ts';
import { openOverlay } from './overlay.ts';
import { noteRecent, recentFirst, recentIds } from './recent-commands.ts';
import { useCommands } from './use-commands.tsx';

/** Everything that can be done or opened, found by a few letters of its name. */
export function CommandPalette() {
  const words = commandsWords.use();
  const commands = useCommands();
  const [recent] = useState(recentIds);
  const opener = useRef(document.activeElement);
  const choose = (id: string) => {
    noteRecent(id);
    openOverlay(undefined);
    commands.find((command) => command.id === id)?.run();
  };
  return (
    <Radix.Root open onOpenChange={() => openOverlay(undefined)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          className="fixed inset-x-2 top-2 z-40 mx-auto max-w-xl rounded-lg border border-line bg-panel p-2 shadow-float outline-none sm:top-[12vh]"
        >
          <Radix.Title className="sr-only">{words.title}</Radix.Title>
          <OptionList
            label={words.title}
            placeholder={words.placeholder}
            options={recentFirst(commands, recent, words.groups)}
            onChoose={choose}
          />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
