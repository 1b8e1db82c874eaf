import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMe } from '../../../api/me.ts';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Panel } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { settingsWords } from '../settings-words.ts';

/** What only admins see. Others are told that it is there, and why they do not see it. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const words = settingsWords.use();
  const me = useMe();
  if (me?.role === 'admin') return children;
  return (
    <Panel>
      {me === undefined ? (
        <SkeletonRows rows={3} />
      ) : (
        <EmptyState icon={<Lock size={24} aria-hidden />} title={words.adminsOnly}>
          {words.adminsOnlyAbout}
        </EmptyState>
      )}
    </Panel>
  );
}
