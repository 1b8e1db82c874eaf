import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import { useConnection, useIsOffline } from '../api/connection.ts';
import { Button } from '../design/button.tsx';
import { appWords } from './app-words.ts';

/** A moment without a connection is not worth a word. */
const PATIENCE_MS = 1500;

/** Says that the server cannot be reached, for as long as that is so; everything on the page stays. */
export function ConnectionBanner() {
  const state = useConnection();
  const isOffline = useIsOffline();
  if (!isOffline && (state === undefined || state.type === 'live')) return null;
  return <Banner isAway={isOffline || state?.type === 'waiting'} />;
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
        <Button size="small" onClick={() => client.online()}>
          {words.tryNow}
        </Button>
      )}
    </div>
  );
}
