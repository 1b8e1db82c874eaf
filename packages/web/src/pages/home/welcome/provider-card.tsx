import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { ProviderSetup } from '../../../provider-setup/provider-setup.tsx';
import { homeWords } from '../home-words.ts';
import { WelcomeCard } from './welcome-card.tsx';

/** The way to models that write code. */
export function ProviderCard() {
  const { welcome: words } = homeWords.use();
  const isAdmin = useIsAdmin();
  const [isOpen, setOpen] = useState(false);
  const steps = [words.providerSteps.pick, words.providerSteps.key, words.providerSteps.test];
  return (
    <WelcomeCard icon={<KeyRound size={18} aria-hidden />} title={words.providerTitle} text={words.providerText}>
      {isAdmin ? (
        <>
          <ol className="mb-4 flex flex-col gap-2.5">
            {steps.map((step, index) => (
              <li key={step} className="flex items-center gap-2.5 text-sm">
                <span
                  aria-hidden
                  className="flex size-6 items-center justify-center rounded-full border border-line-strong text-xs text-soft"
                >
                  {index + 1}
                </span>
                {step}
              </li>
            ))}
          </ol>
          <Button look="primary" className="self-start" onClick={() => setOpen(true)}>
            {words.providerTitle}
          </Button>
          <p className="mt-3 text-xs text-faint">{words.keyStays}</p>
          <ProviderSetup isOpen={isOpen} onClose={() => setOpen(false)} />
        </>
      ) : (
        <Notice>{words.providerOthers}</Notice>
      )}
    </WelcomeCard>
  );
}
