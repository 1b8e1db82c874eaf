import { useSearch } from '@tanstack/react-router';
import { LinkTabs } from '../../design/link-tabs.tsx';
import { Page } from '../../design/page.tsx';
import { SideLinks } from '../../design/side-links.tsx';
import { AboutPart } from './about/about-part.tsx';
import { AgentsPart } from './agents/agents-part.tsx';
import { AppearancePart } from './appearance/appearance-part.tsx';
import { ChannelsPart } from './channels/channels-part.tsx';
import { McpPart } from './mcp/mcp-part.tsx';
import { NotificationsPart } from './notifications/notifications-part.tsx';
import { PeoplePart } from './people/people-part.tsx';
import { PermissionsPart } from './permissions/permissions-part.tsx';
import { settingsWords } from './settings-words.ts';
import { SkillsPart } from './skills/skills-part.tsx';
import { TokensPart } from './tokens/tokens-part.tsx';

const PARTS = {
  tokens: TokensPart,
  people: PeoplePart,
  agents: AgentsPart,
  mcp: McpPart,
  skills: SkillsPart,
  permissions: PermissionsPart,
  channels: ChannelsPart,
  notifications: NotificationsPart,
  appearance: AppearancePart,
  about: AboutPart,
};
type Tab = keyof typeof PARTS;
/** Who gets in; what agents have and may do; how people are reached; this browser and this server. */
const GROUPS: readonly (readonly Tab[])[] = [
  ['tokens', 'people'],
  ['agents', 'mcp', 'skills', 'permissions'],
  ['channels', 'notifications'],
  ['appearance', 'about'],
];
const TABS = GROUPS.flat();

/** Who gets in, what agents have and may do, and how this browser looks and is notified. */
export function SettingsPage() {
  const words = settingsWords.use();
  const { tab: asked } = useSearch({ from: '/inside/settings' });
  const tab = TABS.find((one) => one === asked) ?? 'tokens';
  const Part = PARTS[tab];
  const linkTo = (one: Tab) => ({ tab: one, label: words.tabs[one] });
  return (
    <Page
      title={words.title}
      bar={<LinkTabs label={words.parts} page="/settings" tabs={TABS.map(linkTo)} chosen={tab} />}
      aside={
        <SideLinks
          label={words.parts}
          page="/settings"
          groups={GROUPS.map((group) => group.map(linkTo))}
          chosen={tab}
        />
      }
    >
      <Part />
    </Page>
  );
}
