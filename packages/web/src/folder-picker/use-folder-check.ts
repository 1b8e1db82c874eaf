import { DragomanError } from '@dragoman/protocol/error';
import { useAction } from '../api/calls.ts';
import { folderWords } from './folder-words.ts';

/** Looks at a folder before something is started in it. */
export interface FolderCheck {
  /** Why nothing can be started there, once that was tried. */
  problem: string | undefined;
  isBusy: boolean;
  /** Goes on where agents can work in the folder, and where nobody can tell: a machine that is away finds out later. */
  before: (goOn: () => void) => void;
}

/** Checks the folder that is chosen on a machine; what was found of one says nothing of another. */
export function useFolderCheck(runnerId: string | undefined, path: string): FolderCheck {
  const words = folderWords.use();
  const { mutate, variables, error, isPending } = useAction('listFolder');
  const asked = path.trim();
  const isAbout = variables?.path === asked && variables.runnerId === runnerId;
  const refusal = isAbout ? refusalIn(error) : undefined;
  return {
    problem: refusal && words.refused[refusal],
    isBusy: isPending,
    before: (goOn) => {
      if (isPending) return;
      if (runnerId === undefined) return goOn();
      mutate(
        { runnerId, path: asked },
        { onSuccess: goOn, onError: (reason) => refusalIn(reason) === undefined && goOn() },
      );
    },
  };
}

const REFUSALS = ['not-found', 'forbidden', 'bad-request'] as const;

function refusalIn(error: Error | null): (typeof REFUSALS)[number] | undefined {
  return error instanceof DragomanError ? REFUSALS.find((code) => code === error.code) : undefined;
}
