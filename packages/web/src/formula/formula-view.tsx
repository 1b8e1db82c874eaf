import { useLayoutEffect, useRef, useState } from 'react';
import { visibleText } from '../code/visible-text.ts';
import { classNames } from '../design/class-names.ts';
import { drawFormula } from './draw-formula.ts';

interface FormulaViewProps {
  /** In TeX. */
  text: string;
  isDisplay: boolean;
  /** One that is still being written is shown as it is. */
  isWhole: boolean;
}

/** A formula. What cannot be drawn, or not yet, is shown as it was written. */
export function FormulaView({ text, isDisplay, isWhole }: FormulaViewProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState<string>();
  const isDrawn = drawn === text;
  useLayoutEffect(() => {
    if (!isWhole) return undefined;
    return drawFormula(text, isDisplay, (elements) => {
      place.current?.replaceChildren(...elements);
      setDrawn(elements.length > 0 ? text : undefined);
    });
  }, [text, isDisplay, isWhole]);
  return (
    <span className={classNames(isDisplay && 'block overflow-x-auto overflow-y-hidden py-1 [&_.katex-display]:my-1!')}>
      {!isDrawn && (
        <code className={classNames('font-mono text-code text-soft', isDisplay && 'block whitespace-pre-wrap')}>
          {visibleText(text)}
        </code>
      )}
      <span ref={place} hidden={!isDrawn} />
    </span>
  );
}
