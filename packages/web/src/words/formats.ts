import { commonWords } from './common-words.ts';
import { type Language, useLanguage } from './language.ts';

const LOCALES: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' };

/** How numbers, moments and amounts are written in a language. */
function formatsOf(language: Language) {
  const locale = LOCALES[language];
  const whole = new Intl.NumberFormat(locale);
  // British English writes 5.2m, which reads as metres or a thousandth.
  const short = new Intl.NumberFormat(language === 'en' ? 'en-US' : locale, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' });
  return {
    count: (value: number) => whole.format(value),
    /** 12.3K */
    short: (value: number) => short.format(value),
    /** Cents matter while amounts are small. */
    dollars: (value: number) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
        maximumFractionDigits: value !== 0 && Math.abs(value) < 1 ? 4 : 2,
      }).format(value),
    percent: (share: number) => `${Math.round(share * 100)} %`,
    bytes: (value: number) => formatBytes(value),
    clock: (at: number) => clock.format(at),
    date: (at: number) => date.format(at),
    moment: (at: number) => moment.format(at),
    duration: (ms: number) => formatDuration(ms, DURATION_UNITS[language]),
    /** The same without parts of a second, for what counts on. */
    wholeSeconds: (ms: number) => formatDuration(Math.round(ms / 1000) * 1000, DURATION_UNITS[language], 0),
    /** How long ago, seen from `now`. */
    ago(at: number, now: number) {
      const seconds = Math.round((at - now) / 1000);
      if (seconds > -45 && seconds < 45) return commonWords[language].justNow;
      const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? UNITS.at(-1)!;
      // Chinese stands apart from numbers here as in durations; what is made for it leaves no space.
      return ago.format(Math.round(seconds / size), unit).replace(/(?<=\d)(?=\p{Script=Han})/u, ' ');
    },
  };
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function formatBytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const step = Math.min(Math.floor(Math.log10(value) / 3), units.length);
  const amount = value / 1000 ** step;
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[step - 1]}`;
}

const DURATION_UNITS: Record<Language, Readonly<Record<'ms' | 's' | 'min' | 'h', string>>> = {
  en: { ms: 'ms', s: 's', min: 'min', h: 'h' },
  zh: { ms: '毫秒', s: '秒', min: '分钟', h: '小时' },
};

/** 400 ms, 2.4 s, 12 s, 3 min 20 s, 3 min, 1 h 5 min. */
function formatDuration(ms: number, units: (typeof DURATION_UNITS)[Language], digits = 1): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ${units.ms}`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 9.95 ? digits : 0)} ${units.s}`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? inTwo(minutes, units.min, Math.floor(seconds % 60), units.s)
    : inTwo(Math.floor(minutes / 60), units.h, minutes % 60, units.min);
}

function inTwo(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

/** Made once for a language: what knows how to write numbers and dates is dear to make. */
const known: Partial<Record<Language, ReturnType<typeof formatsOf>>> = {};

/** How to write numbers, moments and amounts in the language in force. */
export function useFormats() {
  return formatsIn(useLanguage());
}

/** The same for a language that is known. */
export function formatsIn(language: Language) {
  return (known[language] ??= formatsOf(language));
}
