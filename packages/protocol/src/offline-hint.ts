/** What the offline model's answers end with. The console shows it in its own words, with a way to do it. */
export const OFFLINE_HINT = 'This is the offline model. Set up a model provider to have code explained and changed.';
