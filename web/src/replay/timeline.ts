/**
 * The moments of a match that are worth stopping at: each event that shows something, together with
 * those that only follow from it.
 */

import type { Actor, GameEvent } from '../lib/wire';

export interface Moment {
  /** How many events had happened. */
  seq: number;
  event: GameEvent;
  /** When, on the server's clock. */
  at: number;
  round: number;
  /** When the round began, moved along with the clocks. */
  roundBegan: number;
  /** Whether a bot did it for a person. */
  standIn: boolean;
  /** Whether it's in the list of turns. */
  listed: boolean;
  /** Whether a round begins with it. */
  startsRound: boolean;
}

type Kind = GameEvent['kind'];

/** Which of a game's events matter. */
export interface TimelineKinds {
  /** A round begins with this one. */
  roundStart: Kind;
  /** Listed as turns. */
  listed: readonly Kind[];
  /** Shown within a turn. */
  shown: readonly Kind[];
  /** Moves the clocks, where there are any. */
  shift?: Kind;
}

const ALWAYS_LISTED: readonly Kind[] = ['match_opened', 'round_ended', 'match_ended'];
/** Nothing can be seen after this one, so it's shown together with what follows. */
const INVISIBLE_KIND: Kind = 'match_opened';

/** `actors` says who caused each event; older matches don't have them. */
export function buildTimeline(
  events: readonly GameEvent[],
  kinds: TimelineKinds,
  actors: readonly (Actor | null)[] = [],
): Moment[] {
  const listed = new Set<Kind>([...ALWAYS_LISTED, kinds.roundStart, ...kinds.listed]);
  const shown = new Set<Kind>([...listed, ...kinds.shown]);
  const moments: Moment[] = [];
  let round = 0;
  let roundBegan = 0;
  events.forEach((event, index) => {
    const startsRound = event.kind === kinds.roundStart;
    if (startsRound) roundBegan = event.at;
    if (startsRound && 'round' in event) round = event.round;
    if (event.kind === kinds.shift && 'by' in event) roundBegan += event.by;
    const isShown = shown.has(event.kind) && !(event.kind === INVISIBLE_KIND && events.length > 1);
    const seq = index + 1;
    const last = moments.at(-1);
    if (isShown || !last) {
      // Shuffling a deck and getting ready belong to the same beginning.
      if (last?.event.kind === INVISIBLE_KIND) moments.pop();
      const standIn = actors[index] === 'stand-in';
      const isListed = listed.has(event.kind);
      const when = { seq, at: event.at, round, roundBegan };
      moments.push({ ...when, event, standIn, listed: isListed, startsRound });
    } else {
      last.seq = seq;
      last.at = event.at;
    }
  });
  return moments;
}

/** The moment that shows an event, by the event's number. */
export function momentIndexOf(moments: readonly Moment[], seq: number): number {
  const index = moments.findIndex((moment) => moment.seq >= seq);
  return index < 0 ? moments.length - 1 : index;
}

/** The next listed moment in a direction; the end of the match if there is none. */
export function nextListedMoment(moments: readonly Moment[], index: number, by: 1 | -1): number {
  for (let at = index + by; at >= 0 && at < moments.length; at += by)
    if (moments[at]!.listed) return at;
  return by > 0 ? moments.length - 1 : 0;
}
