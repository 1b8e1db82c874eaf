import type { CSSProperties } from 'react';
import { type KnownMark, markOfAgent, markOfModel } from './known-marks.ts';

/** An agent at a glance. Its name stands beside it, so it says nothing to who cannot see it. */
export function AgentMark({
  name,
  title,
  size = 16,
}: {
  name: string;
  title?: string | undefined;
  size?: number | undefined;
}) {
  if (/^(?:native|dragoman-acp)$/.test(name))
    return <img src="/icon.svg" alt="" width={size} height={size} className="shrink-0" />;
  return <Letters mark={markOfAgent(name, title)} size={size} radius={0.25} />;
}

/** A model or a provider at a glance: round, where agents are square. */
export function ModelMark({ name, size = 16 }: { name: string; size?: number | undefined }) {
  return <Letters mark={markOfModel(name)} size={size} radius={0.5} />;
}

/** The letters are drawn, not written: they are no words of the page. */
function Letters({ mark: { hue, letters }, size, radius }: { mark: KnownMark; size: number; radius: number }) {
  return (
    <span
      aria-hidden
      data-letters={letters}
      style={
        {
          width: size,
          height: size,
          borderRadius: size * radius,
          fontSize: size * (letters.length > 1 ? 0.48 : 0.6),
          '--mark-hue': hue,
        } as CSSProperties
      }
      className="mark inline-flex shrink-0 items-center justify-center leading-none font-bold before:content-[attr(data-letters)]"
    />
  );
}
