import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useCommonWords } from '../words/common-words.ts';
import { IconButton } from './icon-button.tsx';

/** Puts a text on the clipboard, and says that it did. */
export function CopyButton({ text, label, className }: { text: string; label?: string; className?: string }) {
  const words = useCommonWords();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {}, // Not allowed here; the text can still be selected.
    );
  };
  return (
    <IconButton
      label={isCopied ? words.copied : (label ?? words.copy)}
      icon={isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      onClick={copy}
      {...(className !== undefined && { className })}
    />
  );
}

/** A text to be copied: a command, an address, a token. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  return (
    <div className="flex items-center gap-1 rounded-md border border-line bg-raised py-0.5 pr-0.5 pl-2.5">
      <code className="contained flex-1 font-mono text-xs">{text}</code>
      <CopyButton text={text} {...(label !== undefined && { label })} />
    </div>
  );
}
