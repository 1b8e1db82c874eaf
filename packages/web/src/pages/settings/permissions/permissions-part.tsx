import { useId } from 'react';
import { useCall } from '../../../api/calls.ts';
import { useIsAdmin } from '../../../api/me.ts';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { settingsWords } from '../settings-words.ts';
import { AdminsOnly } from '../shared/admins-only.tsx';
import { SettingsState } from '../../../settings-state/settings-state.tsx';
import { isOverridden, useSettings } from '../shared/use-settings.ts';
import { permissionsWords } from './permissions-words.ts';
import { RuleTable } from './rule-table.tsx';
import { SavedRules } from './saved-rules.tsx';
import { Tester } from './tester.tsx';

/** What agents may do: the rules, what was allowed for good, and what would become of a call. */
export function PermissionsPart() {
  const words = permissionsWords.use();
  const isAdmin = useIsAdmin();
  const toolsId = useId();
  const tools = useCall('readWorkplace', {}, { isEnabled: isAdmin, staleMs: 30_000 }).data?.tools ?? [];
  return (
    <>
      <datalist id={toolsId}>
        {tools.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <Section title={words.rules} about={words.rulesAbout}>
        <AdminsOnly>
          <Rules toolsId={toolsId} />
        </AdminsOnly>
      </Section>
      <Section title={words.test} about={words.testAbout}>
        <AdminsOnly>
          <Tester toolsId={toolsId} />
        </AdminsOnly>
      </Section>
      <Section title={words.saved} about={words.savedAbout}>
        <SavedRules />
      </Section>
    </>
  );
}

function Rules({ toolsId }: { toolsId: string }) {
  const shared = settingsWords.use();
  const edited = useSettings();
  const { settings, error, retry } = edited;
  if (error !== null && settings === undefined) return <Failure error={error} onRetry={retry} />;
  if (settings === undefined)
    return (
      <Panel>
        <SkeletonRows rows={3} />
      </Panel>
    );
  const given = settings.settings['permissions'];
  const isFixed = isOverridden(settings, ['permissions']);
  return (
    <>
      <SettingsState />
      {isFixed && (
        <div className="mb-2">
          <Notice>{shared.overridden}</Notice>
        </div>
      )}
      {/* What somebody else saved takes the place of what was begun here; changes of other settings do not. */}
      <RuleTable key={JSON.stringify(given)} edited={edited} given={given} toolsId={toolsId} isDisabled={isFixed} />
    </>
  );
}
