/** Media queries by name: `@media (--desk)` in a component's styles. svelte.config.js fills them in. */
export const BREAKPOINTS = {
  /** Room for a column beside the board. */
  desk: '(min-width: 900px) and (min-height: 521px)',
  wide: '(min-width: 900px)',
  narrow: '(max-width: 899px)',
  tablet: '(min-width: 640px)',
  /** Room for two columns of cards. */
  'two-columns': '(min-width: 50rem)',
  'large-phone': '(min-width: 480px)',
  phone: '(max-width: 600px)',
  'small-phone': '(max-width: 480px)',
  'tiny-phone': '(max-width: 420px)',
  /** A phone on its side. */
  flat: '(max-height: 520px) and (min-aspect-ratio: 1)',
  tall: '(min-height: 521px)',
  /** High enough to be read from across a table. */
  high: '(min-height: 600px)',
  low: '(max-height: 520px)',
  short: '(max-height: 700px)',
  landscape: '(min-aspect-ratio: 1)',
};
