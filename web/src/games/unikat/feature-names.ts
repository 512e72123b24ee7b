/** What the features of tiles are called. */

import { t } from '../../lib/i18n.svelte';
import { formatList } from '../../lib/format-list';
import type { Feature } from './appearance';

export const featureName = (feature: Feature): string => t(`page.unikat.feature.${feature}`);

/** "colour and size": the features, not their values. */
export const listFeatureNames = (features: readonly Feature[]): string =>
  formatList(features.map(featureName));
