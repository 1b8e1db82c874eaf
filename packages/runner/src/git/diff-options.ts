/** What every diff is asked with, whatever anybody configured: nothing is run, and the form is the one that is read. */
export const DIFF_OPTIONS: readonly string[] = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--relative',
  '--find-renames',
  '--ignore-submodules=dirty',
  '--submodule=short',
];
