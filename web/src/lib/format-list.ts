/** Several names in one sentence. */

import { words } from './i18n.svelte';

/** "Ann, Ben and Cem", as the language joins them. */
export const formatList = (names: readonly string[]): string =>
  words.bindSingleLetters(new Intl.ListFormat(words.locale, { type: 'conjunction' }).format(names));
