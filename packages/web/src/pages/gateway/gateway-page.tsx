import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { LinkTabs } from '../../design/link-tabs.tsx';
import { Page } from '../../design/page.tsx';
import { SkeletonRows } from '../../design/skeleton.tsx';
import { gatewayWords } from './gateway-words.ts';
import { ConnectPart } from './connect/connect-part.tsx';
import { ProvidersPart } from './providers/providers-part.tsx';
import { RequestsPart } from './requests/requests-part.tsx';
import { RoutesPart } from './routes/routes-part.tsx';

/** The chart's library comes with the part that draws one. */
const UsagePart = lazy(async () => ({ default: (await import('./usage/usage-part.tsx')).UsagePart }));

const PARTS = {
  providers: ProvidersPart,
  routes: RoutesPart,
  usage: UsagePart,
  requests: RequestsPart,
  connect: ConnectPart,
};
type Tab = keyof typeof PARTS;
const TABS = Object.keys(PARTS) as Tab[];

/** Between clients and models: who answers, under which names, how much was used, and how to connect. */
export function GatewayPage() {
  const words = gatewayWords.use();
  const { tab: asked } = useSearch({ from: '/inside/gateway' });
  const tab = TABS.find((one) => one === asked) ?? 'providers';
  const Part = PARTS[tab];
  return (
    <Page
      title={words.title}
      bar={
        <LinkTabs
          label={words.parts}
          page="/gateway"
          tabs={TABS.map((one) => ({ tab: one, label: words.tabs[one] }))}
          chosen={tab}
        />
      }
    >
      <Suspense fallback={<SkeletonRows rows={5} />}>
        <Part />
      </Suspense>
    </Page>
  );
}
