import { Link } from '@tanstack/react-router';
import { useCall } from '../../api/calls.ts';
import { useIsAdmin } from '../../api/me.ts';
import { buttonClasses } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../words/language.ts';
import { homeWords } from './home-words.ts';

/** Chat platforms that wait for somebody to mend them; nobody would hear of it in the chat. */
export function FailedChannels() {
  const words = homeWords.use();
  const language = useLanguage();
  const isAdmin = useIsAdmin();
  const { data } = useCall('readChannels', { language }, { isEnabled: isAdmin, everyMs: 60_000 });
  const failed = data?.channels.filter(({ state }) => state.type === 'failed') ?? [];
  return failed.map(({ name, title, state }) => (
    <div key={name} className="mb-4">
      <Notice
        tone="warn"
        title={words.channelFailed(title)}
        action={
          <Link to="/settings" search={{ tab: 'channels' }} className={buttonClasses('plain', 'small')}>
            {words.mendChannel}
          </Link>
        }
      >
        {state.reason}
      </Notice>
    </div>
  ));
}
