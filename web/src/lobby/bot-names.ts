/** What bots are called: every level has a name, wherever its bots sit. */

import { t } from '../lib/i18n.svelte';
import type { ChairInfo, Level } from '../lib/wire';

/** The level of the bot that has a seat; null for a person, and for a seat that waits for one. */
export const botLevel = (chair: ChairInfo): Level | null =>
  chair.kind === 'bot' || (chair.kind === 'free' && chair.stand_in) ? chair.level : null;

/** The name of a level's bot; the second of the same level has a number too, and so on. */
export function botName(level: Level, before: readonly (Level | null)[] = []): string {
  const name = t(`page.bot.name.${level}`);
  const earlier = before.filter((other) => other === level).length;
  return earlier ? `${name}\u00a0${earlier + 1}` : name;
}
