/** Chance for people who sit together. Nobody has to verify it, so the browser's own will do. */

/** From 0 up to, but not including, 1. */
export type Chance = () => number;

export const pickRandom = <T>(from: readonly T[], chance: Chance): T =>
  from[Math.floor(chance() * from.length)]!;

/** The things in a random order, with all orders equally likely. */
export function shuffle<T>(things: readonly T[], chance: Chance): T[] {
  const all = [...things];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(chance() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}
