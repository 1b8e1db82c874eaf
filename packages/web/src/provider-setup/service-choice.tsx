import { ModelMark } from '../marks/mark.tsx';
import { providerWords } from './provider-words.ts';
import { PROVIDER_PRESETS, type ProviderPreset } from './provider-presets.ts';

/** The services, to pick one. */
export function ServiceChoice({ onPick }: { onPick: (preset: ProviderPreset) => void }) {
  const words = providerWords.use();
  return (
    <ul aria-label={words.services} className="grid grid-cols-1 gap-2 pb-2 sm:grid-cols-2">
      {PROVIDER_PRESETS.map((preset) => (
        <li key={preset.id}>
          <button
            type="button"
            onClick={() => onPick(preset)}
            className="flex h-full w-full flex-col rounded-md border border-line bg-raised px-3 py-2 text-left hover:border-accent hover:bg-hover"
          >
            <span className="flex items-center gap-1.5 text-sm font-medium">
              {preset.title !== undefined && <ModelMark name={preset.id} />}
              {preset.title ?? words.compatible}
            </span>
            <span className="text-xs text-faint">{words.notes[preset.id]}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
