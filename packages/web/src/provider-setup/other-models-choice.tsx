import { Segmented } from '../design/segmented.tsx';
import { useFormats } from '../words/formats.ts';
import type { OtherModels } from './provider-form.ts';
import { providerWords } from './provider-words.ts';

interface OtherModelsChoiceProps {
  value: OtherModels;
  /** How many the service lists; 0 where that is not known. */
  offered: number;
  /** Whether the service lists its models, as far as one knows. */
  isListed: boolean;
  onChange: (value: OtherModels) => void;
}

/** Chooses which models of a service may be asked for, beside those that answer by themselves. */
export function OtherModelsChoice({ value, offered, isListed, onChange }: OtherModelsChoiceProps) {
  const words = providerWords.use();
  const formats = useFormats();
  const hint = value === 'any' ? words.othersHints.any : isListed ? undefined : words.othersHints.notListed;
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="text-xs font-medium text-soft">{words.others}</span>
      <Segmented
        label={words.others}
        value={value}
        options={[
          { value: 'listed', label: offered === 0 ? words.listed : words.listedCount(formats.count(offered)) },
          { value: 'none', label: words.chosenOnly },
          { value: 'any', label: words.anyName },
        ]}
        onChange={onChange}
      />
      {hint !== undefined && <p className="text-xs text-faint">{hint}</p>}
    </div>
  );
}
