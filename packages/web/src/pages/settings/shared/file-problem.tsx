import { Notice } from '../../../design/notice.tsx';
import { settingsWords } from '../settings-words.ts';
import { useSettings } from './use-settings.ts';

/** Says that the file is not in force as it stands; a change from here would not work before it is mended. */
export function FileProblem() {
  const words = settingsWords.use();
  const problem = useSettings().settings?.problem;
  if (problem === undefined) return null;
  return (
    <div className="mb-5">
      <Notice tone="warn" title={words.notInForce}>
        <p>{words.notInForceAbout}</p>
        <p className="mt-1 font-mono text-xs whitespace-pre-wrap">{problem}</p>
      </Notice>
    </div>
  );
}
