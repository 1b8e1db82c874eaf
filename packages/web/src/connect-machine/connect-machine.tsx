import { typedCommand } from '../api/typed-command.ts';
import { CopyLine } from '../design/copy-button.tsx';
import { connectMachineWords } from './connect-machine-words.ts';
import { isOnlyHere, reachableOrigin } from './reachable-origin.ts';

/** The command that connects another machine, and what it takes where the address of the page leads nowhere from there. */
export function ConnectMachine() {
  const words = connectMachineWords.use();
  return (
    <>
      <CopyLine text={typedCommand(`runner --hub ${reachableOrigin(location)} --token TOKEN`)} />
      {isOnlyHere(location) && <p className="mt-1.5 text-xs text-faint">{words.onlyHere}</p>}
    </>
  );
}
