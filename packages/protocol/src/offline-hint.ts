/** What the offline model's answers end with. The console shows it in its own words, with a way to do it. */
export const OFFLINE_HINT = 'This is the offline model. Add a model provider to explain and change code.';
