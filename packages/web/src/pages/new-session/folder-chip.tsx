import { Folder } from 'lucide-react';
import { Chip } from '../../design/chip.tsx';
import { Popover } from '../../design/popover.tsx';
import { FolderPicker } from '../../folder-picker/folder-picker.tsx';
import { nameOf } from '../../folder-picker/path-parts.ts';
import { newSessionWords } from './new-session-words.ts';

interface FolderChipProps {
  runnerId: string | undefined;
  folder: string;
  isWrong: boolean;
  onChange: (folder: string) => void;
}

/** Where it works: the recent folders first, then any other. */
export function FolderChip({ runnerId, folder, isWrong, onChange }: FolderChipProps) {
  const words = newSessionWords.use();
  return (
    <Popover
      label={words.folder}
      align="start"
      size="wide"
      trigger={
        <Chip
          label={words.folder}
          text={folder.trim() === '' ? words.noFolder : nameOf(folder.trim())}
          title={folder.trim() === '' ? words.noFolder : folder}
          icon={<Folder size={15} aria-hidden />}
          isWrong={isWrong}
        />
      }
    >
      {(close) => (
        <FolderPicker
          key={runnerId}
          runnerId={runnerId}
          label={words.folder}
          value={folder}
          onChange={onChange}
          onDone={close}
        />
      )}
    </Popover>
  );
}
