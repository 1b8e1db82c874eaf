import { homeWords } from '../home-words.ts';
import { ProviderCard } from './provider-card.tsx';
import { TryNowCard } from './try-now-card.tsx';

/** The first visit: two ways to begin, both short. */
export function Welcome() {
  const { welcome: words } = homeWords.use();
  return (
    <>
      <div className="mb-5">
        <p className="text-2xl font-semibold tracking-tight">{words.title}</p>
        <p className="text-soft">{words.text}</p>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
        <TryNowCard />
        <ProviderCard />
      </div>
    </>
  );
}
