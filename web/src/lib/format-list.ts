/** Several names in one sentence. */

import { translations } from './i18n.svelte';

/** "Ann, Ben and Cem", as the language joins them. */
export const formatList = (names: readonly string[]): string =>
  translations.addNoBreakSpaces(
    new Intl.ListFormat(translations.locale, { type: 'conjunction' }).format(names),
  );
