import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { useFormats } from '../words/formats.ts';
import { codeWords } from './code-words.ts';
import { visibleText } from './visible-text.ts';

const FIRST = 20_000;
const STEP = 200_000;

/** A text as it is, of any length: the beginning, and more when it is asked for. One that grows shows its end. */
export function LongText({ text, isGrowing, className }: { text: string; isGrowing?: boolean; className?: string }) {
  const words = codeWords.use();
  const formats = useFormats();
  const [length, setLength] = useState(FIRST);
  const left = Math.max(0, text.length - length);
  const box = classNames('contained font-mono text-xs whitespace-pre-wrap', className);
  if (left === 0) return <pre className={box}>{visibleText(text)}</pre>;
  if (isGrowing === true)
    return (
      <>
        <p className="pb-1 text-2xs text-faint">{words.cutBefore(formats.bytes(left))}</p>
        <pre className={box}>{visibleText(text.slice(-length)).toWellFormed()}</pre>
      </>
    );
  return (
    <>
      <pre className={box}>{visibleText(text.slice(0, length)).toWellFormed()}</pre>
      <Button size="small" look="quiet" className="mt-1" onClick={() => setLength(length + STEP)}>
        {words.showMore(formats.bytes(left))}
      </Button>
    </>
  );
}
