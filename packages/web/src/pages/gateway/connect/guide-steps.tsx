import { Code } from '../../../code/code-block.tsx';
import { CopyLine } from '../../../design/copy-button.tsx';
import type { GuideStep } from './client-guide.ts';
import { connectWords } from './connect-words.ts';

/** What to do, one after the other, each text with a button that copies it. */
export function GuideSteps({ steps }: { steps: readonly GuideStep[] }) {
  const words = connectWords.use();
  return (
    <ol className="flex flex-col gap-5">
      {steps.map(({ note, file, code, values }) => (
        <li key={note} className="flex min-w-0 flex-col gap-1.5">
          <p className="max-w-prose text-sm">
            {words.notes[note]} {file !== undefined && <code className="font-mono text-xs text-soft">{file}</code>}
          </p>
          {code !== undefined && <Code text={code.text} language={code.language} />}
          {values?.map(({ name, text }) => (
            <div key={name} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[7rem_minmax(0,32rem)]">
              <span className="text-xs text-soft">{words.values[name]}</span>
              <CopyLine text={text} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
