/** Names of more than one thing, as the language joins them. */

import { t, words } from '../../lib/i18n.svelte';
import type { Feature } from './appearance';

export const formatList = (names: readonly string[]): string =>
  new Intl.ListFormat(words.language, { type: 'conjunction' }).format(names);

export const featureName = (feature: Feature): string => t(`page.unikat.feature.${feature}`);

/** "colour and size". */
export const featureNames = (features: readonly Feature[]): string =>
  formatList(features.map(featureName));
