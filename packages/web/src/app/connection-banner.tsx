import { HardDrive, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useConnection, useIsOffline } from '../api/connection.ts';
import { useIsDiskFull } from '../api/server-health.ts';
import { useIsServerLate } from '../api/waiting-requests.ts';
import { Button } from '../design/button.tsx';
import { Spinner } from '../design/spinner.tsx';
import { hurryLive } from '../live/live.ts';
import { appWords } from './app-words.ts';

/** A moment without a connection is not worth a word. */
const PATIENCE_MS = 1500;

/** Says that the server cannot be reached or has no room left, for as long as that is so; everything on the page stays. */
export function ConnectionBanner() {
  const state = useConnection();
  const isOffline = useIsOffline();
  const isLate = useIsServerLate();
  const isDiskFull = useIsDiskFull();
  if (!isOffline && (state === undefined || state === 'live'))
    return isDiskFull ? <FullLine /> : isLate ? <LateLine /> : null;
  return <Banner isAway={isOffline || state === 'waiting'} />;
}

/** Nothing is wrong yet, so it says no more than that. */
function LateLine() {
  const words = appWords.use();
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-panel px-4 py-1.5 text-sm text-faint">
      <Spinner size={13} />
      {words.late}
    </p>
  );
}

function FullLine() {
  const words = appWords.use();
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b border-warn/40 bg-warn-wash px-4 py-1.5 text-sm text-warn"
    >
      <HardDrive size={15} aria-hidden className="shrink-0" />
      {words.diskFull}
    </p>
  );
}

function Banner({ isAway }: { isAway: boolean }) {
  const words = appWords.use();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-2 border-b border-warn/40 bg-warn-wash px-4 py-1.5 text-sm text-warn"
    >
      <WifiOff size={15} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1">{isAway ? words.offline : words.reconnecting}</span>
      {isAway && (
        <Button size="small" onClick={() => hurryLive()}>
          {words.tryNow}
        </Button>
      )}
    </div>
  );
}
